// Tests which plan is chosen, and that its key ranges contain exactly the documents of the filter.
import fc from 'fast-check';
import { choosePlan, type Plan } from '../../../src/embedded/database/planner/plan';
import { parseFilter } from '../../../src/embedded/database/query/filter-parser';
import { compileNode } from '../../../src/embedded/database/query/matcher';
import { parseSort } from '../../../src/embedded/database/query/sort';
import type { Collection } from '../../../src/embedded/database/storage/catalog';
import { encodePrefix } from '../../../src/embedded/database/storage/catalog';
import { parseIndex } from '../../../src/embedded/database/storage/index-definition';
import { buildIndexKeys } from '../../../src/embedded/database/storage/index-keys';
import { propertyOptions } from '../../support/property-runs';

type Fields = Record<string, unknown>;

function collectionWith(...specifications: Fields[]): Collection {
  const indexes = specifications.map((one, index) => ({ ...parseIndex(one), number: index + 2 }));
  return { namespace: 'd.c', database: 'd', name: 'c', number: 1, options: {}, indexes };
}

function plan(collection: Collection, filter: Fields, sort: Fields = {}, hint?: unknown): Plan {
  return choosePlan({ collection, filter: parseFilter(filter), sort: parseSort(sort), hint });
}

const indexed = collectionWith(
  { key: { account: 1 } },
  { key: { account: 1, at: -1 } },
  { key: { account: 1, state: 1 } },
  { key: { due: 1 }, partialFilterExpression: { open: true } },
);

test('a filter that names one _id needs no index, even with other conditions', () => {
  expect(plan(indexed, { _id: 'x', account: 'a' })).toMatchObject({
    stage: 'IDHACK',
    exact: false,
  });
  expect(plan(indexed, { _id: 'x' })).toMatchObject({ stage: 'IDHACK', exact: true });
});

test('a filter by a range or a list of _id values reads the collection in order', () => {
  const range = plan(indexed, { _id: { $gte: 'a', $lt: 'b' } }, { _id: -1 });
  expect(range).toMatchObject({
    stage: 'CLUSTERED_IXSCAN',
    sorted: true,
    reverse: true,
    exact: true,
  });
  expect(plan(indexed, { _id: { $in: ['b', 'a'] } }).ranges).toHaveLength(2);
});

test('the planner chooses the index with the most fields that are bound to single values', () => {
  expect(plan(indexed, { account: 'a', state: 'x' }).index?.name).toBe('account_1_state_1');
});

test('one index can serve exact values followed by a range, and an order in both directions', () => {
  const chosen = plan(indexed, { account: 'a', at: { $gt: 5 } });
  expect(chosen).toMatchObject({ index: { name: 'account_1_at_-1' }, exact: true });
  const sorted = plan(indexed, { account: 'a' }, { at: 1 });
  expect(sorted).toMatchObject({ index: { name: 'account_1_at_-1' }, sorted: true, reverse: true });
});

test('the planner sorts in memory when a list of values precedes the sorted field', () => {
  expect(plan(indexed, { account: { $in: ['a', 'b'] } }, { at: -1 }).sorted).toBe(false);
});

test('an index sorts entries with equal fields by _id', () => {
  expect(plan(indexed, { account: 'a' }, { _id: 1 })).toMatchObject({ sorted: true });
});

test('a partial index is used only for filters that its own filter covers', () => {
  expect(plan(indexed, { due: { $lt: 9 }, open: true }).index?.name).toBe('due_1');
  expect(plan(indexed, { due: { $lt: 9 } }).stage).toBe('COLLSCAN');
  expect(plan(indexed, { due: { $lt: 9 }, open: false }).stage).toBe('COLLSCAN');
});

test('a hint decides which index is used, and a hint that names no index is refused', () => {
  expect(plan(indexed, { account: 'a' }, {}, { account: 1, at: -1 }).index?.name).toBe(
    'account_1_at_-1',
  );
  expect(plan(indexed, { account: 'a' }, {}, { $natural: 1 }).stage).toBe('COLLSCAN');
  expect(() => plan(indexed, {}, {}, 'nope')).toThrow('hint provided does not correspond');
});

test('an index on arrays uses only one bound of a range, and gives no order', () => {
  const tags = collectionWith({ key: { tags: 1 } });
  const multikey = { ...tags, indexes: tags.indexes.map((one) => ({ ...one, multikey: true })) };
  const chosen = plan(multikey, { tags: { $gt: 1, $lt: 5 } }, { tags: 1 });
  expect(chosen).toMatchObject({ exact: false, sorted: false });
  expect(chosen.bounds[0]?.bounds.covered).toHaveLength(1);
});

const scalar = fc.oneof(
  fc.integer({ min: 0, max: 4 }),
  fc.constantFrom<unknown>('a', 'b', null, true),
);
const condition = fc.oneof(
  scalar,
  fc.array(scalar, { minLength: 1, maxLength: 3 }).map((list) => ({ $in: list })),
  scalar.map((bound) => ({ $gte: bound })),
  fc.tuple(scalar, scalar).map(([low, high]) => ({ $gt: low, $lte: high })),
  scalar.map((bound) => ({ $ne: bound })),
);
const document = fc.record(
  { a: fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), b: scalar },
  { requiredKeys: [] },
);

test('the key ranges of a plan contain every document of the filter', () => {
  const filterOf = fc.record({ a: condition, b: condition }, { requiredKeys: [] });
  const direction = fc.constantFrom(1, -1);
  fc.assert(
    fc.property(filterOf, document, direction, direction, (filter, fields, one, two) => {
      const made = collectionWith({ key: { a: one, b: two } });
      const index = made.indexes[0];
      if (!index) throw new Error('no index');
      const { keys, multikey } = buildIndexKeys(index, fields);
      const chosen = plan({ ...made, indexes: [{ ...index, multikey }] }, filter, {}, index.name);
      const matches = compileNode(parseFilter(filter))(fields);
      const entries = keys.map((key) => Buffer.concat([encodePrefix(index.number), key.bytes]));
      const inside = entries.some((entry) =>
        chosen.ranges.some(
          ({ start, end }) => Buffer.compare(entry, start) >= 0 && Buffer.compare(entry, end) < 0,
        ),
      );
      if (matches) expect(inside).toBe(true);
      if (chosen.exact) expect(inside).toBe(matches);
    }),
    propertyOptions(1000),
  );
});
