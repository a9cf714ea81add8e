/**
 * Slows down groups whose jobs keep this process busy while other groups send jobs too. A group saves up the time that it
 * does not use, so short bursts are never slowed down, and a group alone never is. A group that has used most of what
 * it saved begins a job only while no other group runs one.
 *
 * The time that the process was busy counts for the groups with running jobs, in equal parts, so jobs that only wait for
 * other services cost nearly nothing. A long job counts only for its first part. Otherwise, the other jobs of its group
 * would wait until it ends.
 */

export interface FairUseBounds {
  /** The part of the time, between 0 and 1, during which a group may keep the process busy. */
  readonly share: number;
  /** Busy time that a group can save up. */
  readonly burstMs: number;
  /** Counts for each running job in advance. */
  readonly expectedMs: number;
  /** Other groups count as present for this time after their last job began. */
  readonly presentMs: number;
}

export interface FairUseClocks {
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  /** For how many milliseconds this process was busy so far. */
  readonly busyMs: () => number;
}

export interface FairUse {
  /** False means that the group has used up its share, and others are present. */
  readonly mayBegin: (group: string) => boolean;
  /** Counts a job. Call the returned function once when the job ends. */
  readonly begin: (group: string) => () => void;
}

interface Use {
  running: number;
  /** Busy time beyond the share, when it was last counted. */
  excessMs: number;
}

interface Job {
  readonly use: Use;
  countedMs: number;
}

interface Presence {
  readonly group: string | null;
  readonly atMs: number;
}

const NOBODY: Presence = { group: null, atMs: Number.NEGATIVE_INFINITY };
/** However much a group used while it was alone, it waits no longer before its next job. */
const WAIT_MAX_MS = 800;
/** Questions about many groups at the same time need only one count. */
const COUNT_EVERY_MS = 1;

export function createFairUse(
  { share, burstMs, expectedMs, presentMs }: FairUseBounds,
  { steadyNow, busyMs }: FairUseClocks,
): FairUse {
  const uses = new Map<string, Use>();
  const jobs = new Set<Job>();
  const excessMaxMs = burstMs + share * WAIT_MAX_MS;
  let countedAtMs = steadyNow();
  let countedBusyMs = busyMs();
  const presence = createPresence(presentMs, steadyNow);

  /** Counts the time since the last count. Forgets groups without excess. */
  function count(): void {
    const nowMs = steadyNow();
    const nowBusyMs = busyMs();
    const savedMs = share * (nowMs - countedAtMs);
    const perGroupMs = (nowBusyMs - countedBusyMs) / Math.max(1, countRunning(uses));
    countedAtMs = nowMs;
    countedBusyMs = nowBusyMs;
    for (const [group, use] of uses) {
      use.excessMs = Math.max(0, use.excessMs - savedMs);
      if (use.running === 0 && use.excessMs === 0) uses.delete(group);
    }
    for (const job of jobs) {
      const { use } = job;
      const countsMs = Math.min(perGroupMs / use.running, excessMaxMs - job.countedMs);
      job.countedMs += countsMs;
      use.excessMs = Math.min(excessMaxMs, use.excessMs + countsMs);
    }
  }

  function end(job: Job): void {
    count();
    if (jobs.delete(job)) job.use.running -= 1;
  }

  return {
    mayBegin(group) {
      if (!presence.areOthersPresent(group)) return true;
      if (steadyNow() - countedAtMs >= COUNT_EVERY_MS) count();
      const use = uses.get(group);
      if (use === undefined) return true;
      const isFree = use.excessMs < burstMs / 2 || jobs.size === use.running;
      return isFree && use.excessMs + use.running * expectedMs < burstMs;
    },
    begin(group) {
      count();
      presence.note(group);
      const use = uses.get(group) ?? { running: 0, excessMs: 0 };
      uses.set(group, use);
      use.running += 1;
      const job = { use, countedMs: 0 };
      jobs.add(job);
      return () => end(job);
    },
  };
}

function countRunning(uses: ReadonlyMap<string, Use>): number {
  return [...uses.values()].filter(({ running }) => running > 0).length;
}

/** Knows whether other groups began jobs lately. */
function createPresence(presentMs: number, steadyNow: () => number) {
  let latest = NOBODY;
  /** The latest job of another group than that of `latest`. */
  let previous = NOBODY;
  return {
    areOthersPresent(group: string): boolean {
      const { atMs } = latest.group === group ? previous : latest;
      return steadyNow() - atMs <= presentMs;
    },
    note(group: string): void {
      if (latest.group !== group) previous = latest;
      latest = { group, atMs: steadyNow() };
    },
  };
}
