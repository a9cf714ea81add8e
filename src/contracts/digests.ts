/** What is too many at a time: how an alert comes into the digest of its account, and what the digest begins with. */
import type { AlertInput, FoldedAlert } from './alerts';

/** What became of an alert before it has a workflow. */
export type Admission =
  /** The digest of its account holds it: no workflow is needed. */
  | 'in digest'
  /** Its workflow sends it. No escalation takes it over. */
  | 'send'
  /** It is one too many, and its workflow folds it: it is not certain that the digest holds it. */
  | 'fold'
  /** Its workflow decides. */
  | 'undecided';

/** Asked where the workflows run, before an alert gets a workflow of its own. */
export interface AlertAdmission {
  /**
   * Folds what is too many at this moment into the digest of its account. May be repeated: the digest
   * takes an alert once. Never throws for what it asks.
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
  /** Until when it gathers; absent: for as long as one that has just begun. */
  readonly gatherUntilMs?: number;
}

/** Carries a list of FoldedAlert; one alone in older histories. */
export const FOLD_SIGNAL = 'fold';
