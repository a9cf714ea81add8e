// Tests how much memory clients can make the server use: partial messages, waiting messages, unread replies. The
// database runs in this process, with limits so small that a test reaches them at once.
import type { Socket } from 'node:net';
import { type RunningDatabase, startDatabase } from '../../../src/embedded/database/server';
import { FrameReader } from '../../../src/embedded/database/wire/frame-reader';
import { waitUntil } from '../../support/wait-until';
import { makeFolder, removeFolder } from './database-process';
import { message, nextReply, openSocket } from './wire-client';

const MEGABYTE = 1024 * 1024;
const LIMITS = {
  unservedBytesMax: 4 * MEGABYTE,
  unreadBytesMax: 4 * MEGABYTE,
  halfMessageMs: 60_000,
};
const PING = message(0, { ping: 1, $db: 'admin' });

const running: { dir: string; database: RunningDatabase }[] = [];

async function start(limits: Partial<typeof LIMITS> = {}): Promise<number> {
  const dir = makeFolder();
  const database = await startDatabase({ dir, port: 0 }, { ...LIMITS, ...limits });
  running.push({ dir, database });
  return database.port;
}

afterEach(async () => {
  for (const { dir, database } of running.splice(0)) {
    await database.close();
    removeFolder(dir);
  }
});

function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.on('error', () => socket.destroy());
  });
}

async function ping(socket: Socket) {
  const reply = nextReply(socket);
  socket.write(PING);
  return reply;
}

function insertOf(bytes: number): Buffer {
  const documents = [{ text: 'x'.repeat(bytes) }];
  return message(0, { insert: 'rows', documents, $db: 'traffic' });
}

test('an incomplete message times out only its own connection', async () => {
  const port = await start({ halfMessageMs: 50 });
  const [half, whole] = [await openSocket(port), await openSocket(port)];
  half.write(PING.subarray(0, 20));
  await ended(half);
  expect(await ping(whole)).toMatchObject({ ok: 1 });
  whole.destroy();
});

test('if incomplete messages together exceed the memory limit, only some of their connections are closed', async () => {
  const port = await start();
  const sockets = await Promise.all(Array.from({ length: 8 }, () => openSocket(port)));
  const gone = new Set<Socket>();
  for (const socket of sockets) {
    void ended(socket).then(() => gone.add(socket));
    socket.write(insertOf(2 * MEGABYTE).subarray(0, MEGABYTE));
  }
  await waitUntil('a connection is closed', () => gone.size > 0);
  expect(gone.size).toBeLessThan(sockets.length);
  for (const socket of sockets) socket.destroy();
  const other = await openSocket(port);
  await waitUntil('room for a message', async () => {
    const reply = nextReply(other);
    other.write(insertOf(MEGABYTE));
    return (await reply)?.['n'] === 1;
  });
  other.destroy();
});

test('a client that does not read its replies delays no other client, and gets all replies later', async () => {
  const port = await start({ unreadBytesMax: 100 * MEGABYTE });
  const socket = await openSocket(port);
  const stored = nextReply(socket);
  socket.write(insertOf(900_000));
  await stored;
  socket.pause();
  const find = message(0, { find: 'rows', $db: 'traffic' });
  socket.write(Buffer.concat(Array.from({ length: 40 }, () => find)));
  const other = await openSocket(port);
  expect(await ping(other)).toMatchObject({ ok: 1 });
  const reader = new FrameReader();
  let replies = 0;
  socket.on('data', (bytes: Buffer) => {
    replies += reader.push(bytes).length;
  });
  socket.resume();
  await waitUntil('all replies', () => replies === 40);
  socket.destroy();
  other.destroy();
});

test('if unread replies exceed the limit, the connection that has not read for longest is closed', async () => {
  const port = await start({ unservedBytesMax: 100 * MEGABYTE });
  const first = await openSocket(port);
  const stored = nextReply(first);
  first.write(insertOf(8 * MEGABYTE));
  await stored;
  const stalled = await Promise.all(Array.from({ length: 6 }, () => openSocket(port)));
  const gone: number[] = [];
  for (const [index, socket] of stalled.entries()) {
    void ended(socket).then(() => gone.push(index));
    socket.pause();
    socket.write(message(0, { find: 'rows', $db: 'traffic' }));
    expect(await ping(first)).toMatchObject({ ok: 1 });
  }
  for (const socket of stalled) socket.resume();
  await waitUntil('connections to end', () => gone.includes(0));
  for (const socket of [first, ...stalled]) socket.destroy();
});

test('a frame is read correctly from pieces of any size', () => {
  const bytes = Buffer.concat([PING, insertOf(5000), PING]);
  for (const size of [1, 3, 17, 1000, bytes.length]) {
    const reader = new FrameReader();
    const frames: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      frames.push(...reader.push(Buffer.from(bytes.subarray(at, at + size))));
    }
    expect(Buffer.concat(frames).equals(bytes)).toBe(true);
    expect(frames).toHaveLength(3);
    expect(reader.heldBytes).toBe(0);
  }
});
