// Tests the wire protocol below the driver: every form of a frame, and invalid frames.
import { serialize } from 'bson';
import { type DatabaseProcess, makeFolder, removeFolder, startProcess } from './database-process';
import { type Fields, frame, message, nextReply, openSocket, sequence } from './wire-client';

const OP_MSG = 2013;
const OP_QUERY = 2004;

const dir = makeFolder();
let database: DatabaseProcess;

beforeAll(async () => {
  database = await startProcess(dir);
});

afterAll(async () => {
  await database.end();
  removeFolder(dir);
});

async function ask(...parts: Buffer[]): Promise<Fields | undefined> {
  const socket = await openSocket(database.port);
  const answer = nextReply(socket);
  for (const part of parts) socket.write(part);
  const result = await answer;
  socket.destroy();
  return result;
}

const ping = { ping: 1, $db: 'admin' };

test('a hello command sent as OP_QUERY gets an OP_REPLY', async () => {
  const name = Buffer.from('\0\0\0\0admin.$cmd\0\0\0\0\0\xff\xff\xff\xff', 'latin1');
  const answer = await ask(
    frame(OP_QUERY, Buffer.concat([name, serialize({ isMaster: 1, helloOk: true })])),
  );
  expect(answer).toMatchObject({ ismaster: true, helloOk: true, maxWireVersion: 21, ok: 1 });
  expect(answer).not.toHaveProperty('logicalSessionTimeoutMinutes');
});

test('a message may have a checksum and the flag exhaustAllowed', async () => {
  expect(await ask(message(1, ping, Buffer.alloc(4)))).toMatchObject({ ok: 1 });
  expect(await ask(message(1 << 16, ping))).toMatchObject({ ok: 1 });
});

test('document sequences next to the body of a message are read', async () => {
  const documents = sequence('documents', [{ _id: 1 }, { _id: 2 }]);
  const answer = await ask(message(0, { insert: 'seq', $db: 'wire' }, documents));
  expect(answer).toMatchObject({ n: 2, ok: 1 });
});

test('a message with the flag moreToCome takes effect without a reply', async () => {
  const write = message(2, { insert: 'quiet', documents: [{ _id: 1 }], $db: 'wire' });
  const count = message(0, { count: 'quiet', $db: 'wire' });
  expect(await ask(Buffer.concat([write, count]))).toMatchObject({ n: 1 });
});

test('a frame that arrives byte by byte is read', async () => {
  const bytes = message(0, ping);
  expect(await ask(...[...bytes].map((one) => Buffer.from([one])))).toMatchObject({ ok: 1 });
});

test('a command without $db is refused', async () => {
  expect(await ask(message(0, { ping: 1 }))).toMatchObject({ ok: 0, code: 40571 });
});

const length = (value: number) => {
  const bytes = message(0, ping);
  bytes.writeInt32LE(value, 0);
  return bytes;
};

test.each([
  ['a length of 3', length(3)],
  ['a negative length', length(-1)],
  ['a length past 48 MB', length(48_000_001)],
  ['an unknown operation', frame(2010, Buffer.alloc(8))],
  ['an unknown required flag', message(4, ping)],
  ['an unknown section', message(0, ping, Buffer.from([9, 1, 2, 3]))],
  ['two bodies', message(0, ping, Buffer.concat([Buffer.from([0]), serialize(ping)]))],
  ['no body', frame(OP_MSG, Buffer.alloc(4))],
  ['a sequence beyond its frame', message(0, ping, Buffer.from([1, 255, 0, 0, 0, 65, 0]))],
])('a message with %s closes only the connection that sent it', async (_name, bytes) => {
  const other = await openSocket(database.port);
  expect(await ask(bytes)).toBeUndefined();
  const answer = nextReply(other);
  other.write(message(0, ping));
  expect(await answer).toMatchObject({ ok: 1 });
  other.destroy();
});

test('a complete frame with invalid BSON gets an error response', async () => {
  const bytes = message(0, { ping: 'x', $db: 'admin' });
  bytes[25] = 0x77;
  expect(await ask(bytes)).toMatchObject({ ok: 0, code: 22 });
});

test('a document over 16 MB in a complete frame gets error 10334', async () => {
  const size = 17_000_000;
  const head = Buffer.from('\x01\0\0\0\0documents\0', 'latin1');
  head.writeInt32LE(head.length - 1 + size, 1);
  const large = Buffer.alloc(size);
  large.writeInt32LE(size, 0);
  const bytes = message(0, { insert: 'large', $db: 'wire' }, head, large);
  expect(await ask(bytes)).toMatchObject({ ok: 0, code: 10334 });
});
