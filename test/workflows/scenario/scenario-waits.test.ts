/** Tests waits and repetitions of runs in virtual time. They survive losses, are counted, and can be cancelled. */
import type { RunRecord } from '../../../src/contracts/records';
import type { ScenarioRunInput } from '../../../src/contracts/scenario-run';
import {
  ORCHESTRATOR_QUEUE,
  PENDING_RUNS_QUERY,
  type ScenarioConfig,
  SIGNALS,
  type StepPlan,
  scenarioRunWorkflowId,
  scenarioWorkflowId,
  WORKFLOW_TYPES,
} from '../../../src/contracts/workflows';
import { freshScenarioState } from '../../../src/domain/states/fresh-state';
import { outcomeOf, requestOf, scenarioConfig, stepPlan } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west']);
});
afterEach(() => service.removeAll());
afterAll(() => service.stop());

const clientOf = () => service.client.workflow;
const sentOf = (id: string) => service.sent.filter((step) => step.id === id);
const savesOf = (id: string) => service.ledger.runs.filter(({ scenarioId }) => scenarioId === id);
const newestOf = (id: string): RunRecord | undefined => savesOf(id).at(-1);

async function start(id: string, steps: readonly StepPlan[], change: Partial<ScenarioConfig> = {}) {
  const anchorMs = service.nowMs();
  const config = scenarioConfig(id, { anchorMs, intervalMs: 7 * DAY, steps, ...change });
  await service.gateway.configureScenario(config);
  return config;
}

const ended = (id: string) =>
  service.until('the end of the run', () => {
    const run = newestOf(id);
    return run?.finishedAtMs === null ? undefined : run;
  });

const inStatus = (id: string, status: RunRecord['status']) =>
  service.until(`a run that is ${status}`, () => newestOf(id)?.status === status && newestOf(id));

const statusesOf = (run: RunRecord) => run.steps.map(({ status }) => status);

test('a wait of two days does not count towards the time limit of a run, and the run keeps its cookies', async () => {
  const steps = [stepPlan('order'), stepPlan('delivered', { waitMs: 2 * DAY }), stepPlan('read')];
  const signedIn = { jar: 'a sealed session', set: [], notes: [] };
  service.answer('scn_days', ({ stepIndex }) =>
    stepIndex === 0 ? { ...outcomeOf('up'), cookies: signedIn } : outcomeOf('up'),
  );
  const { anchorMs } = await start('scn_days', steps, { timeoutSeconds: 60 });
  const waiting = await inStatus('scn_days', 'waiting');
  expect(statusesOf(waiting)).toEqual(['passed', 'waiting', 'pending']);
  expect(waiting.steps[1]?.waitingUntilMs).toBeGreaterThanOrEqual(anchorMs + 2 * DAY);
  await service.pass(2 * DAY + MINUTE);
  const run = await ended('scn_days');
  expect([run.status, statusesOf(run)]).toEqual(['passed', ['passed', 'passed', 'passed']]);
  const [first, second] = sentOf('scn_days');
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(2 * DAY);
  expect(run.steps[1]).toMatchObject({ waitingUntilMs: null, tries: 1 });
  expect(sentOf('scn_days').map(({ cookies }) => cookies)).toEqual([
    undefined,
    signedIn.jar,
    signedIn.jar,
  ]);
  expect(JSON.stringify(run)).not.toContain(signedIn.jar);
});

test('a step is repeated until it passes, and counts its tries', async () => {
  service.answer('scn_until', ({ stepIndex }) => {
    const isEarly = stepIndex === 1 && sentOf('scn_until').length < 5;
    const outcome = outcomeOf(isEarly ? 'down' : 'up', isEarly ? {} : { state: 'done' });
    const attempt = { startedAt: '', responseTimeMs: 1, status: 200, failure: outcome.failure };
    return { ...outcome, attempts: [attempt] };
  });
  const until = { everyMs: 30 * SECOND, forMs: 10 * MINUTE };
  await start('scn_until', [stepPlan('order'), stepPlan('shipped', { until }), stepPlan('read')]);
  await service.pass(5 * MINUTE);
  const run = await ended('scn_until');
  expect([run.status, statusesOf(run)]).toEqual(['passed', ['passed', 'passed', 'passed']]);
  expect(run.steps[1]).toMatchObject({ tries: 4, outcome: { failure: null } });
  expect(run.steps[1]?.outcome?.attempts).toHaveLength(4);
  const times = sentOf('scn_until')
    .slice(1, 5)
    .map(({ atMs }) => atMs);
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
  for (const gap of gaps) expect(Math.abs(gap - 30 * SECOND)).toBeLessThan(2 * SECOND);
  expect(sentOf('scn_until').at(-1)?.vars).toEqual([{ name: 'state', value: 'done' }]);
});

test('a repeated step that never passes ends on time, and the run fails with its last failure', async () => {
  service.answer('scn_never', ({ stepIndex }) => outcomeOf(stepIndex === 0 ? 'down' : 'up'));
  const until = { everyMs: MINUTE, forMs: 5 * MINUTE };
  const steps = [
    stepPlan('shipped', { until }),
    stepPlan('read'),
    stepPlan('tidy', { always: true }),
  ];
  await start('scn_never', steps);
  await service.pass(20 * MINUTE);
  const run = await ended('scn_never');
  expect([run.status, statusesOf(run)]).toEqual(['failed', ['failed', 'skipped', 'passed']]);
  expect(run.failure).toMatchObject({
    code: 'assertion_failed',
    message: 'It did not pass. It did not pass within 300 s.',
  });
  expect(sentOf('scn_never').filter(({ stepIndex }) => stepIndex === 0)).toHaveLength(6);
});

test('a long run with large values stays far below the limits of Temporal and cleans up', async () => {
  // Almost as large as the 32 KiB that a probe extracts at most for each variable.
  const large = 'x'.repeat(30 * 1024);
  const others = Array.from({ length: 6 }, (_, index) => [`other${index}`, large]);
  const values = { large, ...Object.fromEntries(others) };
  service.answer('scn_large', ({ stepIndex }) =>
    stepIndex === 0 ? outcomeOf('up', values) : outcomeOf(stepIndex === 1 ? 'down' : 'up'),
  );
  const until = { everyMs: MINUTE, forMs: HOUR };
  const tidy = stepPlan('tidy', { always: true, variables: ['large'] });
  await start('scn_large', [stepPlan('read'), stepPlan('wait', { until }), tidy]);
  await service.until('the first try', () => sentOf('scn_large').length > 1);
  const handle = clientOf().getHandle(scenarioRunWorkflowId(newestOf('scn_large')?.runId ?? ''));
  const first = (await handle.describe()).runId;
  await service.pass(65 * MINUTE);
  const run = await ended('scn_large');
  expect([run.status, statusesOf(run)]).toEqual(['failed', ['passed', 'failed', 'passed']]);
  expect(sentOf('scn_large').filter(({ stepIndex }) => stepIndex === 1)).toHaveLength(61);
  expect(sentOf('scn_large').at(-1)?.vars).toEqual([{ name: 'large', value: large }]);
  expect((await handle.describe()).runId).not.toBe(first);
  const progress = savesOf('scn_large').map((save) => save.sequence);
  expect(progress).toEqual([...new Set(progress)].toSorted((a, b) => a - b));
  await service.until('the slot', () =>
    service.ledger.slots.some(({ scenarioId }) => scenarioId === 'scn_large'),
  );
});

test('a step gets the variables that it refers to, and all secret variables for masking', async () => {
  service.answer('scn_named', () => ({
    ...outcomeOf('up', { token: 't', order: '7' }),
    extracted: [
      { name: 'token', value: 't' },
      { name: 'order', value: '7' },
      { name: 'sealed', value: 's', secret: true },
    ],
  }));
  await start('scn_named', [stepPlan('log in'), stepPlan('read', { variables: ['order'] })]);
  await ended('scn_named');
  const names = sentOf('scn_named')[1]?.vars?.map(({ name }) => name);
  expect(names).toEqual(['order', 'sealed']);
});

test('a step that cannot be prepared is not repeated', async () => {
  service.answer('scn_final', () => ({
    ...outcomeOf('down'),
    failure: { code: 'template_error', message: 'No value.', phase: 'prepare' },
  }));
  const until = { everyMs: MINUTE, forMs: HOUR };
  await start('scn_final', [stepPlan('shipped', { until })]);
  const run = await ended('scn_final');
  expect(run.failure?.code).toBe('template_error');
  expect(sentOf('scn_final')).toHaveLength(1);
});

test('a run cancelled during a wait sends only its clean-up, at once and once', async () => {
  const until = { everyMs: MINUTE, forMs: DAY };
  const tidy = stepPlan('tidy', { always: true, waitMs: DAY, until });
  await start('scn_cut', [stepPlan('order'), stepPlan('later', { waitMs: 2 * DAY }), tidy]);
  const { runId } = await inStatus('scn_cut', 'waiting');
  const beforeMs = service.nowMs();
  expect(await service.gateway.cancelRun('scn_cut', runId)).toBe(true);
  const run = await ended('scn_cut');
  expect([run.status, statusesOf(run)]).toEqual(['cancelled', ['passed', 'skipped', 'passed']]);
  expect(run.steps[1]?.skippedReason).toBe('the run was cancelled');
  expect(sentOf('scn_cut').map(({ stepIndex }) => stepIndex)).toEqual([0, 2]);
  expect(service.nowMs() - beforeMs).toBeLessThan(HOUR);
});

test('a run cancelled while its clean-up waits sends the clean-up at once', async () => {
  await start('scn_tidy', [stepPlan('order'), stepPlan('tidy', { always: true, waitMs: DAY })]);
  const { runId } = await inStatus('scn_tidy', 'waiting');
  await service.gateway.cancelRun('scn_tidy', runId);
  const run = await ended('scn_tidy');
  expect([run.status, statusesOf(run)]).toEqual(['cancelled', ['passed', 'passed']]);
  expect(sentOf('scn_tidy')).toHaveLength(2);
});

test('a run keeps its version during an edit, and the next run has the new version', async () => {
  const config = await start('scn_edit', [stepPlan('order'), stepPlan('later', { waitMs: HOUR })]);
  await inStatus('scn_edit', 'waiting');
  const edited = { version: 2, revision: 2, steps: [stepPlan('only')] };
  await service.gateway.configureScenario({ ...config, ...edited });
  await service.pass(2 * HOUR);
  await service.until('the run of the edit', () => sentOf('scn_edit').length === 3);
  expect(sentOf('scn_edit').map(({ revision, stepIndex }) => [revision, stepIndex])).toEqual([
    [1, 0],
    [1, 1],
    [2, 0],
  ]);
});

test('the end of a cancelled run is stored only after the history contains the end, so it cannot change', async () => {
  await start('scn_end', [stepPlan('only'), stepPlan('later', { waitMs: HOUR })]);
  const { runId } = await inStatus('scn_end', 'waiting');
  await service.gateway.cancelRun('scn_end', runId);
  const handle = clientOf().getHandle(scenarioRunWorkflowId(runId));
  await handle.result();
  const { events } = await handle.fetchHistory();
  const activities = (events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
  );
  expect(activities).toEqual(['runHttpStep', 'saveRun']);
});

test('a repeated step saves its record from time to time, not at each try', async () => {
  service.answer('scn_calm', () => outcomeOf('down'));
  const until = { everyMs: SECOND, forMs: 50 * SECOND };
  await start('scn_calm', [stepPlan('poll', { until })]);
  await service.pass(2 * MINUTE);
  await ended('scn_calm');
  expect(sentOf('scn_calm').length).toBeGreaterThan(30);
  expect(savesOf('scn_calm').length).toBeLessThan(15);
});

test('a requested run that has not started can be cancelled', async () => {
  const config = await start('scn_back', [stepPlan('only')], { paused: true });
  const wanted = ['run_kept', 'run_taken'].map((runId) => ({
    runId,
    region: 'eu-west',
    variables: [],
  }));
  const handle = clientOf().getHandle(scenarioWorkflowId('scn_back'));
  await clientOf().signalWithStart(WORKFLOW_TYPES.scenario, {
    workflowId: scenarioWorkflowId('scn_other'),
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [stateWith('scn_other', requestOf(wanted, config.anchorMs))],
    signal: SIGNALS.cancelRun,
    signalArgs: ['run_taken'],
  });
  await service.until('the remaining run', () => sentOf('scn_other').length === 1);
  expect(sentOf('scn_other').map(({ runId }) => runId)).toEqual(['run_kept']);
  await handle.signal(SIGNALS.cancelRun, 7);
  await handle.signal(SIGNALS.remove);
  await handle.result();
});

test('a requested run is always listed by its scenario, has a workflow, or has ended', async () => {
  const config = await start('scn_pending', [stepPlan('only')]);
  const handle = clientOf().getHandle(scenarioWorkflowId('scn_pending'));
  for (let index = 0; index < 20; index += 1) {
    const wanted = { runId: `run_pending-${index}`, region: 'eu-west', variables: [] };
    await service.gateway.runScenarioNow(config, requestOf([wanted], config.anchorMs));
    const pending = await handle.query<readonly string[]>(PENDING_RUNS_QUERY);
    const isListed = pending.includes(wanted.runId);
    const hasEnded = (): boolean =>
      service.ledger.runs.some((run) => run.runId === wanted.runId && run.finishedAtMs !== null);
    if (!isListed && !hasEnded())
      await clientOf().getHandle(scenarioRunWorkflowId(wanted.runId)).describe();
  }
  await service.until('all runs', () => sentOf('scn_pending').length === 21);
  expect(await handle.query(PENDING_RUNS_QUERY)).toEqual([]);
});

/** Returns the state of a paused scenario with a pending request. */
function stateWith(id: string, request: ReturnType<typeof requestOf>) {
  const config = scenarioConfig(id, { paused: true, steps: [stepPlan('only')] });
  return { ...freshScenarioState(config), manual: [request] };
}

test('a test of an unsaved scenario returns its record, stores nothing and respects its time limit', async () => {
  service.answer('scn_test', () => outcomeOf('up', { token: 't' }));
  const input: ScenarioRunInput = {
    v: 1,
    accountId: 'acc_1',
    scenarioId: 'scn_test',
    revision: 1,
    runId: 'run_test',
    region: 'eu-west',
    trigger: 'test',
    label: null,
    source: null,
    slotMs: 0,
    queuedAtMs: 0,
    variables: [],
    steps: [stepPlan('a'), stepPlan('b', { waitMs: DAY }), stepPlan('tidy', { always: true })],
    timeoutSeconds: 30,
    onFailure: 'stop',
    countInUptime: false,
    notify: false,
    progress: null,
  };
  const record = await service.gateway.testScenario(input, MINUTE);
  expect(record).toMatchObject({ trigger: 'test', status: 'timed_out' });
  expect(statusesOf(record)).toEqual(['passed', 'skipped', 'passed']);
  expect(savesOf('scn_test')).toEqual([]);
});

test('an operator can read the steps of a run, its current wait and where its record is stored', async () => {
  await start('scn_seen', [
    stepPlan('order', { method: 'POST' }),
    stepPlan('la|ter', { waitMs: DAY }),
  ]);
  const { runId } = await inStatus('scn_seen', 'waiting');
  const handle = clientOf().getHandle(scenarioRunWorkflowId(runId));
  const seen = await service.until('the table', async () => {
    const metadata = JSON.stringify(await handle.query('__temporal_workflow_metadata'));
    return metadata.includes('waiting until') && metadata;
  });
  expect(seen).toContain('| 1 | order | POST shop.example | passed |');
  expect(seen).toContain('| 2 | la ter | GET shop.example | waiting until');
  const { searchAttributes } = await handle.describe();
  expect(JSON.stringify(searchAttributes)).not.toContain('shop.example');
  expect(searchAttributes['KeepwatchState']).toEqual(['waiting']);
  const { events } = await handle.fetchHistory();
  const summaries = JSON.stringify(
    (events ?? []).map(({ userMetadata }) => String(userMetadata?.summary?.data ?? '')),
  );
  expect(summaries).toContain('1/2 order · POST shop.example');
  expect(summaries).toContain('2/2 la|ter is due at');
});
