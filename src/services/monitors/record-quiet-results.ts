/** Stores what probes measured in quiet checks. Only the internal endpoint asks for it. */

import type { ResultDelivery } from '../../contracts/probe-protocol';
import type { QuietReceipt } from '../../contracts/quiet-checks';
import type { Dependencies } from '../ports/dependencies';

/** One receipt for each result, once all of them are stored; throws while the database is away. */
export async function recordQuietResults(
  { stores }: Pick<Dependencies, 'stores'>,
  { region, results }: ResultDelivery,
): Promise<readonly QuietReceipt[]> {
  return results.length === 0 ? [] : stores.quietResults.record(region, results);
}
