// Tests that clients cannot make the database use more than a limited amount of memory, and that the database respects
// the time limits of clients. The process has a heap of 256 MB, which an unlimited sort would exhaust.
import type { Long } from 'bson';
import type { mongo } from 'mongoose';
import { waitUntil } from '../../support/wait-until';
import { type DatabaseProcess, makeFolder, removeFolder, startProcess } from './database-process';
import { type Fields, message, nextReply, openSocket } from './wire-client';

const ROWS = 10_000;
const FIELDS_PER_ROW = 60;
// Number of concurrent sorts. Together they would use twice the memory that the database allows.
const SORTS = 24;

const dir = makeFolder();
let database: DatabaseProcess;
let rows: mongo.Collection<Fields & { _id: number }>;

// Builds a document that uses ten times its bytes when decoded.
function row(index: number): Fields & { _id: number } {
  const fields: Fields = {};
  for (let n = 0; n < FIELDS_PER_ROW; n++) fields[`f${n}`] = index + n;
  return { _id: index, rank: (index * 7919) % ROWS, ...fields };
}

beforeAll(async () => {
  database = await startProcess(dir);
  rows = database.client.db('memory').collection('rows');
  for (let at = 0; at < ROWS; at += 5000) {
    await rows.insertMany(Array.from({ length: 5000 }, (_, index) => row(at + index)));
  }
});

afterAll(async () => {
  await database.end();
  removeFolder(dir);
});

const sorted = { find: 'rows', sort: { rank: 1 }, batchSize: 10, $db: 'memory' };

/** Sends a command on a new connection, which stays open. */
async function ask(command: Fields) {
  const socket = await openSocket(database.port);
  const reply = nextReply(socket);
  socket.write(message(0, command));
  return { socket, reply: (await reply) ?? {} };
}

interface Opened {
  readonly cursor: { readonly id: Long; readonly firstBatch: readonly { readonly rank: number }[] };
}

function isOpened(reply: Fields): reply is Fields & Opened {
  return 'cursor' in reply;
}

test('if concurrent sorts together exceed the memory limit, some of them fail with error 292', async () => {
  const all = await Promise.all(Array.from({ length: SORTS }, () => ask(sorted)));
  const opened = all.filter(({ reply }) => isOpened(reply));
  const refused = all.filter(({ reply }) => reply['code'] === 292);
  expect(opened.length).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(0);
  expect(opened.length + refused.length).toBe(all.length);
  for (const { reply } of opened) {
    if (isOpened(reply)) expect(reply.cursor.firstBatch.map((one) => one.rank)).toEqual(TEN);
  }
  for (const { socket } of all) socket.destroy();
  await waitUntil('the memory is free', async () => isOpened(await askAndLeave(sorted)));
  const whole = await rows.find().sort({ rank: -1 }).project({ rank: 1 }).toArray();
  expect(whole.map((one) => one['rank'])).toEqual(
    Array.from({ length: ROWS }, (_, index) => ROWS - 1 - index),
  );
});

const TEN = Array.from({ length: 10 }, (_, index) => index);

async function askAndLeave(command: Fields): Promise<Fields> {
  const { socket, reply } = await ask(command);
  socket.destroy();
  return reply;
}

test('a sort with a limit needs memory only for the documents that it returns', async () => {
  const held = await ask(sorted);
  const many = await Promise.all(
    Array.from({ length: 8 }, () => rows.find().sort({ rank: -1 }).limit(20).toArray()),
  );
  for (const found of many) expect(found[0]?.['rank']).toBe(ROWS - 1);
  held.socket.destroy();
});

test('a cursor cannot be found by another connection once its own connection is closed', async () => {
  const { socket, reply } = await ask({ ...sorted, sort: { _id: 1 } });
  const id = isOpened(reply) ? reply.cursor.id : undefined;
  const more = { getMore: id, collection: 'rows', batchSize: 1, $db: 'memory' };
  expect(await askAndLeave(more)).toMatchObject({ ok: 1 });
  socket.destroy();
  await waitUntil('the cursor is closed', async () => (await askAndLeave(more))['code'] === 43);
});

test('a cursor that continues on another connection survives the end of its first connection', async () => {
  const first = await ask({ ...sorted, sort: { _id: 1 } });
  const id = isOpened(first.reply) ? first.reply.cursor.id : undefined;
  const more = { getMore: id, collection: 'rows', batchSize: 1, $db: 'memory' };
  const second = await ask(more);
  first.socket.destroy();
  const third = nextReply(second.socket);
  second.socket.write(message(0, more));
  expect(await third).toMatchObject({ ok: 1 });
  second.socket.destroy();
});

const slow = { f1: { $gte: 0 }, f2: { $lt: -1 } };

test.each([
  ['find', { find: 'rows', filter: slow }],
  ['a sort', { find: 'rows', sort: { rank: 1 } }],
  ['count', { count: 'rows', query: slow }],
  ['aggregate', { aggregate: 'rows', pipeline: [{ $group: { _id: '$rank' } }], cursor: {} }],
  [
    'an update of many documents',
    { update: 'rows', updates: [{ q: slow, u: { $set: { a: 1 } }, multi: true }] },
  ],
  ['a delete of many documents', { delete: 'rows', deletes: [{ q: slow, limit: 0 }] }],
  ['findAndModify', { findAndModify: 'rows', query: slow, update: { $set: { a: 1 } } }],
])('if %s takes longer than maxTimeMS, the command fails with error 50', async (_name, command) => {
  const run = database.client.db('memory').command({ ...command, maxTimeMS: 1 });
  await expect(run).rejects.toMatchObject({ code: 50, codeName: 'MaxTimeMSExpired' });
});

test('a maxTimeMS that is long enough changes nothing, and an invalid maxTimeMS is refused', async () => {
  expect(await rows.find({ _id: 7 }).maxTimeMS(60_000).toArray()).toHaveLength(1);
  const db = database.client.db('memory');
  for (const maxTimeMS of [-1, 1.5, '1', 2 ** 40]) {
    await expect(db.command({ ping: 1, maxTimeMS })).rejects.toMatchObject({ code: 2 });
  }
});
