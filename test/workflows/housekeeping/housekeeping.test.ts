/** Tests the housekeeping workflow on a virtual clock: when its tasks are requested, and with which input. */
import {
  HOUSEKEEPING_TASKS,
  HOUSEKEEPING_WORKFLOW_ID,
  PASS_NOW_SIGNAL,
} from '../../../src/contracts/housekeeping';
import { createLogger } from '../../../src/platform/logger';
import { ensureHousekeeping } from '../../../src/temporal/ensure-housekeeping';
import { startVirtualService, type VirtualService } from '../virtual-service';

const MINUTE = 60_000;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService([]);
});
afterAll(() => service.stop());

const handle = () => service.client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID);
const passes = () =>
  service.ledger.housekeeping.filter(({ task }) => task === 'reconcileWorkflows');
const namesOf = (tasks: VirtualService['ledger']['housekeeping']) =>
  tasks.map(({ task }) => task).toSorted();
const everyTask = HOUSEKEEPING_TASKS.toSorted();
const passNow = () => handle().signal(PASS_NOW_SIGNAL);

test('several processes run one housekeeping workflow, which starts with a pass of every task', async () => {
  const { client } = service;
  const stops = [1, 2, 3].map(() => ensureHousekeeping(client, createLogger('test', 'silent')));
  await service.until('the first pass', () => passes().length > 0);
  for (const stop of stops) stop();
  await service.until('the requests have a response', async () => {
    await service.pass(1_000);
    return passes().length >= 1;
  });
  const first = service.ledger.housekeeping.slice(0, HOUSEKEEPING_TASKS.length);
  expect(namesOf(first)).toEqual(everyTask);
  expect(first.every(({ sinceMs }) => sinceMs === null)).toBe(true);
});

test('a pass of housekeeping runs every minute and gets the start time of the previous pass', async () => {
  service.ledger.housekeeping.length = 0;
  const startedAtMs = service.nowMs();
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

test('a request brings the next pass of housekeeping forward', async () => {
  await service.pass(MINUTE);
  const before = passes().length;
  await passNow();
  await service.until('a pass', () => passes().length > before);
});

test('a failing task is retried and gets the time of its last success, and other tasks continue', async () => {
  await passNow();
  await service.pass(MINUTE);
  const { ledger } = service;
  const lastSuccess = passes().at(-1);
  ledger.isAway = true;
  await service.pass(3 * MINUTE);
  ledger.housekeeping.length = 0;
  await service.pass(2 * MINUTE);
  const failing = [...ledger.housekeeping];
  ledger.isAway = false;
  for (const name of HOUSEKEEPING_TASKS) {
    const asked = failing.filter(({ task }) => task === name);
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(new Set(asked.map(({ sinceMs }) => sinceMs)).size).toBe(1);
  }
  expect(Number(failing[0]?.sinceMs)).toBeGreaterThanOrEqual(Number(lastSuccess?.sinceMs));
  await service.pass(MINUTE);
  expect((await handle().describe()).status.name).toBe('RUNNING');
});

test('the history of housekeeping stays short, and its state survives continue-as-new', async () => {
  const first = (await handle().describe()).runId;
  service.ledger.housekeeping.length = 0;
  await service.pass(15 * MINUTE);
  const now = await handle().describe();
  expect(now.runId).not.toBe(first);
  expect(Number(now.historyLength)).toBeLessThan(500);
  expect(service.ledger.housekeeping.every(({ sinceMs }) => sinceMs !== null)).toBe(true);
});

test('a hanging task does not delay other tasks, in any number of passes', async () => {
  const { ledger } = service;
  ledger.hangingTask = 'deleteOldResults';
  ledger.housekeeping.length = 0;
  const countOf = (name: string) => ledger.housekeeping.filter(({ task }) => task === name).length;
  await passNow();
  await service.until('the task hangs', () => countOf('deleteOldResults') > 0);
  for (const pass of [1, 2, 3]) {
    const before = countOf('reconcileWorkflows');
    await passNow();
    await service.until(`pass ${pass} of the others`, () => countOf('reconcileWorkflows') > before);
  }
  const others = HOUSEKEEPING_TASKS.filter((task) => task !== 'deleteOldResults');
  await service.until('all of them', () => others.every((task) => countOf(task) >= 3));
  expect(countOf('deleteOldResults')).toBe(1);
});
