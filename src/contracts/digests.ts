/** Too many alerts at a time: how an alert gets into the digest of its account, and the initial state of a digest. */
import type { AlertInput, FoldedAlert } from './alerts';

/** The decision about an alert before it has a workflow. */
export type Admission =
  /** The digest of the account contains the alert. No workflow is needed. */
  | 'in digest'
  /** The workflow of the alert sends it. No escalation takes it over. */
  | 'send'
  /**
   * The alert exceeds the limit. Its workflow puts it into the digest, because it is uncertain whether the digest
   * contains it already.
   */
  | 'fold'
  /** The workflow of the alert decides. */
  | 'undecided';

/** Runs before an alert gets its own workflow. */
export interface AlertAdmission {
  /**
   * Puts an alert that exceeds the limit into the digest of its account. May be repeated. Never throws if the database
   * or Temporal is unavailable.
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
  /** How long the digest gathers alerts. Absent means as long as a digest that has just started. */
  readonly gatherUntilMs?: number;
}

/** A list of FoldedAlert. In older histories: a single one. */
export const FOLD_SIGNAL = 'fold';
