/** Limits how many requests each sender may make in a time window. Counts are kept in this process. */
import { AppError } from '../../platform/errors';

export interface Pace {
  /** Counts one request. Returns `rate_limited` if the sender has made too many. */
  readonly count: (sender: string, nowMs: number) => AppError | null;
}

interface PaceBounds {
  readonly max: number;
  readonly windowSeconds: number;
  /** The message of the refusal. */
  readonly message: string;
}

export function createPace({ max, windowSeconds, message }: PaceBounds): Pace {
  const windowMs = windowSeconds * 1_000;
  let window = 0;
  let counts = new Map<string, number>();
  return {
    count(sender, nowMs) {
      const current = Math.floor(nowMs / windowMs);
      if (current !== window) {
        window = current;
        counts = new Map();
      }
      const count = (counts.get(sender) ?? 0) + 1;
      counts.set(sender, count);
      if (count <= max) return null;
      const retryAfterSeconds = Math.ceil(((current + 1) * windowMs - nowMs) / 1_000);
      return new AppError('rate_limited', message, { retryAfterSeconds });
    },
  };
}

/** Counts one report. Throws `rate_limited` if there are too many. */
export type ReportPace = (token: string, nowMs: number) => void;

/** @param who The subject of the refusal's message. */
export function createReportPace(max: number, who: string): ReportPace {
  const message = `${who} may report at most ${max} times a second.`;
  const { count } = createPace({ max, windowSeconds: 1, message });
  return (token, nowMs) => {
    const refusal = count(token, nowMs);
    if (refusal !== null) throw refusal;
  };
}
