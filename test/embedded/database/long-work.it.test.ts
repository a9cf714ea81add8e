// Tests that long operations yield. Other requests are served while an index is built, or while a collection is checked
// or dropped. The database runs in this process, so that the tests can inspect leftovers.
import type { mongo } from 'mongoose';
import { mongo as driver } from 'mongoose';
import { type RunningDatabase, startDatabase } from '../../../src/embedded/database/server';
import { buildNumberRange, Catalog } from '../../../src/embedded/database/storage/catalog';
import { Store } from '../../../src/embedded/database/storage/store';
import { waitUntil } from '../../support/wait-until';
import { makeFolder, removeFolder } from './database-process';

interface Row {
  _id: number;
  a: number;
  tags?: number[];
  unique: number;
}

const ROWS = 16_000;

const dir = makeFolder();
let database: RunningDatabase;
let client: mongo.MongoClient;
let rows: mongo.Collection<Row>;

async function open(): Promise<void> {
  database = await startDatabase({ dir, port: 0 });
  client = new driver.MongoClient(`mongodb://127.0.0.1:${database.port}/work`);
  rows = client.db().collection('rows');
}

async function close(): Promise<void> {
  await client.close();
  await database.close();
}

beforeEach(async () => {
  await open();
  await rows.insertMany(
    Array.from({ length: ROWS }, (_, n) => ({ _id: n, a: n % 100, unique: n })),
  );
});

afterEach(async () => {
  await rows.drop().catch(() => undefined);
  await close();
});

afterAll(() => removeFolder(dir));

/** Repeats an action until the work is done. Returns the number of repetitions. */
async function meanwhile(work: Promise<unknown>, act: (turn: number) => Promise<unknown>) {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await act(turns);
  await work;
  return turns;
}

const valid = { valid: true, errors: [] };

test('an index built during inserts, updates and deletes holds exactly the right entries', async () => {
  const turns = await meanwhile(rows.createIndex({ a: 1, tags: 1 }), async (turn) => {
    const _id = (turn * 7919) % ROWS;
    await rows.updateOne({ _id }, { $set: { a: -1, tags: [turn, turn + 1] } });
    await rows.deleteOne({ _id: (_id + 1) % ROWS });
    await rows.insertOne({ _id: ROWS + turn, a: -2, unique: -turn });
  });
  expect(turns).toBeGreaterThan(1);
  expect(await client.db().command({ validate: 'rows' })).toMatchObject(valid);
  const byIndex = rows.find({ a: { $lt: 0 } }).hint({ a: 1, tags: 1 });
  const byScan = rows.find({ a: { $lt: 0 } }).hint({ $natural: 1 });
  const ids = async (found: mongo.FindCursor<mongo.WithId<Row>>) =>
    (await found.toArray()).map((one) => one._id).sort((x, y) => x - y);
  expect(await ids(byIndex)).toEqual(await ids(byScan));
});

test('a unique index that fails on duplicates leaves nothing behind, and another index can be built', async () => {
  await rows.updateOne({ _id: ROWS - 1 }, { $set: { unique: 0 } });
  const unique = rows.createIndex({ unique: 1 }, { unique: true });
  await expect(unique).rejects.toMatchObject({ code: 11000 });
  expect(await rows.indexes()).toHaveLength(1);
  await rows.updateOne({ _id: ROWS - 1 }, { $set: { unique: ROWS } });
  await rows.createIndex({ unique: 1 }, { unique: true });
  await expect(rows.insertOne({ _id: -1, a: 0, unique: 5 })).rejects.toMatchObject({ code: 11000 });
  expect(await client.db().command({ validate: 'rows' })).toMatchObject(valid);
});

test('deleting a duplicate during the build of a unique index removes no other entry', async () => {
  await rows.updateOne({ _id: ROWS - 1 }, { $set: { unique: 0 } });
  const built = rows.createIndex({ unique: 1 }, { unique: true }).then(
    () => true,
    () => false,
  );
  await rows.deleteOne({ _id: ROWS - 1 });
  await built;
  expect(await client.db().command({ validate: 'rows' })).toMatchObject(valid);
});

test('dropping an index stops its build', async () => {
  const built = rows.createIndex({ a: 1 }, { name: 'slow' });
  await waitUntil('the index is dropped', () => rows.dropIndex('slow').then(() => true));
  await built.catch((error: unknown) => expect(error).toMatchObject({ code: 276 }));
  expect(await rows.indexes()).toHaveLength(1);
});

test('writes during a consistency check cause no finding', async () => {
  await rows.createIndex({ a: 1 });
  const checked = client.db().command({ validate: 'rows' });
  const turns = await meanwhile(checked, (turn) =>
    rows.updateOne({ _id: (turn * 7919) % ROWS }, { $inc: { a: 1 } }),
  );
  expect(turns).toBeGreaterThan(1);
  expect(await checked).toMatchObject(valid);
});

test('a dropped collection is gone at once, and its data is removed even after a restart', async () => {
  await rows.createIndex({ a: 1 });
  await rows.drop();
  expect(await rows.countDocuments()).toBe(0);
  await rows.insertOne({ _id: 1, a: 1, unique: 1 });
  expect(await leftBehind()).toBeGreaterThan(0);
  await waitUntil('the remains are removed', async () => (await leftBehind()) === 0);
  expect(await rows.find().toArray()).toEqual([{ _id: 1, a: 1, unique: 1 }]);
});

/**
 * Counts the keys of dropped collections in the folder. Closes the database before, because no process may have the
 * folder open.
 */
async function leftBehind(): Promise<number> {
  await close();
  const store = Store.open(dir);
  const number = new Catalog(store).nextDiscarded();
  const count = number === undefined ? 0 : store.table.count(buildNumberRange(number));
  await store.close();
  await open();
  return count;
}

test('a cursor fails with error 175 once its collection or index is dropped', async () => {
  await rows.createIndex({ a: 1 });
  const along = async (sort: mongo.Sort) => {
    const cursor = rows.find({ a: { $gte: 0 } }, { batchSize: 2 }).sort(sort);
    await cursor.next();
    return cursor;
  };
  const byIndex = await along({ a: 1 });
  await rows.dropIndex('a_1');
  await expect(byIndex.toArray()).rejects.toMatchObject({ code: 175 });
  const byId = await along({ _id: 1 });
  await rows.drop();
  await expect(byId.toArray()).rejects.toMatchObject({ code: 175 });
});
