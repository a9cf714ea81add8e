/**
 * Limits the number of jobs that run at once. If too many jobs are waiting, refuses further jobs immediately. Each
 * group may use only a share of the free slots. So a group with very many jobs delays only its own jobs, and leaves
 * slots for other groups.
 */
import type { FairUse } from './fair-use';

export interface AdmissionBounds {
  /** Number of jobs that run at the same time. */
  readonly atOnce: number;
  /**
   * The share of the free slots, from 0 to 1, that one group may use. A group that runs as many jobs as this share, or
   * more, must wait. If absent, only `atOnce` applies.
   */
  readonly shareOfFree?: number;
  /** Maximum number of waiting jobs, in addition to the running ones. */
  readonly waitingMax: number;
  /**
   * The maximum wait. A job that has waited longer is refused at the next moment when jobs can begin. Until then, new
   * jobs of its group are refused, too.
   */
  readonly waitMaxMs: number;
}

/** Ends the work, so that the next work can begin. */
export type Leave = () => void;

/**
 * Requests a slot. Resolves when the work may begin. Resolves to null if the work is refused, because it has waited too
 * long or because too many jobs are waiting. If the queue is full and a group with few waiting jobs requests a slot,
 * the newest job of the group with the most waiting jobs is refused instead.
 */
export type Admission = (group?: string) => Promise<Leave | null>;

interface Waiting {
  readonly sinceMs: number;
  readonly resolve: (leave: Leave | null) => void;
}

/** The jobs of one group. A group without jobs is forgotten. */
interface Group {
  readonly name: string;
  running: number;
  readonly waiting: Waiting[];
}

/** Waiting jobs are tried again at this interval, because their group may have saved up time since. */
const LOOK_AGAIN_MS = 20;
const UNLIMITED: FairUse = {
  mayBegin: () => true,
  noteJobs: () => undefined,
  begin: () => () => undefined,
};

/**
 * @param steadyNow Returns the milliseconds of a monotonic clock.
 * @param fairUse Decides which groups must wait although slots are free. If absent, no group must wait.
 */
export function createAdmission(
  { waitingMax, waitMaxMs, ...bounds }: AdmissionBounds,
  steadyNow: () => number,
  fairUse = UNLIMITED,
): Admission {
  const groups = new Map<string, Group>();
  const slots = createSlots(bounds, fairUse);
  const isLate = ({ sinceMs }: Waiting): boolean => steadyNow() - sinceMs > waitMaxMs;
  const begin = (group: Group): Leave => slots.take(group, startWaiting);
  let timer: NodeJS.Timeout | null = null;

  function startWaiting(): void {
    for (const [name, group] of groups) {
      refuseLate(group.waiting, isLate);
      if (group.running === 0 && group.waiting.length === 0) groups.delete(name);
    }
    const { isFreeFor } = slots;
    for (let next = findNext(groups, isFreeFor); next !== null; next = findNext(groups, isFreeFor))
      next.waiting.shift()?.resolve(begin(next));
    lookAgain();
  }

  /** Tries the waiting jobs again later. With fair use, a job may begin without any other job having ended. */
  function lookAgain(): void {
    if (fairUse === UNLIMITED || timer !== null || countWaiting(groups) === 0) return;
    timer = setTimeout(() => {
      timer = null;
      startWaiting();
    }, LOOK_AGAIN_MS).unref();
  }

  /**
   * Makes space for one more waiting job. If necessary, refuses the newest job of the group with the most waiting jobs.
   * Returns false if no group has clearly more waiting jobs than this one.
   */
  function makeRoom(waitingOfGroup: number): boolean {
    if (countWaiting(groups) < waitingMax) return true;
    const longest = findLongest(groups);
    if (longest.length <= waitingOfGroup + 1) return false;
    longest.pop()?.resolve(null);
    return true;
  }

  return async (name = '') => {
    const group = groups.get(name) ?? { name, running: 0, waiting: [] };
    const [oldest] = group.waiting;
    if (oldest === undefined && slots.isFreeFor(group)) {
      groups.set(name, group);
      return begin(group);
    }
    if (oldest !== undefined && isLate(oldest)) return null;
    if (!makeRoom(group.waiting.length)) return null;
    groups.set(name, group);
    return new Promise((resolve) => {
      group.waiting.push({ sinceMs: steadyNow(), resolve });
      fairUse.noteJobs(name, group.running + group.waiting.length);
      lookAgain();
    });
  };
}

/** Counts the running jobs, and decides whether a group may begin another job. */
function createSlots(
  {
    atOnce,
    shareOfFree = Number.POSITIVE_INFINITY,
  }: Pick<AdmissionBounds, 'atOnce' | 'shareOfFree'>,
  fairUse: FairUse,
) {
  let runningCount = 0;
  return {
    isFreeFor({ name, running }: Group): boolean {
      const free = atOnce - runningCount;
      const isWithinSlots = free > 0 && (running === 0 || running < free * shareOfFree);
      return isWithinSlots && fairUse.mayBegin(name);
    },
    /** Counts a job of the group until the returned function is called. */
    take(group: Group, onLeave: () => void): Leave {
      runningCount += 1;
      group.running += 1;
      const endUse = fairUse.begin(group.name);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        runningCount -= 1;
        group.running -= 1;
        endUse();
        onLeave();
      };
    },
  };
}

type Groups = ReadonlyMap<string, Group>;

function refuseLate(waiting: Waiting[], isLate: (one: Waiting) => boolean): void {
  for (let [first] = waiting; first !== undefined && isLate(first); [first] = waiting)
    waiting.shift()?.resolve(null);
}

function countWaiting(groups: Groups): number {
  let count = 0;
  for (const { waiting } of groups.values()) count += waiting.length;
  return count;
}

/**
 * Returns the group whose job begins next, or null. Of the groups that may begin a job, this is the group with the
 * fewest running jobs. Among equals, it is the group whose first job has waited longest.
 */
function findNext(groups: Groups, mayBegin: (group: Group) => boolean): Group | null {
  let next: Group | null = null;
  for (const group of groups.values()) {
    if (group.waiting.length === 0 || (next !== null && !comesBefore(group, next))) continue;
    if (mayBegin(group)) next = group;
  }
  return next;
}

function comesBefore(one: Group, other: Group): boolean {
  if (one.running !== other.running) return one.running < other.running;
  return (one.waiting[0]?.sinceMs ?? 0) < (other.waiting[0]?.sinceMs ?? 0);
}

function findLongest(groups: Groups): Waiting[] {
  const [longest] = [...groups.values()].toSorted(
    (one, other) => other.waiting.length - one.waiting.length,
  );
  return longest?.waiting ?? [];
}
