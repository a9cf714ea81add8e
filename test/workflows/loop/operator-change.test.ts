/** Tests pauses and resumes that operators send with Temporal's own tools, on a virtual clock. */
import { monitorWorkflowId, SIGNALS, scenarioWorkflowId } from '../../../src/contracts/workflows';
import { monitorConfig, scenarioConfig } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const MINUTE = 60_000;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService();
});
afterAll(() => service.stop());

const handleOf = (workflowId: string) => service.client.workflow.getHandle(workflowId);
const told = (id: string) => service.ledger.operatorChanges.filter((record) => record.id === id);
const sentTo = (id: string) => service.sent.filter((step) => step.id === id).length;

async function startMonitor(id: string) {
  const config = monitorConfig(id, { anchorMs: service.nowMs() });
  await service.gateway.configureMonitor(config);
  await service.pass(MINUTE / 2);
  return config;
}

test('a pause with a note stops the checks and is recorded with its reason and its author', async () => {
  await startMonitor('mon_note');
  const handle = handleOf(monitorWorkflowId('mon_note'));
  await handle.signal(SIGNALS.pause, { by: 'ops', reason: 'the shop moves' });
  await service.until('the pause is reported', () => told('mon_note').length === 1);
  const before = sentTo('mon_note');
  await service.pass(5 * MINUTE);
  expect(sentTo('mon_note')).toBe(before);
  expect(told('mon_note')).toEqual([
    {
      accountId: 'acc_1',
      kind: 'monitor',
      id: 'mon_note',
      version: 1,
      change: { paused: true, reason: 'the shop moves (ops)', atMs: expect.any(Number) },
    },
  ]);
});

test('the end of a pause is recorded under the version of the saved pause', async () => {
  await startMonitor('mon_twice');
  const handle = handleOf(monitorWorkflowId('mon_twice'));
  await handle.signal(SIGNALS.pause);
  await service.until('the pause is reported', () => told('mon_twice').length === 1);
  await handle.signal(SIGNALS.resume);
  await service.until('the resume is reported', () => told('mon_twice').length === 2);
  const [pause, resume] = told('mon_twice');
  expect(pause).toMatchObject({ version: 1, change: { paused: true, reason: null } });
  expect(resume).toMatchObject({ version: 2, change: { paused: false, reason: null } });
  const before = sentTo('mon_twice');
  await service.pass(2.5 * MINUTE);
  expect(sentTo('mon_twice')).toBeGreaterThanOrEqual(before + 2);
});

test.each([
  ['a text instead of a note', 'please'],
  ['an unknown field', { by: 'ops', until: 'tomorrow' }],
  ['a value of a wrong type', { by: 7 }],
])('a pause or resume signal with %s is ignored', async (what, note) => {
  const id = `mon_${what.replaceAll(' ', '_')}`;
  await startMonitor(id);
  const handle = handleOf(monitorWorkflowId(id));
  await handle.signal(SIGNALS.pause, note);
  await handle.signal(SIGNALS.resume, note);
  const before = sentTo(id);
  await service.pass(2 * MINUTE);
  expect(sentTo(id)).toBeGreaterThan(before);
  expect(told(id)).toEqual([]);
});

test('only the last of several changes made while the database is away is recorded', async () => {
  await startMonitor('mon_away');
  const handle = handleOf(monitorWorkflowId('mon_away'));
  service.ledger.isAway = true;
  await service.pass(MINUTE);
  for (const name of [SIGNALS.pause, SIGNALS.resume, SIGNALS.pause]) await handle.signal(name);
  const before = sentTo('mon_away');
  await service.pass(3 * MINUTE);
  service.ledger.isAway = false;
  await service.pass(MINUTE);
  expect(sentTo('mon_away')).toBe(before);
  expect(told('mon_away')).toEqual([
    expect.objectContaining({ version: 1, change: expect.objectContaining({ paused: true }) }),
  ]);
});

test('a definition that is saved later takes effect, and the earlier change is not recorded', async () => {
  const config = await startMonitor('mon_newer');
  service.ledger.isAway = true;
  await service.pass(MINUTE);
  await handleOf(monitorWorkflowId('mon_newer')).signal(SIGNALS.pause);
  await service.gateway.configureMonitor({ ...config, version: 2 });
  service.ledger.isAway = false;
  const before = sentTo('mon_newer');
  await service.pass(3 * MINUTE);
  expect(sentTo('mon_newer')).toBeGreaterThanOrEqual(before + 2);
  expect(told('mon_newer')).toEqual([]);
});

test('a scenario accepts the pause and resume signals of operators, too', async () => {
  const config = scenarioConfig('scn_note', { anchorMs: service.nowMs() });
  await service.gateway.configureScenario(config);
  await service.pass(MINUTE);
  const handle = handleOf(scenarioWorkflowId('scn_note'));
  await handle.signal(SIGNALS.pause, { by: 'ops' });
  await service.until('the pause is reported', () => told('scn_note').length === 1);
  const before = sentTo('scn_note');
  await service.pass(20 * MINUTE);
  expect(sentTo('scn_note')).toBe(before);
  expect(told('scn_note')[0]).toMatchObject({ kind: 'scenario', change: { reason: '(ops)' } });
});
