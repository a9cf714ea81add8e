/** How often one token may report to this process: 5 times a second. It knows no token for valid. */
import { AppError } from '../../platform/errors';

const PER_SECOND_MAX = 5;

export interface PingPace {
  /** Throws `rate_limited`. */
  readonly admit: (token: string, nowMs: number) => void;
}

export function createPingPace(): PingPace {
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
      if (count <= PER_SECOND_MAX) return;
      const message = `A heartbeat may report ${PER_SECOND_MAX} times a second.`;
      throw new AppError('rate_limited', message, { retryAfterSeconds: 1 });
    },
  };
}
