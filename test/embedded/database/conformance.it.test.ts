// Runs every case of the table against the embedded database, and against a real MongoDB if MONGODB_URI is set.
import { Double, EJSON, Int32, Long } from 'bson';
import { mongo } from 'mongoose';
import { type DatabaseCase, type Fields, readDatabaseCases } from './database-cases';
import { type DatabaseProcess, makeFolder, removeFolder, startProcess } from './database-process';

const CASES = readDatabaseCases().map((one, index) => ({ ...one, index }));

const dir = makeFolder();
let embedded: DatabaseProcess;

beforeAll(async () => {
  embedded = await startProcess(dir);
});

afterAll(async () => {
  await embedded.end();
  removeFolder(dir);
});

describe('the embedded database', () => {
  test.each(CASES)(
    'the embedded database responds to a case as MongoDB does: $name',
    async (one) => {
      await check(embedded.client.db(`case${one.index}`), one);
    },
  );
});

// Cases that are repeated with an index on the field `v`. The response of a command must not depend on the index.
const FOUND_BY_FIELD = CASES.filter((one) => one.documents && !one.indexes).filter(
  ({ given = [] }) => given.some((document) => 'v' in document),
);

describe('with an index on the field', () => {
  test.each(FOUND_BY_FIELD)(
    'the embedded database with an index responds as MongoDB does: $name',
    async (one) => {
      const indexes = [{ key: { v: 1 }, name: 'v_1' }];
      await check(embedded.client.db(`indexed${one.index}`), { ...one, indexes });
    },
  );
});

const uri = process.env['MONGODB_URI'];
if (uri) {
  describe('the MongoDB of MONGODB_URI', () => {
    const client = new mongo.MongoClient(uri);
    afterAll(async () => {
      await client.close();
    });
    test.each(CASES)(
      'the MongoDB of MONGODB_URI responds as the table of cases says: $name',
      async (one) => {
        await check(client.db(`keepwatch_case${one.index}`), one);
      },
    );
  });
}

async function check(db: mongo.Db, one: DatabaseCase): Promise<void> {
  await db.dropDatabase();
  if (one.given) await db.command({ insert: 'c', documents: one.given });
  if (one.indexes) await db.command({ createIndexes: 'c', indexes: one.indexes });
  if (one.code === undefined) checkAnswer(await db.command(one.command), one);
  else await expect(db.command(one.command)).rejects.toMatchObject({ code: Number(one.code) });
  if (one.after) {
    const left = await db.collection('c').find().sort({ _id: 1 }).toArray();
    expect(left.map(textOf)).toEqual(one.after.map(textOf));
  }
  await db.dropDatabase();
}

function checkAnswer(answer: Fields, one: DatabaseCase): void {
  if (one.answer) expect(plain(answer)).toMatchObject(Object(plain(one.answer)));
  expect(plain(answer['writeErrors'] ?? [])).toMatchObject(Object(plain(one.writeErrors ?? [])));
  if (!one.documents) return;
  const cursor = answer['cursor'];
  const batch = isFields(cursor) ? cursor['firstBatch'] : undefined;
  expect(Array.isArray(batch) ? batch.map(textOf) : batch).toEqual(one.documents.map(textOf));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

// Replaces numbers of every type by JavaScript numbers, because the table does not define which type a mongod returns.
function plain(value: unknown): unknown {
  if (value instanceof Int32 || value instanceof Double) return value.valueOf();
  if (Long.isLong(value)) return value.toNumber();
  if (Array.isArray(value)) return value.map(plain);
  if (!isFields(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, plain(one)]));
}

// Returns the value as text, which keeps the order of fields.
function textOf(value: unknown): string {
  return EJSON.stringify(plain(value));
}
