/**
 * Heartbeats: monitors whose job reports by itself. What people define, the progress of a heartbeat, and what
 * its workflow asks of the database. Instants are milliseconds since the epoch.
 */

/** Takes the place of the region that results of other monitors were measured in. */
export const HEARTBEAT_REGION = 'heartbeat';

export type HeartbeatSchedule =
  | { readonly everySeconds: number }
  | { readonly cron: string; readonly timeZone: string };

/** A text in the output of a job that makes a run failed although it reports success. */
export type FailOnRule = { readonly contains: string } | { readonly matches: string };

/** The fields of a heartbeat that people define. */
export interface HeartbeatPlan {
  readonly schedule: HeartbeatSchedule;
  readonly graceSeconds: number;
  readonly earlySeconds: number;
  readonly maxRunSeconds: number | null;
  readonly minRunSeconds: number | null;
  readonly failOn: readonly FailOnRule[];
}

/** The part of a plan by which the workflow decides. */
export interface HeartbeatRules {
  readonly schedule: HeartbeatSchedule;
  readonly graceMs: number;
  readonly earlyMs: number;
  readonly maxRunMs: number | null;
  readonly minRunMs: number | null;
}

/** A run of the job that has begun and not reported its end. */
export interface RunningJob {
  /** The run's id as the job names it; empty when it names none. */
  readonly runId: string;
  readonly startedAtMs: number;
  /** It has been reported as too long. */
  readonly isOverdue: boolean;
}

/** State of a heartbeat; also stored in the status document. */
export interface HeartbeatProgress {
  /** null before the first ping. */
  readonly lastPingAtMs: number | null;
  /** When the next ping is expected; null before the first ping, and when it has to be computed again. */
  readonly dueAtMs: number | null;
  /** The due time has passed, and has been reported. */
  readonly isLate: boolean;
  /** At most 20, oldest first. */
  readonly running: readonly RunningJob[];
}

/** A run with an id that has reported its end; remembered so that the same end is not counted twice. */
export interface EndedRun {
  readonly runId: string;
  readonly atMs: number;
  readonly kind: PingKind;
  readonly exitCode: number | null;
}

export const PING_KINDS = ['success', 'start', 'fail', 'log'] as const;
export type PingKind = (typeof PING_KINDS)[number];

/** A ping as the workflow reads it. */
export interface Ping {
  readonly id: string;
  /** When it arrived. */
  readonly atMs: number;
  readonly kind: PingKind;
  readonly exitCode: number | null;
  readonly runId: string;
  /** The rule of `failOn` that its text matches, in words. */
  readonly failedOn: string | null;
  /** The end of its text; only for pings that report a failure. */
  readonly text: string | null;
  /** For cron schedules: the first due time after it. */
  readonly nextDueMs: number | null;
}

/** A time in which no ping could be received. */
export interface Absence {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PingQuestion {
  readonly accountId: string;
  readonly monitorId: string;
  /** Ids that were read before and have been handled. */
  readonly done: readonly string[];
  readonly schedule: HeartbeatSchedule;
  readonly earlyMs: number;
  /** For cron schedules: the first due time after this instant is returned, too. */
  readonly dueAfterMs: number;
  /** Absences that ended before this instant are left out. */
  readonly absentAfterMs: number;
}

export interface PingsRead {
  /** The oldest ones that have not been handled, in the order of their arrival. */
  readonly pings: readonly Ping[];
  readonly hasMore: boolean;
  readonly absences: readonly Absence[];
  /** When pings could last be received: silence after this instant proves nothing. */
  readonly presentAtMs: number;
  readonly nextDueMs: number | null;
}

/** Served by the orchestrator. */
export interface HeartbeatActivities {
  /** Reads what has arrived. May be repeated: what has not been handled is read again. */
  readonly readPings: (question: PingQuestion) => Promise<PingsRead>;
}

/** Signal: a ping has arrived; its content is in the database. */
export const PING_SIGNAL = 'ping';
