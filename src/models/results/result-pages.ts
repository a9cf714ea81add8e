/** Pages of results over several regions, newest or oldest first. Reads each region only as far as the page needs. */

import type { Model } from 'mongoose';
import { parseResultId, resultIdFrom } from '../../domain/health/result-id';
import { between, justAfter } from '../store/filters';
import type { ResultQuery } from './result';
import { type ResultDocument, STATUS_NUMBERS } from './result-documents';
import { endId, firstId } from './result-ranges';

/** Results to read in addition to an even share per region, because regions rarely alternate exactly. */
const SPARE_RESULTS = 4;

/** A range that is read from one end, and its part in memory. */
interface Source {
  readonly region: string;
  readonly status: number | null;
  firstId: string;
  endId: string;
  held: ResultDocument[];
  isDrained: boolean;
}

/** Returns at most one result more than the limit, to show that there are more. */
export async function readInOrder(
  results: Model<ResultDocument>,
  accountId: string,
  query: ResultQuery,
): Promise<readonly ResultDocument[]> {
  const wanted = query.limit + 1;
  const sources = listSources(query);
  const batch = Math.ceil(wanted / sources.length) + SPARE_RESULTS;
  const isOldestFirst = query.isOldestFirst === true;
  const refill = async (source: Source) => {
    const found = await results
      .find({
        _id: between(source.firstId, source.endId),
        a: accountId,
        ...(source.status === null ? {} : { s: source.status }),
        ...(query.requestId === undefined ? {} : { q: query.requestId }),
      })
      .sort({ _id: isOldestFirst ? 1 : -1 })
      .limit(batch)
      .lean<ResultDocument[]>();
    source.held = found;
    source.isDrained = found.length < batch;
    const last = found.at(-1)?._id;
    if (last === undefined) return;
    if (isOldestFirst) source.firstId = justAfter(last);
    else source.endId = last;
  };
  await Promise.all(sources.map(refill));
  const taken: ResultDocument[] = [];
  while (taken.length < wanted) {
    const source = nextSource(sources, isOldestFirst);
    const next = source?.held.shift();
    if (source === null || next === undefined) break;
    taken.push(next);
    if (source.held.length === 0 && !source.isDrained) await refill(source);
  }
  return taken;
}

function listSources(query: ResultQuery): Source[] {
  const regions = [...new Set(query.regions)];
  return regions.flatMap((region) =>
    listStatuses(query.status).map((status) => ({
      region,
      status,
      ...rangeAfterCursor(query, region),
      held: [],
      isDrained: false,
    })),
  );
}

/** A gap is shown as unknown. */
function listStatuses(status: ResultQuery['status']): readonly (number | null)[] {
  if (status === null) return [null];
  if (status === 'unknown') return [STATUS_NUMBERS.unknown, STATUS_NUMBERS.gap];
  return [STATUS_NUMBERS[status]];
}

/** The region's range. The cursor cuts it at the end from which the page is read. */
function rangeAfterCursor(query: ResultQuery, region: string): Pick<Source, 'firstId' | 'endId'> {
  const whole = { firstId: firstId({ ...query, region }), endId: endId({ ...query, region }) };
  const { after, monitorId, isOldestFirst } = query;
  if (after === null) return whole;
  if (isOldestFirst === true) {
    // Within a slot, regions are listed in reverse order.
    const fromMs = region > after.region ? after.slotMs + 1 : after.slotMs;
    const cut =
      region === after.region ? justAfter(after.id) : resultIdFrom(monitorId, region, fromMs);
    return { ...whole, firstId: cut > whole.firstId ? cut : whole.firstId };
  }
  const toMs = region < after.region ? after.slotMs : after.slotMs + 1;
  const cut = region === after.region ? after.id : resultIdFrom(monitorId, region, toMs);
  return { ...whole, endId: cut < whole.endId ? cut : whole.endId };
}

/** The source of the next result in the list. null: no results are left. */
function nextSource(sources: readonly Source[], isOldestFirst: boolean): Source | null {
  return sources.reduce<Source | null>((best, candidate) => {
    const [head] = candidate.held;
    if (head === undefined) return best;
    const [bestHead] = best?.held ?? [];
    if (bestHead === undefined) return candidate;
    return isListedBefore(head._id, bestHead._id) === isOldestFirst ? best : candidate;
  }, null);
}

/** Newest slot first. Within a slot, ordered by region, with manual checks before the scheduled check. */
function isListedBefore(id: string, otherId: string): boolean {
  const [key, other] = [parseResultId(id), parseResultId(otherId)];
  if (key.slotMs !== other.slotMs) return key.slotMs > other.slotMs;
  return key.region === other.region ? id > otherId : key.region < other.region;
}
