/** What the database has refused to take for a day: the operator's list of what was measured and lost. */

export interface RefusedRecordRow {
  /** Of resource, region or run, slot and kind; putting it on the list again changes nothing. */
  readonly id: string;
  readonly accountId: string;
  readonly resourceId: string;
  readonly slotMs: number;
  /** In the words of the database. */
  readonly reason: string;
  /** The record as JSON, cut at 64 KiB. */
  readonly record: string;
  readonly givenUpAtMs: number;
}

/** Of the whole service: only the operator sees it. Entries go after thirty days. */
export interface RefusedRecordStore {
  readonly keep: (row: RefusedRecordRow) => Promise<void>;
  readonly count: () => Promise<number>;
}
