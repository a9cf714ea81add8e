/** Bodies and outcomes of what is done to one or many monitors. Pure. */
import type { BulkOutcome } from '../../shared/api-types';

/** `until` of a pause that begins now. */
export function pauseBody(minutes: number | null): { readonly until?: string } {
  if (minutes === null) return {};
  return { until: new Date(Date.now() + minutes * 60_000).toISOString() };
}

/** One sentence on what a bulk action did. */
export function bulkSentence({ succeeded, failed, data }: BulkOutcome, done: string): string {
  const count = succeeded === 1 ? '1 monitor' : `${succeeded} monitors`;
  const sentence = `${count} ${done}.`;
  if (failed === 0) return sentence;
  const first = data.find(({ ok }) => !ok);
  return `${sentence} ${failed} refused: ${first?.detail ?? first?.code ?? 'no reason given'}`;
}
