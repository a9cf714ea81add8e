/** Tests pages and counts of results. Compares both with the simplest possible computation. */
import fc from 'fast-check';
import type { StepOutcome } from '../../../src/contracts/outcome';
import type { Gap } from '../../../src/contracts/records';
import { buildResultId } from '../../../src/domain/health/result-id';
import type { Result, ResultQuery } from '../../../src/models/results/result';
import { STATUS_NUMBERS } from '../../../src/models/results/result-documents';
import { insertResults } from '../../../src/models/results/results';
import { ownedBy } from '../../../src/models/store/filters';
import { propertyOptions } from '../../support/property-runs';
import { FIRST_SLOT_MS, failingOutcome, newId, passingOutcome } from '../example-records';
import { withStores } from '../with-stores';

const REGIONS = ['ap-south', 'eu-west', 'us-east'] as const;
const STATUSES = ['up', 'degraded', 'down', 'unknown'] as const;
const SLOTS = 12;
const SECOND_MS = 1_000;

const db = withStores();

const slots = fc.nat({ max: SLOTS }).map((slot) => FIRST_SLOT_MS + slot * SECOND_MS);

/** Generates the fields of a result, without its monitor. */
const drafts = fc.record({
  // The regions are unevenly distributed, so that a page must read more results from one region.
  region: fc.constantFrom(...REGIONS, 'eu-west', 'eu-west', 'eu-west'),
  slotMs: slots,
  kind: fc.constantFrom('scheduled' as const, 'manual' as const),
  status: fc.constantFrom(...STATUSES),
  responseTimeMs: fc.nat({ max: 5_000 }),
  gapSlots: fc.option(fc.integer({ min: 1, max: 30 }), { nil: null, freq: 4 }),
});
type Draft = typeof drafts extends fc.Arbitrary<infer Value> ? Value : never;

function outcomeOf({ status, responseTimeMs }: Draft): StepOutcome {
  const base = status === 'down' ? failingOutcome() : passingOutcome();
  return { ...base, status, responseTimeMs };
}

function gapOf({ gapSlots, kind, slotMs }: Draft): Gap | null {
  if (gapSlots === null || kind === 'manual') return null;
  const toSlotMs = slotMs + (gapSlots - 1) * SECOND_MS;
  return { reason: 'overrun', fromSlotMs: slotMs, toSlotMs, slots: gapSlots };
}

function rowOf(draft: Draft, owner: Pick<Result, 'accountId' | 'monitorId'>): Result {
  const { region, slotMs, kind } = draft;
  const gap = gapOf(draft);
  return {
    ...owner,
    id: buildResultId({ monitorId: owner.monitorId, region, slotMs, kind }),
    revision: 1,
    region,
    slotMs,
    kind,
    trigger: kind === 'manual' ? 'manual' : 'schedule',
    status: gap === null ? draft.status : 'unknown',
    inMaintenance: false,
    responseTimeMs: gap === null ? draft.responseTimeMs : null,
    outcome: gap === null ? outcomeOf(draft) : null,
    gap,
  };
}

const histories = fc.uniqueArray(drafts, {
  maxLength: 60,
  size: 'max',
  selector: ({ region, slotMs, kind }) => `${region} ${slotMs} ${kind}`,
});

/** Generates a value of a filter, or usually null. Without a filter, a page has many results to choose from. */
function seldom<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: values });
}

const filters = fc.record({
  regions: fc.subarray([...REGIONS], { minLength: 1 }),
  fromMs: seldom(slots),
  toMs: seldom(slots),
  status: seldom(fc.constantFrom(...STATUSES)),
  limit: fc.integer({ min: 1, max: 40 }),
  isOldestFirst: fc.boolean(),
});

async function storeHistory(history: readonly Draft[]) {
  const owner = { accountId: newId('account'), monitorId: newId('monitor') };
  const rows = history.map((draft) => rowOf(draft, owner));
  await insertResults(db.database.models.results, rows);
  return { ...owner, rows };
}

type Filter = Pick<ResultQuery, 'regions' | 'fromMs' | 'toMs'>;

function isWithin(row: Result, { regions, fromMs, toMs }: Filter): boolean {
  return (
    regions.includes(row.region) &&
    (fromMs === null || row.slotMs >= fromMs) &&
    (toMs === null || row.slotMs < toMs)
  );
}

function byListOrder(one: Result, other: Result): number {
  if (one.slotMs !== other.slotMs) return other.slotMs - one.slotMs;
  if (one.region !== other.region) return one.region < other.region ? -1 : 1;
  return one.id < other.id ? 1 : -1;
}

test('the pages of a filtered list together contain all its results, newest or oldest first', async () => {
  await fc.assert(
    fc.asyncProperty(histories, filters, async (history, filter) => {
      const { accountId, monitorId, rows } = await storeHistory(history);
      const newestFirst = rows
        .filter((row) => isWithin(row, filter))
        .filter((row) => filter.status === null || row.status === filter.status)
        .toSorted(byListOrder);
      const expected = filter.isOldestFirst ? newestFirst.toReversed() : newestFirst;
      const read: Result[] = [];
      let hasMore = true;
      while (hasMore) {
        const after = read.at(-1) ?? null;
        const page = await db.stores.results.page(accountId, { ...filter, monitorId, after });
        expect(page.items.length).toBeLessThanOrEqual(filter.limit);
        read.push(...page.items);
        hasMore = page.hasMore;
        if (hasMore) expect(page.items).toHaveLength(filter.limit);
      }
      expect(read).toEqual(expected);
    }),
    propertyOptions(20),
  );
});

test('the counts for a filter equal the numbers of stored results that it selects', async () => {
  await fc.assert(
    fc.asyncProperty(histories, filters, async (history, filter) => {
      const { accountId, monitorId, rows } = await storeHistory(history);
      const found = rows.filter((row) => isWithin(row, filter));
      const checks = found.filter(({ gap }) => gap === null);
      const times = checks
        .filter(({ status }) => status === 'up' || status === 'degraded')
        .map(({ outcome }) => outcome?.responseTimeMs ?? 0);
      const totalMs = times.reduce((sum, time) => sum + time, 0);
      const countOf = (status: string) => checks.filter((row) => row.status === status).length;
      const counts = await db.stores.results.count(accountId, { ...filter, monitorId });
      expect(counts).toEqual({
        total: checks.length,
        up: countOf('up'),
        degraded: countOf('degraded'),
        down: countOf('down'),
        unknown: countOf('unknown'),
        missed: found.reduce((sum, { gap }) => sum + (gap?.slots ?? 0), 0),
        responseTimeMs:
          times.length === 0
            ? { avg: null, min: null, max: null }
            : {
                avg: expect.closeTo(totalMs / times.length, 6),
                min: Math.min(...times),
                max: Math.max(...times),
              },
      });
    }),
    propertyOptions(20),
  );
});

test('a page of results reads a limited number of documents, even if the filter excludes most of them', async () => {
  const owner = { accountId: newId('account'), monitorId: newId('monitor') };
  const rows = Array.from({ length: 3_000 }, (_, slot) =>
    rowOf(
      {
        region: 'eu-west',
        slotMs: FIRST_SLOT_MS + slot * SECOND_MS,
        kind: 'scheduled',
        status: slot === 0 ? 'down' : 'up',
        responseTimeMs: 10,
        gapSlots: null,
      },
      owner,
    ),
  );
  const { results } = db.database.models;
  await insertResults(results, rows);
  const plan = await results
    .find({ a: owner.accountId, s: STATUS_NUMBERS.down, _id: ownedBy(owner.monitorId) })
    .sort({ _id: -1 })
    .limit(51)
    .explain('executionStats');
  expect(plan).toMatchObject({ executionStats: { totalDocsExamined: 1, nReturned: 1 } });
});

test('a result whose id is already stored changes nothing, and the other results of the write are stored', async () => {
  const owner = { accountId: newId('account'), monitorId: newId('monitor') };
  const draft = {
    region: 'eu-west',
    slotMs: FIRST_SLOT_MS,
    kind: 'scheduled',
    status: 'up',
    responseTimeMs: 10,
    gapSlots: null,
  } as const;
  const { results } = db.database.models;
  const first = rowOf(draft, owner);
  const other = rowOf({ ...draft, region: 'us-east' }, owner);
  await insertResults(results, [first]);
  await insertResults(results, [{ ...first, status: 'down', outcome: failingOutcome() }, other]);
  const page = await db.stores.results.page(owner.accountId, {
    monitorId: owner.monitorId,
    regions: ['us-east', 'eu-west', 'eu-west'],
    fromMs: null,
    toMs: null,
    status: null,
    limit: 10,
    after: null,
  });
  expect(page).toEqual({ items: [first, other], hasMore: false });
});

test('a gap whose first slots are already stored is stored once, for the remaining slots', async () => {
  const owner = { accountId: newId('account'), monitorId: newId('monitor') };
  const at = (slot: number, gapSlots: number | null): Result =>
    rowOf(
      {
        region: 'eu-west',
        slotMs: FIRST_SLOT_MS + slot * SECOND_MS,
        kind: 'scheduled',
        status: 'up',
        responseTimeMs: 10,
        gapSlots,
      },
      owner,
    );
  const { models } = db.database;
  await insertResults(models.results, [at(0, null), at(1, 2)]);
  // Inserts slots 0 to 5 as one gap, twice. Stored slots stay, and the second insertion changes nothing.
  for (let times = 0; times < 2; times += 1) await insertResults(models.results, [at(0, 6)]);
  const query = { regions: ['eu-west'], fromMs: null, toMs: null, status: null, after: null };
  const { items } = await db.stores.results.page(owner.accountId, {
    ...query,
    monitorId: owner.monitorId,
    limit: 10,
    isOldestFirst: true,
  });
  const slotOf = (ms: number) => (ms - FIRST_SLOT_MS) / SECOND_MS;
  expect(items.map(({ slotMs, gap }) => [slotOf(slotMs), gap?.slots ?? null])).toEqual([
    [0, null],
    [1, 2],
    [3, 3],
  ]);
});
