/** What the feed of live changes asks of the database. */

/** Something that pages show and that is no longer as it was. */
export type LiveChange =
  | { readonly kind: 'monitor' | 'scenario' | 'incident' | 'definition'; readonly id: string }
  | { readonly kind: 'run'; readonly id: string; readonly scenarioId: string };

export interface StoredChange {
  readonly change: LiveChange;
  /** By the clock of whoever wrote it. */
  readonly atMs: number;
  /** Differs between two changes of the same thing. */
  readonly mark: string;
}

export interface ChangeStore {
  /** The last change of each thing that changed at the instant or later, in no order. */
  readonly since: (accountId: string, fromMs: number) => Promise<readonly StoredChange[]>;
}
