/** Tests a database whose connections close at the very moment at which a command is written to them. */
import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { z } from 'zod';
import type { Database } from '../../../src/models/store/database';
import { withinDeadline } from '../../../src/models/store/deadline';
import { waitUntil } from '../../support/wait-until';
import { type FaultyLink, openFaultyLink } from '../faulty-link';
import { connectTo, openTestDatabase, type TestDatabase } from '../test-database';

const DEADLINES = { callMs: 2_000, connectMs: 500 };
const published = z.object({ socket: z.custom<Socket>() });

const sockets = new Set<Socket>();
const keep = (message: unknown) => sockets.add(published.parse(message).socket);
let opened: TestDatabase;
let link: FaultyLink;
let database: Database;

beforeAll(async () => {
  opened = await openTestDatabase();
  link = await openFaultyLink(opened.uri);
  channel('net.client.socket').subscribe(keep);
  database = await connectTo(link.uri, opened.name, DEADLINES);
});

afterAll(async () => {
  channel('net.client.socket').unsubscribe(keep);
  await database?.close();
  await link?.close();
  await opened?.close();
});

/** Sends a write, because the driver repeats reads but no writes. */
const write = () =>
  withinDeadline(() => database.models.monitors.deleteOne({ _id: 'none' }), DEADLINES.callMs);

/** Destroys the sockets. The events `close` are emitted later. */
function closeSockets(): void {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

const waitForDatabase = () =>
  waitUntil('the database responds', () =>
    write().then(
      () => true,
      () => false,
    ),
  );

const nextHeartbeat = (event: 'serverHeartbeatStarted' | 'serverHeartbeatSucceeded') =>
  new Promise<void>((resolve) => database.connection.getClient().once(event, () => resolve()));

test('a database command fails at once if its connection closes while the command is written', async () => {
  await waitForDatabase();
  closeSockets();
  await expect(write()).rejects.toMatchObject({
    code: 'unavailable',
    cause: { name: 'MongoNetworkError' },
  });
});

test("the driver finds the database again after a connection closes during the driver's heartbeat", async () => {
  await waitForDatabase();
  // Waits for a heartbeat, because the next heartbeat then uses the same connection.
  await nextHeartbeat('serverHeartbeatSucceeded');
  database.connection.getClient().once('serverHeartbeatStarted', closeSockets);
  await nextHeartbeat('serverHeartbeatStarted');
  link.cut();
  await waitUntil('the loss is noticed', () =>
    write().then(
      () => false,
      (error) => error.cause?.name === 'MongoServerSelectionError',
    ),
  );
  link.heal();
  await waitForDatabase();
});
