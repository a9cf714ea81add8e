/**
 * Limits how much work runs at once, and refuses immediately when too much is waiting. Groups take turns: a group with
 * very many jobs delays its own jobs, not those of others.
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

/** Ends the work, so that the next can begin; further calls do nothing. */
export type Leave = () => void;

/**
 * Resolves once the work may begin. Resolves to null if the work is refused, because too many jobs are waiting. When
 * the queue is full, the group with the most waiting jobs gives up its newest one for a group that has fewer.
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
  /** The groups with waiting jobs, in the order of their turns. */
  const queues = new Map<string, Waiting[]>();
  const running = new Map<string, number>();
  let atWork = 0;
  let waitingCount = 0;
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

  function take(group: string, queue: Waiting[], end: 'first' | 'last'): Waiting | undefined {
    const taken = end === 'first' ? queue.shift() : queue.pop();
    if (taken !== undefined) waitingCount -= 1;
    if (queue.length === 0) queues.delete(group);
    return taken;
  }

  /** The groups take turns, one job each. */
  function startWaiting(): void {
    for (const [group, queue] of queues) {
      while (queue[0] !== undefined && isLate(queue[0])) take(group, queue, 'first')?.resolve(null);
      if (queue.length === 0 || !hasSlot(group)) continue;
      const next = take(group, queue, 'first');
      if (queues.delete(group) && queue.length > 0) queues.set(group, queue);
      next?.resolve(begin(group));
      if (atWork >= atOnce) return;
    }
  }

  /** Returns true if there is room for one more job of a group with so many waiting ones. */
  function makeRoom(waitingOfGroup: number): boolean {
    if (waitingCount < waitingMax) return true;
    const [group, queue] = findLongest(queues);
    if (queue.length <= waitingOfGroup + 1) return false;
    take(group, queue, 'last')?.resolve(null);
    return true;
  }

  return async (group = '') => {
    const queue = queues.get(group) ?? [];
    if (queue.length === 0 && hasSlot(group)) return begin(group);
    const [oldest] = queue;
    if (oldest !== undefined && isLate(oldest)) return null;
    if (!makeRoom(queue.length)) return null;
    return new Promise((resolve) => {
      queue.push({ sinceMs: steadyNow(), resolve });
      queues.set(group, queue);
      waitingCount += 1;
    });
  };
}

function findLongest(queues: ReadonlyMap<string, Waiting[]>): readonly [string, Waiting[]] {
  let longest: readonly [string, Waiting[]] = ['', []];
  for (const entry of queues) if (entry[1].length > longest[1].length) longest = entry;
  return longest;
}
