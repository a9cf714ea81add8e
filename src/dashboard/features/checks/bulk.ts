/** What came of something that was done to many monitors. Pure. */
import type { BulkOutcome } from '../../shared/data/api-types';

/** One sentence on what a bulk action did. */
export function bulkSentence({ succeeded, failed, data }: BulkOutcome, done: string): string {
  const count = succeeded === 1 ? '1 monitor' : `${succeeded} monitors`;
  const sentence = `${count} ${done}.`;
  if (failed === 0) return sentence;
  const first = data.find(({ ok }) => !ok);
  return `${sentence} ${failed} failed: ${first?.detail ?? first?.code ?? 'no reason given'}`;
}
