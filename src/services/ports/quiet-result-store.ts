/** What quiet checks ask of the database. */
import type { QuietReceipt, QuietResult } from '../../contracts/quiet-checks';

/** Writes of quiet checks. */
export interface QuietResultStore {
  /**
   * Stores results of one region and moves the statuses of their monitors on; one receipt for each,
   * in their order. Health and incidents stay: these results changed nothing. May be repeated.
   */
  readonly record: (
    region: string,
    results: readonly QuietResult[],
  ) => Promise<readonly QuietReceipt[]>;
}
