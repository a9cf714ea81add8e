/**
 * Watches: while every check of a monitor looks like the one before, one long activity per region makes its checks,
 * slot after slot. Names and shapes that its workflow, the probes and the API share.
 */

import type { CheckStatus, FailureCode, StepOutcome } from './outcome';
import type { Gap } from './records';

/** The outcome that is expected while nothing changes; any other outcome ends the watch. */
export interface SteadyOutcome {
  readonly status: CheckStatus;
  /** Why it fails; null: it does not. */
  readonly failure: FailureCode | null;
  /** The outcome of each assertion, in their order. */
  readonly assertions: readonly boolean[];
  /** The fingerprint of the certificate; null without TLS. */
  readonly fingerprint: string | null;
}

/** The input of a watch. It points at an immutable definition revision; it holds no URL and no secret. */
export interface Watch {
  readonly accountId: string;
  readonly id: string;
  readonly revision: number;
  readonly region: string;
  readonly intervalMs: number;
  /** The slot after the last one that the workflow recorded; the others follow, one interval apart. */
  readonly firstSlotMs: number;
  /** Slots from here on are the workflow's: maintenance, a reminder or a warning may be due. null: no such slot. */
  readonly untilMs: number | null;
  readonly expected: SteadyOutcome;
}

/** The end of the watch of one region: the result of the activity, or the details of its cancellation. */
export interface WatchEnd {
  /** The last slot whose result the API has stored; null: none since the first slot. */
  readonly lastStoredMs: number | null;
  /** The response time of that slot. */
  readonly responseTimeMs: number | null;
  /** Measured for a later slot, and not stored; null: nothing was. */
  readonly found: { readonly slotMs: number; readonly outcome: StepOutcome } | null;
  /** False: more may be stored than this says; the database knows. */
  readonly isConfirmed: boolean;
}

/** Type of the failure by which a watch is handed over: the server retries the activity on another probe. */
export const WATCH_HANDED_OVER = 'watch_handed_over';

/** One result on its way from a probe to the API. */
export interface WatchedResult {
  readonly accountId: string;
  readonly monitorId: string;
  readonly revision: number;
  readonly slotMs: number;
  readonly nextSlotMs: number;
  readonly outcome: StepOutcome;
  /** Slots before this one that are over and were not checked; null for most. */
  readonly gap: Gap | null;
}

/**
 * The fate of a result. `stored`: stored now or before. `outdated`: the monitor is paused, its definition or regions
 * have changed, or a later slot of the region is stored. `moved`: another probe has the watch. `gone`: the monitor was
 * deleted. All but `stored` end the watch.
 */
export const WATCH_RECEIPTS = ['stored', 'outdated', 'moved', 'gone'] as const;
export type WatchReceipt = (typeof WATCH_RECEIPTS)[number];

/** A probe reports which watch it has been given. */
export interface WatchOpening {
  readonly accountId: string;
  readonly monitorId: string;
  readonly revision: number;
  /** The token of the activity's attempt, in base64; the API uses it to hand over the watch of a lost probe. */
  readonly taskToken: string;
}

/** The API's knowledge of a watch that is opened. */
export interface OpenedWatch {
  /** False: the monitor is paused, deleted, or another revision or set of regions is in force. */
  readonly isOpen: boolean;
  /** The region's last stored slot; null: none. */
  readonly lastStoredMs: number | null;
}

/** A probe process that is lost with its watches. */
export interface LostProbe {
  /** The id of the probe process; it changes with every start. */
  readonly instance: string;
  readonly region: string;
}

/** The outcome that was stored last. */
export interface StoredOutcome {
  readonly region: string;
  readonly slotMs: number;
  readonly outcome: StepOutcome;
}

/** The question to the database when a watch ends. */
export interface StoredOutcomesQuestion {
  readonly accountId: string;
  readonly monitorId: string;
  readonly regions: readonly string[];
  readonly fromSlotMs: number;
  /** Inclusive. */
  readonly toSlotMs: number;
}
