/**
 * Slows down groups whose jobs keep this process busy while other groups send jobs, too.
 *
 * - Each group may use a share of the time. It saves up the time that it does not use, so short bursts are never slowed
 *   down. A group that is alone is never slowed down either.
 * - A group that has used most of its saved time begins a job only while no other group runs a job.
 * - A group with many jobs at once gets a smaller share, because the jobs of the other groups wait for its jobs. A
 *   group that sends one job after the other waits for its own jobs anyway.
 * - Busy time of the process counts in equal parts for the groups with running jobs. Jobs that only wait for other
 *   services cost nearly nothing. Only the first part of a long job counts, because the other jobs of its group would
 *   otherwise wait until it ends.
 */

export interface FairUseBounds {
  /** The part of the time, between 0 and 1, during which a group may keep the process busy. */
  readonly share: number;
  /** The share of a group that lately had more than `crowd` jobs at once, running or waiting. */
  readonly crowdShare: number;
  readonly crowd: number;
  /** Busy time that a group can save up. */
  readonly burstMs: number;
  /** The busy time that is assumed for each running job before it has been measured. */
  readonly expectedMs: number;
  /** After its last job began, another group counts as present for this many milliseconds. */
  readonly presentMs: number;
}

export interface FairUseClocks {
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  /** Returns the milliseconds for which this process has been busy so far. */
  readonly busyMs: () => number;
}

export interface FairUse {
  /** Returns false if the group has used up its share while other groups are present. */
  readonly mayBegin: (group: string) => boolean;
  /** Notes how many jobs of the group are running or waiting. Call it when a job has to wait. */
  readonly noteJobs: (group: string, jobs: number) => void;
  /** Counts a job. Call the returned function once when the job ends. */
  readonly begin: (group: string) => () => void;
}

interface Use {
  running: number;
  /** How much more busy time the group has used than its share, at the last count. */
  excessMs: number;
  /** When the group last had too many jobs at once. */
  crowdedAtMs: number;
}

const UNUSED: Use = { running: 0, excessMs: 0, crowdedAtMs: Number.NEGATIVE_INFINITY };

interface Job {
  readonly use: Use;
  countedMs: number;
}

interface Presence {
  readonly group: string | null;
  readonly atMs: number;
}

const NOBODY: Presence = { group: null, atMs: Number.NEGATIVE_INFINITY };
/**
 * Maximum wait before the next job of a group. It also applies to a group that has used much more time while it was
 * alone.
 */
const WAIT_MAX_MS = 800;
/**
 * A group counts as crowded for this many milliseconds. This is longer than a refused client waits before it sends
 * again.
 */
const CROWDED_FOR_MS = 10_000;
/** A count stays valid for this many milliseconds. Calls for many groups at the same time therefore share one count. */
const COUNT_EVERY_MS = 1;

export function createFairUse(
  { share, crowdShare, crowd, burstMs, expectedMs, presentMs }: FairUseBounds,
  clocks: FairUseClocks,
): FairUse {
  const { steadyNow } = clocks;
  const uses = new Map<string, Use>();
  const jobs = new Set<Job>();
  const excessMaxMs = burstMs + crowdShare * WAIT_MAX_MS;
  const counter = createCounter(clocks);
  const presence = createPresence(presentMs, steadyNow);

  /** Charges the time since the last count to the groups. Forgets groups that run no job and are within their share. */
  function count(): void {
    const { nowMs, passedMs, busyMs } = counter.read();
    const perGroupMs = busyMs / Math.max(1, countRunning(uses));
    for (const [group, use] of uses) {
      const isCrowd = nowMs - use.crowdedAtMs <= CROWDED_FOR_MS;
      const savedMs = (isCrowd ? crowdShare : share) * passedMs;
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
    jobs.delete(job);
    job.use.running -= 1;
  }

  return {
    mayBegin(group) {
      if (!presence.areOthersPresent(group)) return true;
      if (counter.ageMs() >= COUNT_EVERY_MS) count();
      const use = uses.get(group);
      if (use === undefined) return true;
      const isFree = use.excessMs < burstMs / 2 || jobs.size === use.running;
      return isFree && use.excessMs + use.running * expectedMs < burstMs;
    },
    noteJobs(group, jobs) {
      const use = uses.get(group);
      if (use !== undefined && jobs > crowd) use.crowdedAtMs = steadyNow();
    },
    begin(group) {
      count();
      presence.note(group);
      const use = uses.get(group) ?? { ...UNUSED };
      uses.set(group, use);
      use.running += 1;
      const job = { use, countedMs: 0 };
      jobs.add(job);
      return () => end(job);
    },
  };
}

/** Measures how much time has passed since the last reading, and how much of it the process was busy. */
function createCounter({ steadyNow, busyMs }: FairUseClocks) {
  let readAtMs = steadyNow();
  let readBusyMs = busyMs();
  return {
    ageMs: () => steadyNow() - readAtMs,
    read: () => {
      const [nowMs, nowBusyMs] = [steadyNow(), busyMs()];
      const times = { nowMs, passedMs: nowMs - readAtMs, busyMs: nowBusyMs - readBusyMs };
      readAtMs = nowMs;
      readBusyMs = nowBusyMs;
      return times;
    },
  };
}

function countRunning(uses: ReadonlyMap<string, Use>): number {
  return [...uses.values()].filter(({ running }) => running > 0).length;
}

/** Remembers whether other groups have begun jobs recently. */
function createPresence(presentMs: number, steadyNow: () => number) {
  let latest = NOBODY;
  /** The latest job of all groups except the group in `latest`. */
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
