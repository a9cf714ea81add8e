/**
 * Digests of an account collect alerts when there are too many of them. Defines how an alert gets into a digest, and
 * the initial state of a digest.
 */
import type { AlertInput, FoldedAlert } from './alerts';

/** The decision about an alert, made before it has a workflow. */
export type Admission =
  /** The digest of the account contains the alert, so it needs no workflow. */
  | 'in digest'
  /** The workflow of the alert sends it. No escalation handles the incident. */
  | 'send'
  /**
   * The alert exceeds the limit. Its workflow adds it to the digest, because it is unknown whether the digest contains
   * it already.
   */
  | 'fold'
  /** The workflow of the alert makes the decision. */
  | 'undecided';

/** The activity that decides about an alert before the alert gets its own workflow. */
export interface AlertAdmission {
  /**
   * Decides about the alert. If the alert exceeds the limit, adds it to the digest of its account. Calls can be repeated
   * safely. Does not throw if the database or Temporal is unavailable.
   */
  readonly admitOrFold: (input: AlertInput) => Promise<Admission>;
}

export function digestWorkflowId(accountId: string): string {
  return `digest-${accountId}`;
}

export interface DigestState {
  readonly v: 1;
  readonly accountId: string;
  readonly waiting: readonly FoldedAlert[];
  /**
   * When the digest stops collecting alerts. If absent, the digest collects alerts for the same time as a new digest.
   */
  readonly gatherUntilMs?: number;
}

/** Signal with a list of FoldedAlert. In older histories, the signal contains a single FoldedAlert. */
export const FOLD_SIGNAL = 'fold';
