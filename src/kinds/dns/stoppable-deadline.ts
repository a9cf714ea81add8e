/** Ends running work whose result is no longer needed. */
import type { Deadline } from '../../checks/deadline';

/** Creates a deadline whose work can be ended early with `stop`. */
export function toStoppable(deadline: Deadline): {
  readonly deadline: Deadline;
  readonly stop: () => void;
} {
  const ends = new Set<() => void>();
  let isStopped = false;
  return {
    deadline: {
      ...deadline,
      within: (work, end) => {
        if (isStopped) end();
        ends.add(end);
        return deadline.within(work, end);
      },
    },
    stop: () => {
      isStopped = true;
      for (const end of ends) end();
    },
  };
}
