/** Limits the requests per second and token in this process. */
import { AppError } from '../../platform/errors';

export interface Pace {
  /** Throws `rate_limited`. */
  readonly admit: (token: string, nowMs: number) => void;
}

/** @param who The subject of the refusal's message. */
export function createPace(perSecondMax: number, who: string): Pace {
  let second = 0;
  let counts = new Map<string, number>();
  return {
    admit(token, nowMs) {
      const current = Math.floor(nowMs / 1_000);
      if (current !== second) {
        second = current;
        counts = new Map();
      }
      const count = (counts.get(token) ?? 0) + 1;
      counts.set(token, count);
      if (count <= perSecondMax) return;
      const message = `${who} may report at most ${perSecondMax} times a second.`;
      throw new AppError('rate_limited', message, { retryAfterSeconds: 1 });
    },
  };
}
