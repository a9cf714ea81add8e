/** Lets work begin a few at a time, and says at once when too much waits already. It knows no work itself. */

export interface AdmissionBounds {
  /** At work at the same time. */
  readonly atOnce: number;
  /** Beyond those at work. */
  readonly waitingMax: number;
  /** What has waited longer is refused when its turn comes; while something has, nothing more is let in. */
  readonly waitMaxMs: number;
}

/** Ends the work, so that the next can begin; further calls do nothing. */
export type Leave = () => void;

/** Resolves in the order of asking once the work may begin; null: it must not, since there is too much. */
export type Admission = () => Promise<Leave | null>;

interface Waiting {
  readonly sinceMs: number;
  readonly resolve: (leave: Leave | null) => void;
}

/** @param steadyNow milliseconds of a clock that never steps. */
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

  /** A place is handed on, so that nobody can come in between. */
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
