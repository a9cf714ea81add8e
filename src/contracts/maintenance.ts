/** Maintenance and hours as they cross processes: absolute intervals, so that workflows know no calendar. */

import type { Weekday } from './escalation';

/** The resources that a window covers; `all` is used alone. */
export interface MaintenanceTarget {
  /** Not for windows: the resources that follow these hours in this way. */
  readonly outsideOf?: { readonly hours: string; readonly outside: OutsideMode };
  readonly ids: readonly string[];
  readonly tags: readonly string[];
  /** Group keys, each with the groups nested in it. */
  readonly groups: readonly string[];
  readonly all: boolean;
}

export interface Occurrence {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export const MAINTENANCE_MODES = ['mute', 'pause'] as const;
/** mute: checks go on, but nobody is notified. pause: nothing is checked. */
export type MaintenanceMode = (typeof MAINTENANCE_MODES)[number];

export const OUTSIDE_MODES = ['quiet', 'rest'] as const;
/** Outside of hours. quiet: checks go on and nobody is notified. rest: nothing is checked. */
export type OutsideMode = (typeof OUTSIDE_MODES)[number];

/** Open on these days. Times of day are `HH:MM`; an end that is not after its start is on the next day. */
export interface OpenTime {
  readonly days: readonly Weekday[];
  readonly from: string;
  /** Up to `24:00`. */
  readonly to: string;
}

export interface WeeklyHours {
  readonly timeZone: string;
  readonly weekly: readonly OpenTime[];
  /** `YYYY-MM-DD`, in order: nothing opens on them. */
  readonly holidays: readonly string[];
}

/** A date, or all days of a rule (RFC 5545) such as `FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25`. */
export type Holiday = string | { readonly rrule: string };

/** Hours as people write them: their holidays may recur. */
export interface RecurringHours extends Omit<WeeklyHours, 'holidays'> {
  /** The dates in order, then the rules. */
  readonly holidays: readonly Holiday[];
}

/** quiet: no maintenance, but nobody is notified. */
export type SpanMode = MaintenanceMode | 'quiet';

export interface MaintenanceSpan {
  /** The id of the maintenance window, or of the schedule of hours that is closed. */
  readonly windowId: string;
  readonly mode: SpanMode;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** The next spans of one monitor or scenario; always the whole plan, never a change. */
export interface MaintenancePlan {
  /** When the windows were read; a plan older than the one in force is ignored. */
  readonly asOfMs: number;
  readonly spans: readonly MaintenanceSpan[];
}

/** The progress of a workflow in its plan. */
export interface MaintenanceState extends MaintenancePlan {
  /** The maintenance under way; null outside of any. */
  readonly current: { readonly fromMs: number; readonly mode: MaintenanceMode } | null;
  /** Edges up to this instant have been handled. */
  readonly seenMs: number;
  /** true: outside of hours nobody is notified. Absent: they are. */
  readonly isQuiet?: true;
  /** true: hours have begun, and people are yet to be notified of what is still down. */
  readonly isOpening?: true;
}
