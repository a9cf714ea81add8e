// Compares random writes and reads with a model that is too simple to be wrong. If a comparison fails, fast-check
// prints the seed. The database runs in this process, on its own folder.
import fc from 'fast-check';
import { mongo } from 'mongoose';
import { type RunningDatabase, startDatabase } from '../../../src/embedded/database/server';
import { propertyOptions } from '../../support/property-runs';
import { makeFolder, removeFolder } from './database-process';

interface Row {
  _id: number;
  a?: number | number[];
  b?: string;
}

const dir = makeFolder();
let database: RunningDatabase;
let client: mongo.MongoClient;

beforeAll(async () => {
  database = await startDatabase({ dir, port: 0 });
  client = new mongo.MongoClient(`mongodb://127.0.0.1:${database.port}/random`);
  await client.connect();
});

afterAll(async () => {
  await client.close();
  await database.close();
  removeFolder(dir);
});

type Operation =
  | { kind: 'insert'; row: Row }
  | { kind: 'set'; low: number; b: string; many: boolean }
  | { kind: 'inc'; id: number; by: number; upsert: boolean }
  | { kind: 'delete'; low: number; high: number; many: boolean }
  | { kind: 'find'; low: number; high: number; descending: boolean; limit: number }
  | { kind: 'count'; b: string };

const id = fc.integer({ min: 0, max: 12 });
const small = fc.integer({ min: 0, max: 6 });
const text = fc.constantFrom('x', 'y', 'z');
const rowOf = fc.record(
  { _id: id, a: fc.oneof(small, fc.array(small, { maxLength: 2 })), b: text },
  { requiredKeys: ['_id'] },
);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), row: rowOf }),
  fc.record({ kind: fc.constant('set' as const), low: small, b: text, many: fc.boolean() }),
  fc.record({ kind: fc.constant('inc' as const), id, by: small, upsert: fc.boolean() }),
  fc.record({ kind: fc.constant('delete' as const), low: small, high: small, many: fc.boolean() }),
  fc.record({
    kind: fc.constant('find' as const),
    low: small,
    high: small,
    descending: fc.boolean(),
    limit: small,
  }),
  fc.record({ kind: fc.constant('count' as const), b: text }),
);

class Model {
  readonly rows = new Map<number, Row>();

  inOrder(): Row[] {
    return [...this.rows.values()].sort((x, y) => x._id - y._id);
  }

  inRange(low: number, high: number): Row[] {
    return this.inOrder().filter(({ a }) => {
      const values = Array.isArray(a) ? a : [a];
      const has = (test: (value: number) => boolean) =>
        values.some((value) => value !== undefined && test(value));
      return has((value) => value >= low) && has((value) => value < high);
    });
  }
}

async function apply(rows: mongo.Collection<Row>, model: Model, step: Operation): Promise<void> {
  switch (step.kind) {
    case 'insert': {
      const done = await rows.insertOne(structuredClone(step.row)).then(
        () => true,
        () => false,
      );
      expect(done).toBe(!model.rows.has(step.row._id));
      if (done) model.rows.set(step.row._id, structuredClone(step.row));
      return;
    }
    case 'set': {
      const found = model.inRange(step.low, 99);
      if (!step.many) return;
      const { matchedCount, modifiedCount } = await rows.updateMany(
        { a: { $gte: step.low, $lt: 99 } },
        { $set: { b: step.b } },
      );
      expect(matchedCount).toBe(found.length);
      expect(modifiedCount).toBe(found.filter((one) => one.b !== step.b).length);
      for (const one of found) one.b = step.b;
      return;
    }
    case 'inc':
      return applyIncrement(rows, model, step);
    case 'delete': {
      if (!step.many) return;
      const filter = { a: { $gte: step.low, $lt: step.high } };
      const gone = model.inRange(step.low, step.high);
      expect((await rows.deleteMany(filter)).deletedCount).toBe(gone.length);
      for (const one of gone) model.rows.delete(one._id);
      return;
    }
    case 'find': {
      const found = await rows
        .find({ a: { $gte: step.low, $lt: step.high } })
        .sort({ _id: step.descending ? -1 : 1 })
        .limit(step.limit)
        .toArray();
      const all = model.inRange(step.low, step.high);
      if (step.descending) all.reverse();
      expect(found.map((one) => one._id)).toEqual(
        all.slice(0, step.limit || undefined).map((one) => one._id),
      );
      return;
    }
    case 'count':
      expect(await rows.countDocuments({ b: step.b })).toBe(
        model.inOrder().filter((one) => one.b === step.b).length,
      );
  }
}

async function applyIncrement(
  rows: mongo.Collection<Row>,
  model: Model,
  step: Extract<Operation, { kind: 'inc' }>,
): Promise<void> {
  const present = model.rows.get(step.id);
  const change = client
    .db()
    .collection<{ _id: number }>(rows.collectionName)
    .updateOne({ _id: step.id }, { $inc: { a: step.by } }, { upsert: step.upsert });
  if (Array.isArray(present?.a)) {
    await expect(change).rejects.toMatchObject({ code: 14 });
    return;
  }
  const { matchedCount, upsertedCount } = await change;
  expect(matchedCount).toBe(present ? 1 : 0);
  expect(upsertedCount).toBe(!present && step.upsert ? 1 : 0);
  if (present) model.rows.set(step.id, { ...present, a: Number(present.a ?? 0) + step.by });
  else if (step.upsert) model.rows.set(step.id, { _id: step.id, a: step.by });
}

test('random operations give the same results as a model, and keep the indexes consistent', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { maxLength: 40 }),
      fc.boolean(),
      async (steps, useIndexes) => {
        const db = client.db();
        run += 1;
        const rows = db.collection<Row>(`rows${run}`);
        if (useIndexes) await rows.createIndexes([{ key: { a: 1 } }, { key: { b: -1, a: 1 } }]);
        const model = new Model();
        for (const step of steps) await apply(rows, model, step);
        expect(await rows.find().sort({ _id: 1 }).toArray()).toEqual(model.inOrder());
        if (useIndexes)
          expect(await db.command({ validate: `rows${run}` })).toMatchObject({ valid: true });
      },
    ),
    propertyOptions(20),
  );
});
