/** Tests streams of events over real sockets, with a feed that the test controls. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { streamChanges } from '../../../src/api/routing/event-stream';
import { AppError } from '../../../src/platform/errors';
import type { ChangeListener } from '../../../src/services/live/change-feed';
import { waitUntil } from '../../support/wait-until';

const listeners = new Set<ChangeListener>();
const feed = {
  listen: (_accountId: string, listener: ChangeListener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  close: () => undefined,
};
let refusal: AppError | null = null;
/** What happens to a request before its stream starts. */
let beforeStart: (response: ServerResponse) => Promise<void> = async () => undefined;
let started = 0;
let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    await beforeStart(response);
    const admitAgain = async (): Promise<void> => {
      if (refusal !== null) throw refusal;
    };
    await streamChanges(feed, 'acc_1', { request, response, admitAgain });
    started += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = isAddress(address) ? address.port : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  refusal = null;
  beforeStart = async () => undefined;
  started = 0;
  listeners.clear();
  jest.useFakeTimers({ doNotFake: REAL });
});
afterEach(() => jest.useRealTimers());

/** Timers and clocks that stay real. Only intervals are fake. */
const REAL: FakeableAPI[] = [
  'Date',
  'nextTick',
  'setImmediate',
  'setTimeout',
  'clearTimeout',
  'performance',
  'hrtime',
];
type FakeableAPI =
  | 'Date'
  | 'nextTick'
  | 'setImmediate'
  | 'setTimeout'
  | 'clearTimeout'
  | 'performance'
  | 'hrtime';

function isAddress(address: ReturnType<Server['address']>): address is AddressInfo {
  return address !== null && typeof address === 'object';
}

/** Connects a client that reads until the stream ends. */
async function listen() {
  const socket = connect(port, '127.0.0.1');
  const state = { text: '', isOver: false };
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    state.text += String(chunk);
  });
  socket.on('close', () => {
    state.isOver = true;
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await waitUntil('the stream has come so far', () => state.text.includes('\r\n\r\n'));
  await waitUntil('the stream has come so far', () => listeners.size === 1);
  return { socket, state };
}

const CHANGE = { kind: 'run', id: 'run_1', scenarioId: 'scn_1' } as const;

function tell(): void {
  for (const { onChange } of listeners) onChange(CHANGE);
}

it('an event stream sends changes and keep-alives, and forbids caching', async () => {
  const { socket, state } = await listen();
  tell();
  await waitUntil('the stream has come so far', () => state.text.includes('event:change'));
  expect(state.text).toMatch(/^content-type: text\/event-stream/im);
  expect(state.text).toMatch(/^cache-control: .*no-store/im);
  expect(state.text).toContain(`data:${JSON.stringify(CHANGE)}`);
  const sentBefore = state.text.length;
  jest.advanceTimersByTime(15_000);
  await waitUntil('the stream has come so far', () => state.text.length > sentBefore);
  socket.destroy();
  await waitUntil('the stream has come so far', () => listeners.size === 0);
});

it.each(['revoked_token', 'account_suspended', 'second_factor_required', 'rate_limited'] as const)(
  'an event stream ends within a minute once its request would be refused with %s',
  async (code) => {
    const { state } = await listen();
    refusal = new AppError(code, 'This request is refused now.');
    jest.advanceTimersByTime(30_000);
    await waitUntil('the stream has come so far', () => state.text.endsWith('0\r\n\r\n'));
    expect(listeners.size).toBe(0);
  },
);

it('an event stream continues while the database is away and its credentials cannot be verified', async () => {
  const { socket, state } = await listen();
  refusal = new AppError('unavailable', 'The database is away.');
  jest.advanceTimersByTime(60_000);
  tell();
  await waitUntil('the stream has come so far', () => state.text.includes('event:change'));
  expect(state.isOver).toBe(false);
  socket.destroy();
  await waitUntil('the stream has come so far', () => listeners.size === 0);
});

it('an event stream ends at once when the change feed ends', async () => {
  const { state } = await listen();
  for (const { onEnd } of listeners) onEnd();
  await waitUntil('the stream has come so far', () => state.text.endsWith('0\r\n\r\n'));
});

it('a client that does not read its event stream is disconnected', async () => {
  const { socket, state } = await listen();
  socket.pause();
  for (let count = 0; count < 100_000 && listeners.size > 0; count += 1) {
    tell();
    if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(listeners.size).toBe(0);
  socket.resume();
  await waitUntil('the stream has come so far', () => state.isOver);
});

it.each([
  ['before its stream starts', false],
  ['while its stream starts', true],
])('a client that disconnects %s leaves no listener and no timer', async (_when, isStarting) => {
  let socket: Socket | null = null;
  beforeStart = async (response) => {
    const closed = once(response, 'close');
    socket?.destroy();
    if (!isStarting) await closed;
  };
  socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await waitUntil('the stream has started', () => started === 1);
  await waitUntil('the listener is removed', () => listeners.size === 0);
  expect(jest.getTimerCount()).toBe(0);
});
