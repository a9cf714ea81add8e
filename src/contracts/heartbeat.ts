/**
 * Heartbeats: monitors whose job reports to Keepwatch. Defines the fields that people set, the progress of a heartbeat,
 * and the data that its workflow reads. Instants are milliseconds since the epoch.
 */

/** Results of heartbeats have this text instead of a region. */
export const HEARTBEAT_REGION = 'heartbeat';

export type HeartbeatSchedule =
  | { readonly everySeconds: number }
  | { readonly cron: string; readonly timeZone: string };

/**
 * A text or pattern. If the output of the job contains the text or matches the pattern, the run counts as failed, even
 * if the job reports success.
 */
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

/** The part of a plan that the workflow needs for its decisions. */
export interface HeartbeatRules {
  readonly schedule: HeartbeatSchedule;
  readonly graceMs: number;
  readonly earlyMs: number;
  readonly maxRunMs: number | null;
  readonly minRunMs: number | null;
}

/** A run of the job that has started but not ended. */
export interface RunningJob {
  /** The id that the job gave to the run. Empty if the job sends no id. */
  readonly runId: string;
  readonly startedAtMs: number;
  /** True means that the run takes too long, and that this has been reported. */
  readonly isOverdue: boolean;
}

/** The progress of a heartbeat. It is also stored in the status document. */
export interface HeartbeatProgress {
  /** null means that no ping has arrived yet. */
  readonly lastPingAtMs: number | null;
  /** When the next ping is expected. null before the first ping, and while the time must be computed again. */
  readonly dueAtMs: number | null;
  /** True means that the due time has passed without a ping, and that this has been reported. */
  readonly isLate: boolean;
  /** The runs in progress, at most 20, oldest first. */
  readonly running: readonly RunningJob[];
}

/** A run that has ended. It is remembered so that a repeated end does not count twice. */
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
  /** When the ping arrived. */
  readonly atMs: number;
  readonly kind: PingKind;
  readonly exitCode: number | null;
  readonly runId: string;
  /** The rule of `failOn` that the ping's text matches, in words. */
  readonly failedOn: string | null;
  /** The end of the ping's text. Present only for pings that report a failure. */
  readonly text: string | null;
  /** For cron schedules, the first due time more than `earlyMs` after the ping. null for other schedules. */
  readonly nextDueMs: number | null;
}

/** A period in which the API could not receive pings. */
export interface OutageWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PingQuestion {
  readonly accountId: string;
  readonly monitorId: string;
  /** Ids of pings that were read earlier and have been handled. */
  readonly done: readonly string[];
  readonly schedule: HeartbeatSchedule;
  readonly earlyMs: number;
  /** For cron schedules, the response also contains the first due time after this instant. */
  readonly dueAfterMs: number;
  /** Outage windows that ended before this instant are left out. */
  readonly absentAfterMs: number;
}

export interface PingsRead {
  /** The oldest pings that have not been handled, in order of arrival. */
  readonly pings: readonly Ping[];
  readonly hasMore: boolean;
  /** Outage windows. The field keeps its old name, because recorded histories contain it. */
  readonly absences: readonly OutageWindow[];
  /** The latest time at which the API could receive pings. A ping that is missing after this time proves nothing. */
  readonly presentAtMs: number;
  readonly nextDueMs: number | null;
}

/** Activities that the orchestrator serves. */
export interface HeartbeatActivities {
  /** Reads new pings. Pings that have not been handled are read again by the next call. */
  readonly readPings: (question: PingQuestion) => Promise<PingsRead>;
}

/** Signal which says that a ping has arrived. The content of the ping is in the database. */
export const PING_SIGNAL = 'ping';
