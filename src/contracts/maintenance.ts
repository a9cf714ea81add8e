/** Maintenance and hours as absolute intervals, so that workflows need no calendar. */

import type { Weekday } from './escalation';

/** The resources that a maintenance window covers. `all` cannot be combined with other selections. */
export interface MaintenanceTarget {
  /** Selects the resources that follow these hours in this mode. Absent in maintenance windows. */
  readonly outsideOf?: { readonly hours: string; readonly outside: OutsideMode };
  readonly ids: readonly string[];
  readonly tags: readonly string[];
  /** Keys of groups. Each group includes the groups nested in it. */
  readonly groups: readonly string[];
  readonly all: boolean;
}

export interface Occurrence {
  readonly fromMs: number;
  /** The end, which is exclusive. */
  readonly toMs: number;
}

export const MAINTENANCE_MODES = ['mute', 'pause'] as const;
/** `mute` means that checks continue but no one is notified. `pause` means that nothing is checked. */
export type MaintenanceMode = (typeof MAINTENANCE_MODES)[number];

export const OUTSIDE_MODES = ['quiet', 'rest'] as const;
/**
 * What happens outside of hours. `quiet` means that checks continue but no one is notified. `rest` means that nothing
 * is checked.
 */
export type OutsideMode = (typeof OUTSIDE_MODES)[number];

/** A period on each of these days. Times of day are `HH:MM`. An end that is not after the start is on the next day. */
export interface OpenTime {
  readonly days: readonly Weekday[];
  readonly from: string;
  /** The end of the period, at most `24:00`. */
  readonly to: string;
}

export interface WeeklyHours {
  readonly timeZone: string;
  readonly weekly: readonly OpenTime[];
  /** Dates as `YYYY-MM-DD`, sorted. The whole day is outside of hours. */
  readonly holidays: readonly string[];
}

/** A date, or all days of a rule (RFC 5545) such as `FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25`. */
export type Holiday = string | { readonly rrule: string };

/** Hours as people write them, with recurring holidays. */
export interface RecurringHours extends Omit<WeeklyHours, 'holidays'> {
  /** The dates come first, sorted. The rules follow. */
  readonly holidays: readonly Holiday[];
}

/** The modes of maintenance, and `quiet`: outside of hours, checks continue but no one is notified. */
export type SpanMode = MaintenanceMode | 'quiet';

export interface MaintenanceSpan {
  /** The id of the maintenance window, or of the hours. */
  readonly windowId: string;
  readonly mode: SpanMode;
  readonly fromMs: number;
  /** The end, which is exclusive. */
  readonly toMs: number;
}

/**
 * The next periods of maintenance and closed hours of one monitor or scenario. Each plan replaces the previous plan.
 */
export interface MaintenancePlan {
  /** When the windows were read. A plan older than the current plan is ignored. */
  readonly asOfMs: number;
  readonly spans: readonly MaintenanceSpan[];
}

/** A maintenance plan, and how far the workflow has followed it. */
export interface MaintenanceState extends MaintenancePlan {
  /** The current maintenance. null if there is no maintenance now. */
  readonly current: { readonly fromMs: number; readonly mode: MaintenanceMode } | null;
  /** The starts and ends of all periods up to this instant have been handled. */
  readonly seenMs: number;
  /** true means that no one is notified now, because it is outside of hours. If absent, people are notified. */
  readonly isQuiet?: true;
  /** true means that hours have started, and people must still be notified of resources that are down. */
  readonly isOpening?: true;
}
