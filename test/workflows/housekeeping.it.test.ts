/** The housekeeping workflow on a virtual clock: when its parts are asked for, and what they are told. */
import {
  HOUSEKEEPING_PARTS,
  HOUSEKEEPING_WORKFLOW_ID,
  type HousekeepingTask,
  PASS_NOW_SIGNAL,
} from '../../src/contracts/housekeeping';
import { createLogger } from '../../src/platform/logger';
import { keepHousekeeping } from '../../src/temporal/keep-housekeeping';
import { waitUntil } from '../support/wait-until';
import { startVirtualService, type VirtualService } from './virtual-service';

const MINUTE = 60_000;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService([]);
});
afterAll(() => service.stop());

const handle = () => service.environment.client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID);
const passes = () => service.ledger.chores.filter(({ part }) => part === 'reconcile');
const partsOf = (tasks: readonly HousekeepingTask[]) => tasks.map(({ part }) => part).toSorted();
const everyPart = HOUSEKEEPING_PARTS.toSorted();
const passNow = () => handle().signal(PASS_NOW_SIGNAL);

test('whoever looks after it, there is one of it, and it begins with a pass of every part', async () => {
  const { client } = service.environment;
  const stops = [1, 2, 3].map(() => keepHousekeeping(client, createLogger('test', 'silent')));
  await waitUntil('the first pass', () => passes().length > 0);
  for (const stop of stops) stop();
  await waitUntil('the requests are answered', async () => {
    await service.pass(1_000);
    return passes().length >= 1;
  });
  const first = service.ledger.chores.slice(0, HOUSEKEEPING_PARTS.length);
  expect(partsOf(first)).toEqual(everyPart);
  expect(first.every(({ sinceMs }) => sinceMs === null)).toBe(true);
});

test('a pass follows every minute, told when the one before began', async () => {
  service.ledger.chores.length = 0;
  const startedAtMs = await service.nowMs();
  await service.pass(5 * MINUTE);
  const told = passes().map(({ sinceMs }) => Number(sinceMs));
  expect(told.length).toBeGreaterThanOrEqual(4);
  expect(told.length).toBeLessThanOrEqual(6);
  for (const [index, sinceMs] of told.slice(2).entries()) {
    expect(sinceMs - Number(told[index + 1])).toBeGreaterThanOrEqual(MINUTE);
    expect(sinceMs - Number(told[index + 1])).toBeLessThan(MINUTE + 5_000);
  }
  expect(Number(told.at(-1))).toBeGreaterThan(startedAtMs);
});

test('a request brings the next pass forward', async () => {
  await service.pass(MINUTE);
  const before = passes().length;
  await passNow();
  await waitUntil('a pass', () => passes().length > before);
});

test('parts that fail are tried again, stop no other, and are told of their last success', async () => {
  await passNow();
  await service.pass(MINUTE);
  const { ledger } = service;
  const lastSuccess = passes().at(-1);
  ledger.isAway = true;
  await service.pass(3 * MINUTE);
  ledger.chores.length = 0;
  await service.pass(2 * MINUTE);
  const failing = [...ledger.chores];
  ledger.isAway = false;
  for (const part of HOUSEKEEPING_PARTS) {
    const asked = failing.filter((task) => task.part === part);
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(new Set(asked.map(({ sinceMs }) => sinceMs)).size).toBe(1);
  }
  expect(Number(failing[0]?.sinceMs)).toBeGreaterThanOrEqual(Number(lastSuccess?.sinceMs));
  await service.pass(MINUTE);
  expect((await handle().describe()).status.name).toBe('RUNNING');
});

test('its history stays short, and what it knows outlives a fresh one', async () => {
  const first = (await handle().describe()).runId;
  service.ledger.chores.length = 0;
  await service.pass(15 * MINUTE);
  const now = await handle().describe();
  expect(now.runId).not.toBe(first);
  expect(Number(now.historyLength)).toBeLessThan(500);
  expect(service.ledger.chores.every(({ sinceMs }) => sinceMs !== null)).toBe(true);
});

// From here on the server no longer skips time: an activity ends without its completion.
test('a part that hangs holds up no other, however many passes follow', async () => {
  const { ledger } = service;
  ledger.hangingPart = 'retention';
  ledger.chores.length = 0;
  const countOf = (part: string) => ledger.chores.filter((task) => task.part === part).length;
  await passNow();
  await waitUntil('the part hangs', () => countOf('retention') > 0);
  for (const pass of [1, 2, 3]) {
    const before = countOf('reconcile');
    await passNow();
    await waitUntil(`pass ${pass} of the others`, () => countOf('reconcile') > before);
  }
  const others = HOUSEKEEPING_PARTS.filter((part) => part !== 'retention');
  await waitUntil('all of them', () => others.every((part) => countOf(part) >= 3));
  expect(countOf('retention')).toBe(1);
});
