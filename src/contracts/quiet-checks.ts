/**
 * Quiet checks: while nothing happens, one activity per region makes the checks of a monitor, one
 * attempt per slot. Names and shapes that its workflow, the probes and the API share.
 */
import type { CheckStatus, StepOutcome } from './outcome';
import type { Gap } from './records';

/** What a check looks like while nothing happens; anything else ends the quiet. */
export interface QuietExpectation {
  readonly status: CheckStatus;
  /** Which assertions hold, in their order. */
  readonly assertions: readonly boolean[];
  /** Of the certificate; null without TLS. */
  readonly fingerprint: string | null;
}

/** Points at an immutable definition revision; holds no address and no secret. */
export interface QuietCheck {
  readonly accountId: string;
  readonly id: string;
  readonly revision: number;
  readonly region: string;
  readonly intervalMs: number;
  /** The slot of the first attempt; the others follow, one interval apart. */
  readonly firstSlotMs: number;
  readonly expected: QuietExpectation;
  /** True: an attempt sends its request once, and leaves retries to the workflow; absent: all tries are one attempt. */
  readonly isFirstTryOnly?: boolean;
  /**
   * True: attempts may wait in line for longer than usual, and the first that is stored without having waited ends the
   * activity, so that another with the usual bound follows; absent for most.
   */
  readonly isPatient?: boolean;
}

/** What an attempt leaves to the next one, and to the workflow. */
export interface QuietMark {
  /** The last slot whose result is stored. */
  readonly lastSlotMs: number;
  readonly responseTimeMs: number | null;
  /** A later slot that was late, and that the next attempt has waited for; absent for most. */
  readonly lateSlotMs?: number;
}

/** Why the checks of a region are quiet no longer. */
export interface QuietEnding {
  /** null: nothing was stored since the first slot. */
  readonly mark: QuietMark | null;
  /** Measured, and not stored; null: nothing was sent for the slot after the last one. */
  readonly found: { readonly slotMs: number; readonly outcome: StepOutcome } | null;
  /** The monitor no longer exists. */
  readonly isGone: boolean;
  /** False: more may be stored than the mark says; the database knows. */
  readonly isSure: boolean;
  /** True: nothing differs, but no attempt has to wait in line any more; absent: the quiet is over. */
  readonly isStillQuiet?: boolean;
}

/** One result on its way from a probe to the API. */
export interface QuietResult {
  readonly accountId: string;
  readonly monitorId: string;
  readonly revision: number;
  readonly slotMs: number;
  readonly nextSlotMs: number;
  readonly outcome: StepOutcome;
  /** Slots before this one that are over and that nobody checked; null for most. */
  readonly gap: Gap | null;
}

/** What became of it; `outdated`: a later slot, or another set of regions, is stored already. */
export const QUIET_RECEIPTS = ['stored', 'outdated', 'gone'] as const;
export type QuietReceipt = (typeof QUIET_RECEIPTS)[number];

/** A result as it was stored last. */
export interface StoredQuietResult {
  readonly region: string;
  readonly slotMs: number;
  readonly outcome: StepOutcome;
}

/** What the workflow asks the database for when the quiet ends. */
export interface QuietQuestion {
  readonly accountId: string;
  readonly monitorId: string;
  readonly regions: readonly string[];
  readonly fromSlotMs: number;
  /** Itself included. */
  readonly toSlotMs: number;
}
