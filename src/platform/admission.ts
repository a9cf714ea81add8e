/**
 * Limits how much work runs at once, and refuses work immediately when too much is waiting. Groups take turns, so a
 * group with very many jobs delays only its own jobs.
 */

export interface AdmissionBounds {
  /** Number of jobs that run at the same time. */
  readonly atOnce: number;
  /** Number of jobs of one group that run at the same time. Absent: only `atOnce` applies. */
  readonly atOncePerGroup?: number;
  /** Maximum number of waiting jobs, in addition to the running ones. */
  readonly waitingMax: number;
  /** A job that has waited longer is refused when its turn comes. Until then, new jobs of its group are refused. */
  readonly waitMaxMs: number;
}

/** Ends the work, so that the next work can begin. */
export type Leave = () => void;

/**
 * Resolves once the work may begin. Resolves to null if the work is refused, because too many jobs are waiting. When
 * the queue is full, the group with the most waiting jobs gives up its newest job for a smaller group.
 */
export type Admission = (group?: string) => Promise<Leave | null>;

interface Waiting {
  readonly sinceMs: number;
  readonly resolve: (leave: Leave | null) => void;
}

/** @param steadyNow milliseconds of a monotonic clock. */
export function createAdmission(
  { atOnce, atOncePerGroup = atOnce, waitingMax, waitMaxMs }: AdmissionBounds,
  steadyNow: () => number,
): Admission {
  const queues = createQueues();
  const running = new Map<string, number>();
  let atWork = 0;
  const isLate = ({ sinceMs }: Waiting): boolean => steadyNow() - sinceMs > waitMaxMs;
  const hasSlot = (group: string): boolean =>
    atWork < atOnce && (running.get(group) ?? 0) < atOncePerGroup;

  function begin(group: string): Leave {
    atWork += 1;
    running.set(group, (running.get(group) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      atWork -= 1;
      const left = (running.get(group) ?? 1) - 1;
      if (left === 0) running.delete(group);
      else running.set(group, left);
      startWaiting();
    };
  }

  /** The groups take turns, one job each. */
  function startWaiting(): void {
    for (const group of queues.listTurns()) {
      for (let [first] = queues.read(group); first !== undefined && isLate(first); ) {
        queues.take(group, 'first')?.resolve(null);
        [first] = queues.read(group);
      }
      if (hasSlot(group)) queues.take(group, 'first')?.resolve(begin(group));
    }
  }

  /** Returns true if there is room for one more job of a group with so many waiting ones. */
  function makeRoom(waitingOfGroup: number): boolean {
    if (queues.count() < waitingMax) return true;
    const group = queues.findLongest();
    if (queues.read(group).length <= waitingOfGroup + 1) return false;
    queues.take(group, 'last')?.resolve(null);
    return true;
  }

  return async (group = '') => {
    const waiting = queues.read(group);
    const [oldest] = waiting;
    if (oldest === undefined && hasSlot(group)) return begin(group);
    if (oldest !== undefined && isLate(oldest)) return null;
    if (!makeRoom(waiting.length)) return null;
    return new Promise((resolve) => queues.add(group, { sinceMs: steadyNow(), resolve }));
  };
}

/** The waiting jobs of each group, in the order of the groups' turns. */
function createQueues() {
  const queues = new Map<string, Waiting[]>();
  let waitingCount = 0;
  return {
    count: () => waitingCount,
    read: (group: string): readonly Waiting[] => queues.get(group) ?? [],
    /** A group comes again, at the end, as long as it has waiting jobs and each turn takes one. */
    *listTurns(): Generator<string> {
      for (const [group, queue] of queues) {
        const before = queue.length;
        yield group;
        if (queue.length === before || queue.length === 0) continue;
        queues.delete(group);
        queues.set(group, queue);
      }
    },
    add(group: string, waiting: Waiting): void {
      const queue = queues.get(group) ?? [];
      queue.push(waiting);
      queues.set(group, queue);
      waitingCount += 1;
    },
    take(group: string, end: 'first' | 'last'): Waiting | undefined {
      const queue = queues.get(group) ?? [];
      const taken = end === 'first' ? queue.shift() : queue.pop();
      if (taken !== undefined) waitingCount -= 1;
      if (queue.length === 0) queues.delete(group);
      return taken;
    },
    findLongest(): string {
      const [longest] = [...queues].toSorted(([, one], [, other]) => other.length - one.length);
      return longest?.[0] ?? '';
    },
  };
}
