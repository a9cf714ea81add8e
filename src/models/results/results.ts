/** Results: one small document per check in one region and slot, or per gap. A result never changes. */

import type { Model } from 'mongoose';
import type { Gap } from '../../contracts/records';
import { resultId, resultIdFrom, withGap } from '../../domain/health/result-id';
import { cutGap } from '../../domain/health/schedule';
import { unlessThere } from '../store/database-errors';
import { readOne } from '../store/entities';
import { between, matchAny } from '../store/filters';
import { cutPage } from '../store/pages';
import type { GapQuery, Result, ResultCounts, ResultStore } from './result';
import {
  type ResultDocument,
  STATUS_NUMBERS,
  toGap,
  toResult,
  toResultDocument,
} from './result-documents';
import { readInOrder } from './result-pages';
import { idRange } from './result-ranges';

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
            { $match: { _id: idRange({ monitorId, region, fromMs, toMs }), a: accountId } },
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
 * Stores new results. Existing results are unchanged. If the first slot of a gap already has a result, the gap is
 * shortened to the slots after the stored result.
 */
export async function insertResults(
  results: Model<ResultDocument>,
  batch: readonly Result[],
): Promise<void> {
  if (batch.length === 0) return;
  const documents = batch.map(toResultDocument);
  const areNew = await unlessThere(() =>
    results.insertMany(documents, { ordered: false, lean: true }),
  );
  if (!areNew) await insertResults(results, await restOfGaps(results, batch));
}

/** The part of each gap after the result stored at its first slot. Empty for a gap that is stored completely. */
async function restOfGaps(
  results: Model<ResultDocument>,
  batch: readonly Result[],
): Promise<readonly Result[]> {
  const gaps = batch.flatMap((result) =>
    result.gap === null ? [] : [{ result, gap: result.gap }],
  );
  if (gaps.length === 0) return [];
  const ids = gaps.map(({ result }) => resultId(result));
  const found = await results.find({ _id: matchAny(ids) }, { gt: 1 }).lean();
  const endOf = new Map(found.map(({ _id, gt }) => [_id, gt]));
  return gaps.flatMap(({ result, gap }) => {
    const rest = cutGap(gap, endOf.get(resultId(result)) ?? gap.fromSlotMs);
    return rest === null ? [] : [withGap(result, rest)];
  });
}

/** The stored gaps of one region between the slots, and the newest gap before them. */
export async function readGaps(
  results: Model<ResultDocument>,
  { monitorId, region, fromSlotMs, toSlotMs }: GapQuery,
): Promise<readonly Gap[]> {
  const first = resultIdFrom(monitorId, region, fromSlotMs);
  const gapsIn = (endId: string, startId: string) =>
    results.find({ _id: between(startId, endId), s: STATUS_NUMBERS.gap }, { gr: 1, gt: 1, gn: 1 });
  const [earlier, inside] = await Promise.all([
    gapsIn(first, `${monitorId}:${region}:`).sort({ _id: -1 }).limit(1).lean<ResultDocument[]>(),
    gapsIn(resultIdFrom(monitorId, region, toSlotMs + 1), first).lean<ResultDocument[]>(),
  ]);
  return [...earlier, ...inside].flatMap(toGap);
}

/** Deletes stored results again because their resource turned out to be deleted. */
export async function deleteResults(
  results: Model<ResultDocument>,
  batch: readonly Result[],
): Promise<void> {
  if (batch.length === 0) return;
  await results.deleteMany({ _id: matchAny(batch.map(resultId)) });
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
