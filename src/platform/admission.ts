/** Limits how many jobs run at once, and refuses immediately when too many are waiting. */

export interface AdmissionBounds {
  /** Number of jobs that run at the same time. */
  readonly atOnce: number;
  /** Maximum number of waiting jobs, in addition to the running ones. */
  readonly waitingMax: number;
  /** A job that has waited longer is refused. */
  readonly waitMaxMs: number;
}

/** Ends the work, so that the next one can begin. */
export type Leave = () => void;

/** Resolves when the work may begin, in order of arrival. null: refused, because too many jobs wait. */
export type Admission = () => Promise<Leave | null>;

interface Waiting {
  readonly sinceMs: number;
  readonly resolve: (leave: Leave | null) => void;
}

/** @param steadyNow milliseconds of a monotonic clock. */
export function createAdmission(
  { atOnce, waitingMax, waitMaxMs }: AdmissionBounds,
  steadyNow: () => number,
): Admission {
  const waiting: Waiting[] = [];
  let atWork = 0;
  const isLate = ({ sinceMs }: Waiting): boolean => steadyNow() - sinceMs > waitMaxMs;

  function begin(): Leave {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      endOne();
    };
  }

  /** Passes the slot to the next in the queue, so that a new arrival cannot overtake it. */
  function endOne(): void {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (!isLate(next)) {
        next.resolve(begin());
        return;
      }
      next.resolve(null);
    }
    atWork -= 1;
  }

  return async () => {
    if (atWork < atOnce) {
      atWork += 1;
      return begin();
    }
    const [oldest] = waiting;
    if (waiting.length >= waitingMax || (oldest !== undefined && isLate(oldest))) return null;
    return new Promise((resolve) => {
      waiting.push({ sinceMs: steadyNow(), resolve });
    });
  };
}
