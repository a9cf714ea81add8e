/** Results: one small document per check in one region and slot, or per gap. A result never changes. */

import type { Model } from 'mongoose';
import type { Gap } from '../../contracts/records';
import {
  buildFirstResultId,
  buildResultId,
  parseResultId,
  withGap,
} from '../../domain/health/result-id';
import { cutGap } from '../../domain/health/schedule';
import { writeUnlessPresent } from '../store/database-errors';
import { readOne } from '../store/entities';
import { between, justAfter, matchAny } from '../store/filters';
import { cutPage } from '../store/pages';
import type { GapQuery, Result, ResultCounts, ResultQuery, ResultStore } from './result';
import {
  type ResultDocument,
  STATUS_NUMBERS,
  toGap,
  toResult,
  toResultDocument,
} from './result-documents';
import { buildEndId, buildFirstId, buildIdRange } from './result-ranges';

export function createResultStore(results: Model<ResultDocument>): ResultStore {
  return {
    async page(accountId, query) {
      return cutPage((await readInOrder(results, accountId, query)).map(toResult), query.limit);
    },
    find: (accountId, id) =>
      readOne(results.findOne({ _id: id, a: accountId }).lean<ResultDocument>(), toResult),
    async count(accountId, { monitorId, regions, fromMs, toMs }) {
      const counted = await Promise.all(
        [...new Set(regions)].map((region) =>
          results.aggregate<StatusCount>([
            { $match: { _id: buildIdRange({ monitorId, region, fromMs, toMs }), a: accountId } },
            {
              $group: {
                _id: '$s',
                checks: { $sum: 1 },
                slots: { $sum: '$gn' },
                sum: { $sum: '$r' },
                min: { $min: '$r' },
                max: { $max: '$r' },
              },
            },
          ]),
        ),
      );
      return addUp(counted.flat());
    },
  };
}

/**
 * Stores new results. Existing results stay unchanged. If the first slot of a gap already has a result, the gap is
 * shortened to the slots after it.
 */
export async function insertResults(
  results: Model<ResultDocument>,
  batch: readonly Result[],
): Promise<void> {
  if (batch.length === 0) return;
  const documents = batch.map(toResultDocument);
  const areNew = await writeUnlessPresent(() =>
    results.insertMany(documents, { ordered: false, lean: true }),
  );
  if (!areNew) await insertResults(results, await restOfGaps(results, batch));
}

/**
 * Returns the part of each gap after the result that is stored at its first slot. Empty for a gap that was stored
 * completely.
 */
async function restOfGaps(
  results: Model<ResultDocument>,
  batch: readonly Result[],
): Promise<readonly Result[]> {
  const gaps = batch.flatMap((result) =>
    result.gap === null ? [] : [{ result, gap: result.gap }],
  );
  if (gaps.length === 0) return [];
  const ids = gaps.map(({ result }) => buildResultId(result));
  const found = await results.find({ _id: matchAny(ids) }, { gt: 1 }).lean();
  const endOf = new Map(found.map(({ _id, gt }) => [_id, gt]));
  return gaps.flatMap(({ result, gap }) => {
    const rest = cutGap(gap, endOf.get(buildResultId(result)) ?? gap.fromSlotMs);
    return rest === null ? [] : [withGap(result, rest)];
  });
}

/** Returns the stored gaps of one region between the slots, and the newest gap before them. */
export async function readGaps(
  results: Model<ResultDocument>,
  { monitorId, region, fromSlotMs, toSlotMs }: GapQuery,
): Promise<readonly Gap[]> {
  const first = buildFirstResultId(monitorId, region, fromSlotMs);
  const gapsIn = (endId: string, startId: string) =>
    results.find({ _id: between(startId, endId), s: STATUS_NUMBERS.gap }, { gr: 1, gt: 1, gn: 1 });
  const [earlier, inside] = await Promise.all([
    gapsIn(first, `${monitorId}:${region}:`).sort({ _id: -1 }).limit(1).lean<ResultDocument[]>(),
    gapsIn(buildFirstResultId(monitorId, region, toSlotMs + 1), first).lean<ResultDocument[]>(),
  ]);
  return [...earlier, ...inside].flatMap(toGap);
}

/** Deletes results that were just stored, because their resource turned out to be deleted. */
export async function deleteResults(
  results: Model<ResultDocument>,
  batch: readonly Result[],
): Promise<void> {
  if (batch.length === 0) return;
  await results.deleteMany({ _id: matchAny(batch.map(buildResultId)) });
}

interface StatusCount {
  readonly _id: number;
  readonly checks: number;
  readonly slots: number;
  readonly sum: number;
  readonly min: number | null;
  readonly max: number | null;
}

function addUp(counts: readonly StatusCount[]): ResultCounts {
  const of = (status: number) => counts.filter((count) => count._id === status);
  const checksOf = (status: number) => sum(of(status).map((count) => count.checks));
  const [up, degraded] = [checksOf(STATUS_NUMBERS.up), checksOf(STATUS_NUMBERS.degraded)];
  const [down, unknown] = [checksOf(STATUS_NUMBERS.down), checksOf(STATUS_NUMBERS.unknown)];
  const passed = [...of(STATUS_NUMBERS.up), ...of(STATUS_NUMBERS.degraded)];
  const minima = passed.flatMap((count) => (count.min === null ? [] : [count.min]));
  const maxima = passed.flatMap((count) => (count.max === null ? [] : [count.max]));
  return {
    up,
    degraded,
    down,
    unknown,
    total: up + degraded + down + unknown,
    missed: sum(of(STATUS_NUMBERS.gap).map((count) => count.slots)),
    responseTimeMs: {
      avg: minima.length === 0 ? null : sum(passed.map((count) => count.sum)) / (up + degraded),
      min: minima.length === 0 ? null : Math.min(...minima),
      max: maxima.length === 0 ? null : Math.max(...maxima),
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Number of results that are read in addition to an even share per region, because regions rarely alternate exactly.
 */
const SPARE_RESULTS = 4;

/** A range of ids that is read from one end, and the results of the range that are in memory. */
interface Source {
  readonly region: string;
  readonly status: number | null;
  firstId: string;
  endId: string;
  held: ResultDocument[];
  isDrained: boolean;
}

/**
 * Reads results in order. Returns at most one result more than the limit. The additional result shows that there are
 * more results.
 */
async function readInOrder(
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

/** Returns the numbers of the statuses to read. null means any status. `unknown` includes gaps. */
function listStatuses(status: ResultQuery['status']): readonly (number | null)[] {
  if (status === null) return [null];
  if (status === 'unknown') return [STATUS_NUMBERS.unknown, STATUS_NUMBERS.gap];
  return [STATUS_NUMBERS[status]];
}

/** Returns the range of ids of a region. The cursor limits the range at the end from which the page is read. */
function rangeAfterCursor(query: ResultQuery, region: string): Pick<Source, 'firstId' | 'endId'> {
  const whole = {
    firstId: buildFirstId({ ...query, region }),
    endId: buildEndId({ ...query, region }),
  };
  const { after, monitorId, isOldestFirst } = query;
  if (after === null) return whole;
  if (isOldestFirst === true) {
    // Within a slot, regions are listed in reverse order. Regions that sort after the cursor's region are therefore
    // already listed for the cursor's slot.
    const fromMs = region > after.region ? after.slotMs + 1 : after.slotMs;
    const cut =
      region === after.region ? justAfter(after.id) : buildFirstResultId(monitorId, region, fromMs);
    return { ...whole, firstId: cut > whole.firstId ? cut : whole.firstId };
  }
  const toMs = region < after.region ? after.slotMs : after.slotMs + 1;
  const cut = region === after.region ? after.id : buildFirstResultId(monitorId, region, toMs);
  return { ...whole, endId: cut < whole.endId ? cut : whole.endId };
}

/** Returns the source with the next result of the list. null means that no results are left. */
function nextSource(sources: readonly Source[], isOldestFirst: boolean): Source | null {
  return sources.reduce<Source | null>((best, candidate) => {
    const [head] = candidate.held;
    if (head === undefined) return best;
    const [bestHead] = best?.held ?? [];
    if (bestHead === undefined) return candidate;
    return isListedBefore(head._id, bestHead._id) === isOldestFirst ? best : candidate;
  }, null);
}

/**
 * True if `id` comes before `otherId` in a list with the newest slot first. Within a slot, results are ordered by
 * region, and manual checks come before the scheduled check.
 */
function isListedBefore(id: string, otherId: string): boolean {
  const [key, other] = [parseResultId(id), parseResultId(otherId)];
  if (key.slotMs !== other.slotMs) return key.slotMs > other.slotMs;
  return key.region === other.region ? id > otherId : key.region < other.region;
}
