/**
 * Pages of results over several regions, newest first. Each region is read through its own range
 * of ids and only as far as the page needs, so that the work is bounded by the page's length.
 */

import type { Model } from 'mongoose';
import { parseResultId, resultIdFrom } from '../../domain/health/result-id';
import { between } from '../store/filters';
import type { ResultQuery } from './result';
import { type ResultDocument, STATUS_NUMBERS } from './result-documents';
import { endId, firstId } from './result-ranges';

/** Read beyond an even share, since regions seldom take exact turns. */
const SPARE_RESULTS = 4;

/** One descending range read, with the part of it that is held in memory. */
interface Source {
  readonly region: string;
  readonly status: number | null;
  readonly firstId: string;
  endId: string;
  held: ResultDocument[];
  isDrained: boolean;
}

/** Up to one result more than the limit, so that the caller knows whether the list goes on. */
export async function readNewest(
  results: Model<ResultDocument>,
  accountId: string,
  query: ResultQuery,
): Promise<readonly ResultDocument[]> {
  const wanted = query.limit + 1;
  const sources = sourcesOf(query);
  const batch = Math.ceil(wanted / sources.length) + SPARE_RESULTS;
  const refill = async (source: Source) => {
    const found = await results
      .find({
        _id: between(source.firstId, source.endId),
        a: accountId,
        ...(source.status === null ? {} : { s: source.status }),
        ...(query.requestId === undefined ? {} : { q: query.requestId }),
      })
      .sort({ _id: -1 })
      .limit(batch)
      .lean<ResultDocument[]>();
    source.held = found;
    source.isDrained = found.length < batch;
    source.endId = found.at(-1)?._id ?? source.firstId;
  };
  await Promise.all(sources.map(refill));
  const taken: ResultDocument[] = [];
  while (taken.length < wanted) {
    const source = sources.reduce<Source | null>(newerOf, null);
    const next = source?.held.shift();
    if (source === null || next === undefined) break;
    taken.push(next);
    if (source.held.length === 0 && !source.isDrained) await refill(source);
  }
  return taken;
}

function sourcesOf(query: ResultQuery): Source[] {
  const regions = [...new Set(query.regions)];
  return regions.flatMap((region) =>
    statusesOf(query.status).map((status) => ({
      region,
      status,
      firstId: firstId({ ...query, region }),
      endId: lesserOf(endId({ ...query, region }), endAfterCursor(query, region)),
      held: [],
      isDrained: false,
    })),
  );
}

/** A gap is shown as unknown, but stored as itself. */
function statusesOf(status: ResultQuery['status']): readonly (number | null)[] {
  if (status === null) return [null];
  if (status === 'unknown') return [STATUS_NUMBERS.unknown, STATUS_NUMBERS.gap];
  return [STATUS_NUMBERS[status]];
}

/** Where the region's range ends for a page that goes on after the cursor. */
function endAfterCursor({ after, monitorId }: ResultQuery, region: string): string | null {
  if (after === null) return null;
  if (region === after.region) return after.id;
  const isSlotDone = region < after.region;
  return resultIdFrom(monitorId, region, isSlotDone ? after.slotMs : after.slotMs + 1);
}

function lesserOf(one: string, other: string | null): string {
  return other === null || one < other ? one : other;
}

function newerOf(best: Source | null, candidate: Source): Source | null {
  const [head] = candidate.held;
  if (head === undefined) return best;
  const [bestHead] = best?.held ?? [];
  return bestHead === undefined || isListedBefore(head._id, bestHead._id) ? candidate : best;
}

/** Newest slot first; within a slot by region, and a manual check before the scheduled one. */
function isListedBefore(id: string, otherId: string): boolean {
  const [key, other] = [parseResultId(id), parseResultId(otherId)];
  if (key.slotMs !== other.slotMs) return key.slotMs > other.slotMs;
  return key.region === other.region ? id > otherId : key.region < other.region;
}
