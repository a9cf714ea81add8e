// Tests that acknowledged writes survive kill -9, a full disk and a copy while writing. All faults are real.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { isLongForm, testSize } from '../../support/test-size';
import {
  type DatabaseProcess,
  endProcesses,
  makeFolder,
  removeFolder,
  runToEnd,
  startProcess,
} from './database-process';

interface Row {
  _id: string;
  writer: number;
  n: number;
  round: number;
}

const ROUNDS = testSize('kills', { ci: 2, long: 20 });
const FULL_DISK_ROUNDS = testSize('full_disk_kills', { ci: 1, long: 3 });
const WRITERS = 8;
/** Number of rows in one insert. Large inserts fill the journal quickly, so some kills hit a commit. */
const BATCH_ROWS = 100;

const folders: string[] = [];

function folder(): string {
  const dir = makeFolder();
  folders.push(dir);
  return dir;
}

afterAll(async () => {
  await endProcesses();
  for (const dir of folders) removeFolder(dir);
});

/** Writes until the database dies. Records which writes were acknowledged. */
async function writeUntilItDies(
  rows: mongo.Collection<Row>,
  writer: number,
  note: (id: string, n: number) => void,
  round: number,
): Promise<void> {
  for (let n = 0; ; n++) {
    const _id = `${round}:${writer}:${n >> 1}`;
    try {
      if (n % 2 === 0) await rows.insertOne({ _id, writer, n, round });
      else await rows.updateOne({ _id }, { $set: { n } });
    } catch {
      return;
    }
    note(_id, n);
  }
}

/** Inserts batch after batch until the database dies. */
async function insertUntilItDies(
  rows: mongo.Collection<Row>,
  writer: number,
  note: (id: string, n: number) => void,
  round: number,
): Promise<void> {
  for (let n = 0; ; n++) {
    const batch = Array.from({ length: BATCH_ROWS }, (_, row) => {
      return { _id: `${round}:${writer}:${n}:${row}`, writer, n, round };
    });
    try {
      await rows.insertMany(batch);
    } catch {
      return;
    }
    for (const { _id } of batch) note(_id, n);
  }
}

/** Returns the number of rows in each batch. */
async function batchSizes(rows: mongo.Collection<Row>): Promise<number[]> {
  const sizes = new Map<string, number>();
  for (const { _id } of await rows.find({}, { projection: { _id: 1 } }).toArray()) {
    const parts = _id.split(':');
    if (parts.length < 4) continue;
    const batch = parts.slice(0, 3).join(':');
    sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
  }
  return [...sizes.values()];
}

async function assertWhole(database: DatabaseProcess, acknowledged: Map<string, number>) {
  const db = database.client.db();
  const rows = db.collection<Row>('rows');
  const stored = new Map((await rows.find().toArray()).map((row) => [row._id, row.n]));
  const lost = [...acknowledged].filter(([id, n]) => (stored.get(id) ?? -1) < n);
  expect(lost).toEqual([]);
  expect(await db.command({ validate: 'rows' })).toMatchObject({ valid: true, errors: [] });
  const ids = async (hint: Record<string, number>) =>
    (await rows.find({ writer: { $gte: 0 } }, { hint, projection: { _id: 1 } }).toArray())
      .map((row) => row._id)
      .sort();
  expect(await ids({ writer: 1, n: -1 })).toEqual(await ids({ $natural: 1 }));
}

test(`${ROUNDS} kills during the work of 8 writers lose no acknowledged write and leave no incomplete batch`, async () => {
  const dir = folder();
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const database = await startProcess(dir);
    const rows = database.client.db().collection<Row>('rows');
    if (round === 0)
      await rows.createIndexes([{ key: { writer: 1, n: -1 } }, { key: { round: 1 } }]);
    else await assertWhole(database, acknowledged);
    const jitter = (round * 37) % 60;
    const [write, enough] =
      round % 2 === 0
        ? [writeUntilItDies, acknowledged.size + 20 + jitter]
        : [insertUntilItDies, acknowledged.size + BATCH_ROWS * (8 + (jitter >> 2))];
    const killed = new Promise<void>((resolve) => {
      const note = (id: string, n: number) => {
        acknowledged.set(id, n);
        if (acknowledged.size === enough) resolve(database.end('SIGKILL').then(() => {}));
      };
      for (let writer = 0; writer < WRITERS; writer++) void write(rows, writer, note, round);
    });
    await killed;
  }
  const last = await startProcess(dir);
  await assertWhole(last, acknowledged);
  const sizes = await batchSizes(last.client.db().collection<Row>('rows'));
  expect(new Set(sizes)).toEqual(new Set([BATCH_ROWS]));
  await last.end();
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * 20);
});

test('the documents of one insertMany or bulkWrite are flushed to disk together', async () => {
  const database = await startProcess(folder());
  const db = database.client.db();
  const groupsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const count = async () => Number((await db.admin().serverStatus())['metrics'].writeGroups);
    const before = await count();
    await work();
    return (await count()) - before;
  };
  const ids = Array.from({ length: 300 }, (_, index) => index);
  const results = db.collection<{ _id: number; n: number }>('results');
  const statuses = db.collection<{ _id: number; n: number }>('statuses');
  await results.createIndex({ n: 1 });
  await statuses.createIndex({ n: 1 });
  const documents = ids.map((_id) => ({ _id, n: 0 }));
  expect(await groupsOf(() => results.insertMany(documents, { ordered: false }))).toBe(1);
  await statuses.insertMany(documents);
  const updates = ids.map((_id) => ({
    updateOne: { filter: { _id, n: { $lte: 0 } }, update: { $set: { n: _id + 1 } } },
  }));
  expect(await groupsOf(() => statuses.bulkWrite(updates, { ordered: false }))).toBe(1);
  expect(await statuses.countDocuments({ n: { $gt: 0 } })).toBe(ids.length);
  await database.end();
});

test('SIGTERM ends the embedded database with code 0 and loses no write', async () => {
  const dir = folder();
  const first = await startProcess(dir);
  await first.client.db().collection('rows').insertOne({ n: 1 });
  expect(await first.end('SIGTERM')).toBe(0);
  const second = await startProcess(dir);
  expect(await second.client.db().collection('rows').countDocuments()).toBe(1);
  await second.end();
});

test('a second process on the same data folder is refused with a one-sentence error', async () => {
  const dir = folder();
  const first = await startProcess(dir);
  const { code, stderr } = await runToEnd(['--dir', dir, '--port', '0']);
  expect(code).not.toBe(0);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain('is in use by the running process');
  await first.end();
});

test('a data folder with other content is refused with a one-sentence error', async () => {
  const dir = folder();
  mkdirSync(join(dir, 'data.mdb'));
  const { code, stderr } = await runToEnd(['--dir', dir, '--port', '0']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('cannot be opened');
});

test('a copy of the database made during writes opens and is consistent', async () => {
  const dir = folder();
  const database = await startProcess(dir);
  const rows = database.client.db().collection<Row>('rows');
  await rows.createIndex({ writer: 1, n: -1 });
  const acknowledged = new Map<string, number>();
  let writing = true;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; writing; n++) {
      await rows.insertOne({ _id: `${writer}:${n}`, writer, n, round: 0 });
      acknowledged.set(`${writer}:${n}`, n);
    }
  });
  await new Promise<void>((resolve) => {
    const look = () => (acknowledged.size > 100 ? resolve() : setImmediate(look));
    look();
  });
  const before = new Map(acknowledged);
  const copy = folder();
  const path = join(copy, 'data.mdb');
  await database.client.db('admin').command({ keepwatchBackup: 1, path });
  writing = false;
  await Promise.all(writers);
  await expect(
    database.client.db('admin').command({ keepwatchBackup: 1, path }),
  ).rejects.toMatchObject({ code: 2 });
  await database.end();
  const restored = await startProcess(copy);
  await assertWhole(restored, before);
  await restored.end();
});

test('npm run backup finds the database by --uri and writes the file', async () => {
  const database = await startProcess(folder());
  await database.client.db().collection('rows').insertOne({ n: 1 });
  const copy = folder();
  const script = join(__dirname, '..', '..', '..', 'scripts', 'backup.mjs');
  const child = spawn(process.execPath, [script, join(copy, 'data.mdb'), '--uri', database.uri]);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code).toBe(0);
  await database.end();
  const restored = await startProcess(copy);
  expect(await restored.client.db().collection('rows').countDocuments()).toBe(1);
  await restored.end();
});

test('a store on a full disk refuses writes, still reads, and opens again', async () => {
  const dir = folder();
  const limited = await startProcess(dir, { fileKilobytesMax: 8192 });
  const rows = limited.client.db().collection<{ _id: number; text: string }>('rows');
  let inserted = 0;
  const fill = async () => {
    for (; inserted < 20_000; inserted++) {
      await rows.insertOne({ _id: inserted, text: 'x'.repeat(20_000) });
    }
  };
  await expect(fill()).rejects.toMatchObject({ code: 14031, codeName: 'OutOfDiskSpace' });
  expect(inserted).toBeGreaterThan(50);
  expect(await rows.countDocuments()).toBe(inserted);
  expect(await rows.findOne({ _id: inserted - 1 })).toMatchObject({ _id: inserted - 1 });
  await expect(rows.insertOne({ _id: -1, text: 'x'.repeat(20_000) })).rejects.toMatchObject({
    code: 14031,
  });
  expect(await limited.end()).toBe(0);
  const free = await startProcess(dir);
  const again = free.client.db().collection<{ _id: number; text: string }>('rows');
  expect(await again.countDocuments()).toBe(inserted);
  await again.insertOne({ _id: -1, text: 'x' });
  expect(await free.client.db().command({ validate: 'rows' })).toMatchObject({ valid: true });
  await free.end();
});

test('deletes and drops still work on a full disk and make room for new documents', async () => {
  const dir = folder();
  const limited = await startProcess(dir, { fileKilobytesMax: 16 * 1024 });
  const db = limited.client.db();
  const rows = db.collection<{ _id: number; text: string }>('rows');
  await rows.createIndex({ text: 1 }, { partialFilterExpression: { _id: { $lt: 0 } } });
  await db.collection('other').insertOne({ text: 'x' });
  const full = { code: 14031 };
  let next = 0;
  const insertSome = (text: string) =>
    rows.insertMany(Array.from({ length: 20 }, () => ({ _id: next++, text: text.repeat(3000) })));
  const fill = async () => {
    while (next < 100_000) await insertSome('x');
  };
  await expect(fill()).rejects.toMatchObject(full);
  expect(await rows.deleteOne({ _id: 0 })).toMatchObject({ deletedCount: 1 });
  expect(await rows.findOneAndDelete({ _id: 1 })).toMatchObject({ _id: 1 });
  expect(await db.dropCollection('other')).toBe(true);
  const half = (await rows.countDocuments()) >> 1;
  expect(await rows.deleteMany({ _id: { $lt: half } })).toMatchObject({ deletedCount: half - 2 });
  for (let n = 0; n < 5; n++) await insertSome('y');
  await expect(fill()).rejects.toMatchObject(full);
  expect(await db.command({ validate: 'rows' })).toMatchObject({ valid: true });
  const count = await rows.countDocuments();
  await limited.end('SIGKILL');
  const again = await startProcess(dir);
  expect(await again.client.db().collection('rows').countDocuments()).toBe(count);
  await again.end();
});

/**
 * Known rows of a collection: rows that must exist, rows that must not exist, and rows that may exist because their
 * command got no response.
 */
interface Known {
  readonly there: Set<number>;
  readonly gone: Set<number>;
  readonly unsure: Set<number>;
}

type TextRow = { _id: number; n: number; text: string };

/** Inserts until the database dies, and deletes the oldest row whenever the disk is full. */
async function fillUntilItDies(
  rows: mongo.Collection<TextRow>,
  known: Known,
  { first, onFull }: { first: number; onFull: () => void },
): Promise<void> {
  const own: number[] = [];
  const attempt = async (id: number, command: () => Promise<unknown>): Promise<boolean> => {
    known.unsure.add(id);
    const error: unknown = await command().then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    if (error instanceof mongo.MongoServerError && error.code === 14031) onFull();
    else if (error !== undefined) throw error;
    known.unsure.delete(id);
    return error === undefined;
  };
  for (let id = first; ; id++) {
    if (
      await attempt(id, () => rows.insertOne({ _id: id, n: id % 100, text: 'x'.repeat(12_000) }))
    ) {
      known.there.add(id);
      own.push(id);
      continue;
    }
    known.gone.add(id);
    const oldest = own.shift();
    if (oldest === undefined) continue;
    if (!(await attempt(oldest, () => rows.deleteOne({ _id: oldest })))) continue;
    known.there.delete(oldest);
    known.gone.add(oldest);
  }
}

if (isLongForm)
  test(`${FULL_DISK_ROUNDS} kills on a full disk keep every acknowledged write and no refused write`, async () => {
    const limits = { fileKilobytesMax: 7 * 1024 };
    for (let round = 0; round < FULL_DISK_ROUNDS; round++) {
      const dir = folder();
      const known: Known = { there: new Set(), gone: new Set(), unsure: new Set() };
      const database = await startProcess(dir, limits);
      const rows = database.client.db().collection<TextRow>('rows');
      await rows.createIndex({ n: 1 });
      let left = 3 + ((round * 37) % 8);
      let kill = (): void => {};
      const killed = new Promise<void>((resolve) => {
        kill = () => resolve(database.end('SIGKILL').then(() => {}));
      });
      const onFull = () => {
        left -= 1;
        if (left === 0) kill();
      };
      for (let writer = 0; writer < 4; writer++) {
        const first = writer * 100_000;
        fillUntilItDies(rows, known, { first, onFull }).catch(() => {});
      }
      await killed;
      const again = await startProcess(dir, limits);
      const found = again.client.db().collection<TextRow>('rows').find();
      const stored = new Set((await found.toArray()).map((row) => row._id));
      const sure = (ids: Set<number>) => [...ids].filter((id) => !known.unsure.has(id));
      expect(sure(known.there).filter((id) => !stored.has(id))).toEqual([]);
      expect(sure(known.gone).filter((id) => stored.has(id))).toEqual([]);
      const db = again.client.db();
      expect(await db.command({ validate: 'rows' })).toMatchObject({ valid: true, errors: [] });
      await again.end('SIGKILL');
    }
  });

test('a store opens and reads on a full disk, even after kill -9', async () => {
  const dir = folder();
  const first = await startProcess(dir);
  await first.client.db().collection('rows').insertOne({ n: 1 });
  await first.end('SIGKILL');
  const full = await startProcess(dir, { fileKilobytesMax: 1 });
  const rows = full.client.db().collection('rows');
  expect(await rows.findOne({ n: 1 })).toMatchObject({ n: 1 });
  expect(await full.end()).toBe(0);
});
