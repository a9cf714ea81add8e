/**
 * Computes missing hourly summaries of resources that are no longer checked. The summaries of other resources are
 * computed when their next slot is recorded.
 */
import { findPeriodStart, HOUR_MS } from '../../domain/health/summary';
import type { Clock } from '../../platform/clock';
import type { Models } from '../collections';
import { above, below } from '../store/filters';
import { noteSummaries } from './statuses';
import { summariseHours } from './summaries';

const PER_READ = 200;

/** Works until the time limit. Returns the number of updated resources. */
export async function closeHours(models: Models, clock: Clock, budgetMs: number): Promise<number> {
  const untilMs = clock.now() + budgetMs;
  // Leaves out the last full hour. Its summary is computed when the next slot is recorded.
  const endedMs = findPeriodStart(HOUR_MS, clock.now() - HOUR_MS);
  let closed = 0;
  let afterId = '';
  while (clock.now() < untilMs) {
    const found = await models.statuses
      .find(
        { _id: above(afterId), summarisedUntilMs: below(endedMs) },
        { accountId: 1, summarisedUntilMs: 1, regionsHealth: 1 },
      )
      .sort({ _id: 1 })
      .limit(PER_READ)
      .lean();
    for (const { _id: id, accountId, summarisedUntilMs: fromMs, regionsHealth } of found) {
      for (const { region } of regionsHealth)
        await summariseHours(models, { accountId, id, region }, { fromMs, toMs: endedMs, endedMs });
      await noteSummaries(models.statuses, { accountId, id }, endedMs);
      closed += 1;
      if (clock.now() >= untilMs) return closed;
    }
    if (found.length < PER_READ) return closed;
    afterId = found.at(-1)?._id ?? '';
  }
  return closed;
}
