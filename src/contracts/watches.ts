/**
 * Watches: while the outcomes of a monitor stay the same, one long activity per region makes its checks, slot after
 * slot. This file contains only names and types.
 */

import type { CheckStatus, FailureCode, StepOutcome } from './outcome';
import type { Gap } from './records';

/** The outcome that a watch expects. Any other outcome ends the watch. */
export interface SteadyOutcome {
  readonly status: CheckStatus;
  /** The failure code of a failing check. null means that the check passes. */
  readonly failure: FailureCode | null;
  /** The outcome of each assertion, in the order of the assertions. */
  readonly assertions: readonly boolean[];
  /** The fingerprint of the certificate. null without TLS. */
  readonly fingerprint: string | null;
}

/** The input of a watch. It refers to a definition revision, and contains neither URLs nor secrets. */
export interface Watch {
  readonly accountId: string;
  readonly id: string;
  readonly revision: number;
  readonly region: string;
  readonly intervalMs: number;
  /** The first slot that the workflow has not recorded itself. */
  readonly firstSlotMs: number;
  /**
   * From this slot on, the workflow makes the checks itself, because maintenance, a reminder or a warning may be due.
   * null if there is no such slot.
   */
  readonly untilMs: number | null;
  readonly expected: SteadyOutcome;
}

/** How a region's watch ended. */
export interface WatchEnd {
  /** The newest slot whose result the API has stored. null means none since the first slot. */
  readonly lastStoredMs: number | null;
  /** The response time of the last stored slot. */
  readonly responseTimeMs: number | null;
  /** The result of a later slot that is not stored. null if there is none. */
  readonly found: { readonly slotMs: number; readonly outcome: StepOutcome } | null;
  /** False means that the API may have stored more results, so the workflow must read them from the database. */
  readonly isConfirmed: boolean;
}

/** Failure type for handing over a watch: Temporal retries the activity on another probe. */
export const WATCH_HANDED_OVER = 'watch_handed_over';

/** One result that a probe sends to the API. */
export interface WatchedResult {
  readonly accountId: string;
  readonly monitorId: string;
  readonly revision: number;
  readonly slotMs: number;
  readonly nextSlotMs: number;
  readonly outcome: StepOutcome;
  /** Earlier slots that were not checked. null if there is none. */
  readonly gap: Gap | null;
}

/**
 * The API's answer to a result:
 * - `stored`: the result is stored, now or by an earlier delivery.
 * - `outdated`: the result no longer fits the monitor. For example, the monitor is paused or changed, or a later slot
 *   is stored. The probe then asks the API whether the watch may continue.
 * - `moved`: another probe runs the watch. The watch of this probe ends.
 * - `gone`: the monitor was deleted. The watch ends.
 */
export const WATCH_RECEIPTS = ['stored', 'outdated', 'moved', 'gone'] as const;
export type WatchReceipt = (typeof WATCH_RECEIPTS)[number];

/** A probe's report that it runs a watch. */
export interface WatchOpening {
  readonly accountId: string;
  readonly monitorId: string;
  readonly revision: number;
  /** The task token of the activity's attempt, in base64. With it, the API hands over the watch of a lost probe. */
  readonly taskToken: string;
}

/** The slots of a monitor: anchor + k × interval. */
export interface WatchGrid {
  /** The version of the monitor. A probe ignores a grid of an earlier version. */
  readonly version: number;
  readonly anchorMs: number;
  readonly intervalMs: number;
}

/**
 * The new slots of a monitor with one region. The watch of the monitor continues with these slots if the revision of
 * the definition is the same.
 */
export interface MovedGrid extends WatchGrid {
  readonly id: string;
  readonly revision: number;
}

/** The API's data about a watch that a probe reports. */
export interface OpenedWatch {
  /** False means that the monitor is paused, deleted or changed, so the watch must end. */
  readonly isOpen: boolean;
  /** The region's last stored slot. null means that none is stored. */
  readonly lastStoredMs: number | null;
  /** The current slots. If absent, the watch keeps the slots that its workflow gave it. */
  readonly grid?: WatchGrid;
}

/** A lost probe process, whose watches must be handed over. */
export interface LostProbe {
  /** The id of the probe process. It changes with every start. */
  readonly instance: string;
  readonly region: string;
}

export interface StoredOutcome {
  readonly region: string;
  readonly slotMs: number;
  readonly outcome: StepOutcome;
}

/** A workflow's query to the database when a watch ends. */
export interface StoredOutcomesQuestion {
  readonly accountId: string;
  readonly monitorId: string;
  readonly regions: readonly string[];
  readonly fromSlotMs: number;
  /** The last slot, inclusive. */
  readonly toSlotMs: number;
}
