/** Maintenance and hours as absolute intervals, so that workflows need no calendar. */

import type { Weekday } from './escalation';

/** The resources that a window covers. `all` cannot be combined with others. */
export interface MaintenanceTarget {
  /** Selects the resources that follow these hours in this mode. Absent in windows. */
  readonly outsideOf?: { readonly hours: string; readonly outside: OutsideMode };
  readonly ids: readonly string[];
  readonly tags: readonly string[];
  /** Group keys. Each includes the groups nested in it. */
  readonly groups: readonly string[];
  readonly all: boolean;
}

export interface Occurrence {
  readonly fromMs: number;
  /** The end is exclusive. */
  readonly toMs: number;
}

export const MAINTENANCE_MODES = ['mute', 'pause'] as const;
/** mute: checks continue, but no one is notified. pause: nothing is checked. */
export type MaintenanceMode = (typeof MAINTENANCE_MODES)[number];

export const OUTSIDE_MODES = ['quiet', 'rest'] as const;
/** What happens outside of hours. quiet: checks continue, but no one is notified. rest: nothing is checked. */
export type OutsideMode = (typeof OUTSIDE_MODES)[number];

/** An open time on these days. Times of day are `HH:MM`. An end that is not after its start is on the next day. */
export interface OpenTime {
  readonly days: readonly Weekday[];
  readonly from: string;
  /** Up to `24:00`. */
  readonly to: string;
}

export interface WeeklyHours {
  readonly timeZone: string;
  readonly weekly: readonly OpenTime[];
  /** Dates as `YYYY-MM-DD`, sorted. Nothing opens on these days. */
  readonly holidays: readonly string[];
}

/** A date, or all days of a rule (RFC 5545) such as `FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25`. */
export type Holiday = string | { readonly rrule: string };

/** Hours as people write them, with recurring holidays. */
export interface RecurringHours extends Omit<WeeklyHours, 'holidays'> {
  /** First the dates, sorted; then the rules. */
  readonly holidays: readonly Holiday[];
}

/** quiet: not maintenance, but no one is notified. */
export type SpanMode = MaintenanceMode | 'quiet';

export interface MaintenanceSpan {
  /** The id of the maintenance window, or of the hours that are closed. */
  readonly windowId: string;
  readonly mode: SpanMode;
  readonly fromMs: number;
  /** The end is exclusive. */
  readonly toMs: number;
}

/** The next spans of one monitor or scenario: the complete plan. */
export interface MaintenancePlan {
  /** When the windows were read. A plan older than the current plan is ignored. */
  readonly asOfMs: number;
  readonly spans: readonly MaintenanceSpan[];
}

/** A maintenance plan, and how far a workflow has followed it. */
export interface MaintenanceState extends MaintenancePlan {
  /** The current maintenance. null if there is no maintenance now. */
  readonly current: { readonly fromMs: number; readonly mode: MaintenanceMode } | null;
  /** Starts and ends of spans up to this instant have been handled. */
  readonly seenMs: number;
  /** true: outside of hours, no one is notified. If absent, people are notified. */
  readonly isQuiet?: true;
  /** true: hours have started, and people must still be notified of resources that are down. */
  readonly isOpening?: true;
}
