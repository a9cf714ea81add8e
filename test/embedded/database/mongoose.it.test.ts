// Tests the database through Mongoose and the driver, as the service uses it. Also tests guarantees between clients.
import mongoose, { mongo, Schema } from 'mongoose';
import { type DatabaseProcess, makeFolder, removeFolder, startProcess } from './database-process';

interface Monitor {
  _id: string;
  accountId: string;
  name: string;
  version: number;
  tags: string[];
  at: Date;
  key?: string;
}

interface NumberRow {
  _id: number;
  big: mongo.Long;
  double: mongo.Double;
  int?: number;
}

const dir = makeFolder();
let database: DatabaseProcess;
let connection: mongoose.Connection;
let count = 0;

const schema = new Schema<Monitor>(
  {
    _id: String,
    accountId: { type: String, required: true },
    name: String,
    version: { type: Number, default: 1 },
    tags: [String],
    at: Date,
    key: String,
  },
  { autoIndex: false, strict: 'throw', versionKey: false },
);
schema.index({ accountId: 1, at: -1 });
schema.index(
  { accountId: 1, key: 1 },
  { unique: true, partialFilterExpression: { key: { $exists: true } } },
);
schema.index({ tags: 1 });

beforeAll(async () => {
  database = await startProcess(dir);
  connection = mongoose.createConnection(database.uri, {
    autoIndex: false,
    bufferCommands: false,
    serverSelectionTimeoutMS: 2000,
    maxPoolSize: 50,
  });
  await connection.asPromise();
});

afterAll(async () => {
  await connection.close();
  await database.end();
  removeFolder(dir);
});

/** Creates a model on a new empty collection, with its indexes. */
async function freshModel() {
  count += 1;
  const model = connection.model<Monitor>(`Monitor${count}`, schema);
  await model.createCollection({ clusteredIndex: { key: { _id: 1 }, unique: true } });
  await model.syncIndexes();
  return model;
}

function monitor(index: number): Monitor {
  const account = index % 2;
  return {
    _id: `mon_${String(index).padStart(3, '0')}`,
    accountId: `acc_${account}`,
    name: `Monitor ${index}`,
    version: 1,
    tags: [`t${index % 3}`],
    at: new Date(1_700_000_000_000 + index * 1000),
  };
}

const many = Array.from({ length: 40 }, (_, index) => monitor(index));

test('Mongoose can create, find, sort, limit, count and delete ranges of documents', async () => {
  const model = await freshModel();
  await model.create(monitor(100));
  await model.insertMany(many);
  const page = await model.find({ accountId: 'acc_1' }).sort({ at: -1 }).limit(3).lean();
  expect(page.map((one) => one._id)).toEqual(['mon_039', 'mon_037', 'mon_035']);
  expect(page[0]?.at).toEqual(monitor(39).at);
  expect(await model.countDocuments({ accountId: 'acc_0' })).toBe(21);
  expect(await model.estimatedDocumentCount()).toBe(41);
  expect((await model.find({ tags: 't2' })).length).toBe(13);
  const { deletedCount } = await model.deleteMany({ _id: { $gte: 'mon_010', $lt: 'mon_020' } });
  expect(deletedCount).toBe(10);
});

test('a cursor streams batch by batch while documents are added and removed', async () => {
  const model = await freshModel();
  await model.insertMany(many);
  const seen: string[] = [];
  for await (const one of model.find().sort({ _id: 1 }).cursor({ batchSize: 7 })) {
    seen.push(one._id);
    if (one._id === 'mon_003') await model.deleteOne({ _id: 'mon_030' });
  }
  expect(seen).toEqual(many.map((one) => one._id).filter((id) => id !== 'mon_030'));
});

test('findOneAndUpdate upserts and returns the new document', async () => {
  const model = await freshModel();
  const made = await model.findOneAndUpdate(
    { _id: 'mon_x' },
    { $set: { name: 'A' }, $setOnInsert: { accountId: 'acc_0', at: new Date(0) } },
    { upsert: true, returnDocument: 'after', lean: true },
  );
  expect(made).toMatchObject({ _id: 'mon_x', name: 'A', accountId: 'acc_0' });
  const before = await model.findOneAndUpdate({ _id: 'mon_x' }, { $inc: { version: 1 } }).lean();
  expect(before?.version ?? 1).toBe(1);
  expect(await model.findOneAndDelete({ _id: 'mon_x' }).lean()).toMatchObject({ version: 2 });
});

test('bulkWrite reports the outcome of each operation', async () => {
  const model = await freshModel();
  const result = await model.bulkWrite([
    { insertOne: { document: monitor(1) } },
    { updateOne: { filter: { _id: 'mon_001' }, update: { $set: { name: 'B' } } } },
    { replaceOne: { filter: { _id: 'mon_002' }, replacement: monitor(2), upsert: true } },
    { updateMany: { filter: {}, update: { $inc: { version: 1 } } } },
    { deleteOne: { filter: { _id: 'mon_001' } } },
  ]);
  expect(result).toMatchObject({
    insertedCount: 1,
    matchedCount: 3,
    modifiedCount: 3,
    upsertedCount: 1,
    deletedCount: 1,
  });
});

test('aggregate supports the groupings that the service uses', async () => {
  const model = await freshModel();
  await model.insertMany(many);
  const groups = await model.aggregate([
    { $match: { _id: { $lt: 'mon_010' } } },
    {
      $group: {
        _id: '$accountId',
        n: { $sum: 1 },
        last: { $max: '$at' },
        first: { $min: '$at' },
      },
    },
    { $sort: { _id: 1 } },
  ]);
  expect(groups).toEqual([
    { _id: 'acc_0', n: 5, last: monitor(8).at, first: monitor(0).at },
    { _id: 'acc_1', n: 5, last: monitor(9).at, first: monitor(1).at },
  ]);
});

test('a duplicate key names its index, pattern and value', async () => {
  const model = await freshModel();
  await model.create({ ...monitor(1), key: 'k' });
  await model.create({ ...monitor(2), key: 'k' });
  await expect(model.create({ ...monitor(3), key: 'k' })).rejects.toMatchObject({
    code: 11000,
    keyPattern: { accountId: 1, key: 1 },
    keyValue: { accountId: 'acc_1', key: 'k' },
    message: expect.stringContaining(
      'index: accountId_1_key_1 dup key: { accountId: "acc_1", key: "k" }',
    ),
  });
});

test('explain names the index that is used', async () => {
  const model = await freshModel();
  await model.insertMany(many);
  const plan = async (query: Record<string, unknown>) =>
    model.collection.find(query).sort({ at: -1 }).limit(5).explain('executionStats');
  expect(await plan({ accountId: 'acc_1' })).toMatchObject({
    queryPlanner: {
      winningPlan: {
        stage: 'LIMIT',
        inputStage: {
          stage: 'FETCH',
          inputStage: { stage: 'IXSCAN', indexName: 'accountId_1_at_-1' },
        },
      },
    },
    executionStats: { nReturned: 5, totalDocsExamined: 5 },
  });
  expect(await plan({ name: 'x' })).toMatchObject({
    queryPlanner: {
      winningPlan: { inputStage: { stage: 'SORT', inputStage: { stage: 'COLLSCAN' } } },
    },
  });
});

test('200 parallel increments add up to 200', async () => {
  const model = await freshModel();
  await model.create({ ...monitor(1), version: 0 });
  await Promise.all(
    Array.from({ length: 200 }, () =>
      model.updateOne({ _id: 'mon_001' }, { $inc: { version: 1 } }),
    ),
  );
  expect((await model.findById('mon_001').lean())?.version).toBe(200);
});

test('20 parallel upserts of one _id insert one document', async () => {
  const model = await freshModel();
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      model.updateOne({ _id: 'mon_001' }, { $set: { name: `n${index}` } }, { upsert: true }),
    ),
  );
  expect(results.filter((one) => one.upsertedCount === 1)).toHaveLength(1);
  expect(await model.countDocuments()).toBe(1);
});

test('only one of 50 writers with the same expected version succeeds', async () => {
  const model = await freshModel();
  await model.create(monitor(1));
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      model.findOneAndUpdate(
        { _id: 'mon_001', version: 1 },
        { $set: { version: 2, name: `w${index}` } },
      ),
    ),
  );
  expect(results.filter((one) => one !== null)).toHaveLength(1);
});

test('20 parallel inserts of one unique key give one document and 19 duplicate key errors', async () => {
  const model = await freshModel();
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => model.create({ ...monitor(index * 2), key: 'same' })),
  );
  const codes = results.map((one) => (one.status === 'rejected' ? one.reason.code : 0));
  expect(codes.filter((code) => code === 0)).toHaveLength(1);
  expect(codes.filter((code) => code === 11000)).toHaveLength(19);
});

test('numbers keep their BSON types through updates of other fields', async () => {
  const rows = database.client.db().collection<NumberRow>('numbers');
  const big = mongo.Long.fromString('9007199254740993');
  const sent = {
    _id: 1,
    big,
    double: new mongo.Double(5),
  };
  await rows.insertOne(sent);
  await rows.updateOne({}, { $inc: { int: 1 } });
  const kept = await rows.findOne({}, { promoteValues: false });
  expect(kept?.big.toString()).toBe('9007199254740993');
  expect(kept?.double).toBeInstanceOf(mongo.Double);
  expect(kept?.int).toBeInstanceOf(mongo.Int32);
});

test('documents over 16 MB and documents with over 100 levels are refused', async () => {
  const rows = database.client.db().collection('limits');
  const raw = (text: string) => rows.insertOne({ text });
  await expect(raw('x'.repeat(16 * 1024 * 1024))).rejects.toMatchObject({ code: 2 });
  await raw('x'.repeat(15 * 1024 * 1024));
  const grown = rows.updateOne({}, { $set: { more: 'x'.repeat(2 * 1024 * 1024) } });
  await expect(grown).rejects.toMatchObject({ code: 17419 });
  let deep: mongo.Document = {};
  for (let level = 0; level < 110; level++) deep = { deep };
  await expect(rows.insertOne(deep)).rejects.toMatchObject({ code: 15 });
});

test('an index key that is too long is refused by name, and nothing is written', async () => {
  const rows = database.client.db().collection<{ _id: number; url: string }>('long');
  await rows.createIndex({ url: 1 });
  await expect(rows.insertOne({ _id: 1, url: 'x'.repeat(3000) })).rejects.toMatchObject({
    code: 17280,
  });
  expect(await rows.countDocuments()).toBe(0);
});

test.each([
  ['$lookup', { $lookup: { from: 'x', localField: 'a', foreignField: 'b', as: 'c' } }, 40324],
  ['$out', { $out: 'x' }, 40324],
  ['$merge', { $merge: 'x' }, 40324],
  ['$project', { $project: { a: { $gt: ['$n', null] } } }, 40324],
  ['$unwind', { $unwind: '$a' }, 40324],
  ['$function', { $group: { _id: { $function: { body: 'x', args: [], lang: 'js' } } } }, 168],
  ['$gt', { $group: { _id: { $gt: ['$n', null] } } }, 168],
  ['$range', { $group: { _id: null, n: { $sum: { $range: [0, 2147483647] } } } }, 168],
  ['$literal', { $group: { _id: { $literal: '$a' } } }, 168],
  ['a key of several fields', { $group: { _id: { a: '$a' } } }, 238],
  ['a key that is a list', { $group: { _id: ['$a'] } }, 238],
  ['$$ROOT', { $group: { _id: '$$ROOT' } }, 168],
  ['$avg', { $group: { _id: 1, a: { $avg: '$n' } } }, 15952],
  ['$accumulator', { $group: { _id: 1, a: { $accumulator: {} } } }, 15952],
])('the embedded database refuses an aggregation with %s', async (_name, stage, code) => {
  const run = database.client.db().collection('refused').aggregate([stage]).toArray();
  await expect(run).rejects.toMatchObject({ code });
});

const DECIMAL = mongo.Decimal128.fromString('0.1');

/** A name, a command, and the error code of its refusal. */
type Refusal = [string, mongo.Document, number];

const REFUSED: Refusal[] = [
  ['$where', { find: 'c', filter: { $where: '1' } }, 2],
  ['$expr', { find: 'c', filter: { $expr: true } }, 2],
  ['a decimal to store', { insert: 'c', documents: [{ _id: 1, d: DECIMAL }] }, 238],
  ['a decimal to find', { find: 'c', filter: { d: { $gt: DECIMAL } } }, 238],
  ['a decimal to add', { update: 'c', updates: [{ q: {}, u: { $inc: { d: DECIMAL } } }] }, 238],
  ...['$type', '$size', '$all', '$mod', '$elemMatch', '$not'].map<Refusal>((name) => [
    name,
    { find: 'c', filter: { a: { [name]: 1 } } },
    2,
  ]),
  ['$options', { find: 'c', filter: { a: { $regex: 'a', $options: 'i' } } }, 2],
  ...['a.b', '^a', 'a|b', 'a{2}', '\\d', '[a]', '(a', 'a\\'].map<Refusal>(($regex) => [
    `the pattern ${$regex}`,
    { find: 'c', filter: { a: { $regex } } },
    51091,
  ]),
  ...[/a/, new mongo.Timestamp(1n), new mongo.Code('1'), new mongo.MinKey()].flatMap<Refusal>(
    (a) => [
      [`a ${a.constructor.name} to find`, { find: 'c', filter: { a: { $in: [a] } } }, 238],
      [`a ${a.constructor.name} to store`, { insert: 'c', documents: [{ _id: 1, a }] }, 238],
    ],
  ),
  ['$slice in a projection', { find: 'c', projection: { a: { $slice: 1 } } }, 31325],
  ['$elemMatch in a projection', { find: 'c', projection: { a: { $elemMatch: {} } } }, 31325],
  ['a projection that excludes', { find: 'c', projection: { a: 0 } }, 238],
  ...['$mul', '$rename', '$currentDate', '$addToSet', '$pull', '$pullAll', '$pop'].map<Refusal>(
    (name) => [name, { update: 'c', updates: [{ q: {}, u: { [name]: { a: 1 } } }] }, 9],
  ),
  ...['$sort', '$position'].map<Refusal>((name) => [
    `$push with ${name}`,
    { update: 'c', updates: [{ q: {}, u: { $push: { a: { $each: [1], [name]: 1 } } } }] },
    2,
  ]),
  ...['a.$', 'a.$[]', 'a.$[one]'].map<Refusal>((path) => [
    `the path ${path}`,
    { update: 'c', updates: [{ q: {}, u: { $set: { [path]: 1 } } }] },
    238,
  ]),
  [
    'an array filter',
    { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, arrayFilters: [] }] },
    40415,
  ],
  ['distinct', { distinct: 'c', key: 'a' }, 59],
  ['a collation', { find: 'c', collation: { locale: 'de' } }, 238],
  ['an update by pipeline', { update: 'c', updates: [{ q: {}, u: [{ $set: { a: 1 } }] }] }, 238],
  [
    'a TTL index',
    { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', expireAfterSeconds: 1 }] },
    67,
  ],
  ['a sparse index', { createIndexes: 'c', indexes: [{ key: { a: 1 }, sparse: true }] }, 67],
  ['a capped collection', { create: 'c', capped: true, size: 1000 }, 72],
  [
    'a transaction',
    {
      insert: 'c',
      documents: [{ _id: 1 }],
      txnNumber: mongo.Long.ONE,
      startTransaction: true,
      autocommit: false,
    },
    20,
  ],
  ['write concern 2', { insert: 'c', documents: [{ _id: 1 }], writeConcern: { w: 2 } }, 2],
  ['mapReduce', { mapReduce: 'c' }, 59],
];

test.each(REFUSED)(
  'the embedded database refuses %s with an error',
  async (_name, command, code) => {
    const refused = database.client
      .db('refusals')
      .command(command)
      .then((answer) => Promise.reject(answer['writeErrors']?.[0] ?? new Error('accepted')));
    await expect(refused).rejects.toMatchObject({ code });
  },
);
