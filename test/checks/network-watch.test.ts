/** Tests whether a probe can distinguish broken targets from its own broken network. The canaries are real sockets. */
import { createServer, type Server } from 'node:net';
import { type CanaryHost, createNetworkWatch } from '../../src/checks/network-watch';
import type { StepOutcome } from '../../src/contracts/outcome';
import { outcomeOf } from '../support/outcomes';

/** Returns the outcome of a check that begins now and cannot connect. */
const unreachable = (): StepOutcome => ({
  ...outcomeOf('down'),
  startedAt: new Date(nowMs).toISOString(),
  response: null,
  failure: { code: 'connection_timeout', message: 'No connection within 5 s.', phase: 'connect' },
});
const response = {
  status: 500,
  httpVersion: '1.1',
  bytes: 0,
  remoteIp: null,
  finalUrl: 'http://shop.example/',
  redirects: 0,
  bodyPreview: null,
  truncated: false,
};
const answering = (): StepOutcome => ({ ...outcomeOf('up'), response });
const refusing: StepOutcome = {
  ...outcomeOf('down'),
  response,
  failure: { code: 'assertion_failed', message: 'status is 500', phase: 'assert' },
};

let canary: Server;
let there: CanaryHost;
let nowMs = 0;

beforeEach(async () => {
  nowMs += 3_600_000;
  canary = createServer((socket) => socket.destroy());
  there = await listen(canary, 0);
});
afterEach(() => close(canary));

function listen(server: Server, port: number): Promise<CanaryHost> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const chosen = typeof address === 'object' && address !== null ? address.port : 0;
      resolve({ host: '127.0.0.1', port: chosen });
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Closes the canary and starts another one, because the hook after the test closes a canary. */
async function stopCanary(): Promise<void> {
  await close(canary);
  canary = createServer();
  await listen(canary, 0);
}

const watch = (...canaries: CanaryHost[]) => createNetworkWatch({ canaries, nowMs: () => nowMs });

test('without canaries, the network watch changes no outcome', async () => {
  const outcome = unreachable();
  expect(await watch().judge(outcome)).toBe(outcome);
});

test('while a canary responds, an unreachable target is down, not unknown', async () => {
  const network = watch(there);
  const outcome = unreachable();
  expect(await network.judge(outcome)).toBe(outcome);
  expect(await network.look()).toBeNull();
});

test('once neither targets nor canaries respond, outcomes are unknown until a canary responds again', async () => {
  const network = watch(there);
  expect(await network.look()).toBeNull();
  await close(canary);
  nowMs += 1_000;
  const outcome = await network.judge(unreachable());
  expect(outcome).toMatchObject({ status: 'unknown', failure: { code: 'region_unavailable' } });
  const sinceMs = nowMs;
  nowMs += 3_600_000;
  expect(await network.judge(unreachable())).toMatchObject({ status: 'unknown' });
  expect(await network.look()).toBe(sinceMs);
  canary = createServer((socket) => socket.destroy());
  await listen(canary, there.port);
  nowMs += 20_000;
  expect(await network.look()).toBeNull();
  const down = unreachable();
  expect(await network.judge(down)).toBe(down);
});

test('while another target responds, an unreachable target is down even if no canary responds', async () => {
  const network = watch(there);
  await network.look();
  await stopCanary();
  const outcome = unreachable();
  nowMs += 500;
  await network.judge(answering());
  expect(await network.judge(outcome)).toBe(outcome);
});

test('a response that fails its assertions counts as evidence that the network works', async () => {
  const network = watch(there);
  await network.look();
  await stopCanary();
  expect(await network.judge(refusing)).toBe(refusing);
});

test('a canary without a response changes no outcome if it has not responded for ten minutes', async () => {
  const network = watch(there);
  await network.look();
  await stopCanary();
  nowMs += 11 * 60_000;
  const outcome = unreachable();
  expect(await network.judge(outcome)).toBe(outcome);
});

test('checks that fail at the same time share one test of the canaries', async () => {
  let looks = 0;
  canary.on('connection', () => {
    looks += 1;
  });
  const network = watch(there);
  await Promise.all(Array.from({ length: 50 }, () => network.judge(unreachable())));
  expect(looks).toBe(1);
});
