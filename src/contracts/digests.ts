/** Too many alerts at a time: how an alert gets into the digest of its account, and what the digest begins with. */
import type { AlertInput, FoldedAlert } from './alerts';

/** The decision about an alert before it has a workflow. */
export type Admission =
  /** The digest of its account holds it: no workflow is needed. */
  | 'in digest'
  /** Its workflow sends it. No escalation takes it over. */
  | 'send'
  /** It is one too many, and its workflow folds it: it is not certain that the digest holds it. */
  | 'fold'
  /** Its workflow decides. */
  | 'undecided';

/** Called where the workflows run, before an alert gets a workflow of its own. */
export interface AlertAdmission {
  /**
   * Folds an alert that is one too many at this moment into the digest of its account. May be repeated: the
   * digest accepts an alert once. Never throws for what it asks.
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
  /** Until when it gathers; absent: as long as a digest that has just begun. */
  readonly gatherUntilMs?: number;
}

/** Carries a list of FoldedAlert; a single one in older histories. */
export const FOLD_SIGNAL = 'fold';
