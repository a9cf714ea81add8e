/** Tests scenarios and their runs in virtual time. */
import type { StepReference } from '../../../src/contracts/activities';
import type { StepOutcome } from '../../../src/contracts/outcome';
import type { RunRecord } from '../../../src/contracts/records';
import {
  type ManualRun,
  type ScenarioConfig,
  SIGNALS,
  scenarioWorkflowId,
} from '../../../src/contracts/workflows';
import { outcomeOf, requestOf, scenarioConfig, stepPlan } from '../../support/outcomes';
import { endOf } from '../loop/random-orders';
import { startVirtualService, type VirtualService } from '../virtual-service';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west', 'us-east']);
});
afterEach(() => service.removeAll());
afterAll(() => service.stop());

const slotsOf = (id: string) => service.ledger.slots.filter(({ scenarioId }) => scenarioId === id);
const sentOf = (id: string) => service.sent.filter((step) => step.id === id);
const clientOf = () => service.client.workflow;

/** Returns the newest record of each run, in the order in which the runs began. */
function runsOf(id: string): RunRecord[] {
  const newest = new Map<string, RunRecord>();
  for (const run of service.ledger.runs.filter(({ scenarioId }) => scenarioId === id))
    newest.set(run.runId, run);
  return [...newest.values()];
}

async function start(id: string, change: Partial<ScenarioConfig> = {}): Promise<ScenarioConfig> {
  const config = scenarioConfig(id, { anchorMs: service.nowMs(), ...change });
  await service.gateway.configureScenario(config);
  return config;
}

/** Starts a scenario and waits until its first run has ended. Returns this run. */
async function firstRun(id: string, change: Partial<ScenarioConfig> = {}): Promise<RunRecord> {
  await start(id, change);
  return service.until('the end of the first run', () =>
    runsOf(id).find(({ finishedAtMs }) => finishedAtMs !== null),
  );
}

/** Returns a measured outcome. It would have passed without the time limit of its run. */
function tookMs(responseTimeMs: number): StepOutcome {
  const attempt = { startedAt: '', responseTimeMs, status: 200, failure: null };
  return { ...outcomeOf('up'), attempts: [attempt] };
}

function tooSlow(responseTimeMs = 0): StepOutcome {
  const failure = { code: 'timeout', message: 'It took too long.', phase: 'ttfb' } as const;
  const attempt = { startedAt: '', responseTimeMs, status: null, failure };
  return { ...outcomeOf('down'), failure, attempts: [attempt] };
}

/** Makes steps of the scenario wait in the probe until `release` is called. */
function holdSteps(id: string): { readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.answer(id, async () => {
    await released;
    return outcomeOf('up');
  });
  return { release: () => release() };
}

const statusesOf = (run: RunRecord) => run.steps.map(({ status }) => status);

test('a run sends its steps in order, and each gets the values extracted by earlier steps', async () => {
  service.answer('scn_hand', ({ stepIndex }) =>
    outcomeOf('up', stepIndex === 0 ? { token: 't-1' } : stepIndex === 1 ? { order: '7' } : {}),
  );
  const run = await firstRun('scn_hand');
  expect(run).toMatchObject({ status: 'passed', trigger: 'save', failure: null });
  expect(sentOf('scn_hand').map(({ stepIndex, vars }) => [stepIndex, vars])).toEqual([
    [0, []],
    [1, [{ name: 'token', value: 't-1' }]],
    [
      2,
      [
        { name: 'token', value: 't-1' },
        { name: 'order', value: '7' },
      ],
    ],
  ]);
  const generated = new Set(sentOf('scn_hand').map((step) => JSON.stringify(step.generated)));
  expect(generated.size).toBe(1);
  expect(run.runId).toMatch(/^run_[0-9a-hjkmnp-tv-z]{26}$/);
});

test('a scenario has one run per region and slot, and its health follows its runs', async () => {
  const down = ({ slotMs }: StepReference) => slotMs === anchorMs + 5 * MINUTE;
  service.answer('scn_slots', (step) => outcomeOf(down(step) ? 'down' : 'up'));
  const { anchorMs } = await start('scn_slots', { regions: ['eu-west', 'us-east'] });
  await service.pass(11 * MINUTE);
  expect(
    slotsOf('scn_slots').map(({ slotMs, region, health }) => [slotMs, region, health]),
  ).toEqual(
    [0, 1, 2].flatMap((k) =>
      ['eu-west', 'us-east'].map((region) => [
        anchorMs + k * 5 * MINUTE,
        region,
        k === 1 ? 'down' : 'up',
      ]),
    ),
  );
  expect(new Set(slotsOf('scn_slots').map(({ runId }) => runId)).size).toBe(6);
});

test('a failed step skips the following steps, and clean-up still runs', async () => {
  service.answer('scn_stop', ({ stepIndex }) => outcomeOf(stepIndex === 1 ? 'down' : 'up'));
  const steps = ['log in', 'order', 'read back'].map((name) => stepPlan(name));
  const run = await firstRun('scn_stop', { steps: [...steps, stepPlan('tidy', { always: true })] });
  expect(statusesOf(run)).toEqual(['passed', 'failed', 'skipped', 'passed']);
  expect(run.steps[2]?.skippedReason).toBe('an earlier step did not pass');
  expect(run.status).toBe('failed');
  expect(run.failure).toMatchObject({ stepIndex: 1, stepName: 'order', code: 'assertion_failed' });
});

test('with `onFailure: continue`, every step is sent', async () => {
  service.answer('scn_go', ({ stepIndex }) => outcomeOf(stepIndex === 0 ? 'down' : 'degraded'));
  const run = await firstRun('scn_go', { onFailure: 'continue' });
  expect(statusesOf(run)).toEqual(['failed', 'passed', 'passed']);
  expect(run.status).toBe('failed');
});

test('a step that needs a missing value is skipped with a reason, even in clean-up', async () => {
  service.answer('scn_missing', ({ stepIndex }) =>
    stepIndex === 0
      ? outcomeOf('down', { id: 7 })
      : { ...outcomeOf('down'), missingVariable: 'token' },
  );
  const steps = [stepPlan('log in'), stepPlan('order'), stepPlan('tidy', { always: true })];
  const run = await firstRun('scn_missing', { onFailure: 'continue', steps });
  expect(statusesOf(run)).toEqual(['failed', 'skipped', 'skipped']);
  expect(run.steps[1]?.skippedReason).toBe('needs token');
  expect(run.failure).toMatchObject({ stepIndex: 0 });
  expect(sentOf('scn_missing')[1]?.vars).toEqual([{ name: 'id', value: '7' }]);
});

test('if the worker of a POST is lost, the POST is never repeated, and its run ends as an error', async () => {
  const steps = [stepPlan('order', { method: 'POST' }), stepPlan('tidy', { always: true })];
  service.answer('scn_post', async ({ stepIndex }) => {
    if (stepIndex === 0) await service.sleep(20 * SECOND);
    return outcomeOf('up');
  });
  await start('scn_post', { steps });
  await service.pass(MINUTE);
  const [run] = runsOf('scn_post');
  expect(sentOf('scn_post').map(({ stepIndex }) => stepIndex)).toEqual([0, 1]);
  expect(run?.status).toBe('error');
  expect(run?.failure).toMatchObject({ code: 'worker_lost', stepIndex: 0 });
  expect(slotsOf('scn_post')[0]?.health).toBe('unknown');
});

test('if the worker of a GET is lost, the GET is sent once more', async () => {
  let tries = 0;
  service.answer('scn_get', async () => {
    tries += 1;
    if (tries === 1) await service.sleep(20 * SECOND);
    return outcomeOf('up');
  });
  await start('scn_get', { steps: [stepPlan('read')] });
  await service.pass(MINUTE);
  expect(tries).toBe(2);
  expect(runsOf('scn_get')[0]?.status).toBe('passed');
});

test('a run that takes too long is timed out, and its clean-up still runs', async () => {
  const steps = [
    stepPlan('quick'),
    stepPlan('slow'),
    stepPlan('never'),
    stepPlan('tidy', { always: true }),
  ];
  service.answer('scn_limit', ({ stepIndex, limitMs }) =>
    stepIndex === 1 ? tooSlow(limitMs) : tookMs(500),
  );
  const run = await firstRun('scn_limit', { steps, timeoutSeconds: 2 });
  expect(sentOf('scn_limit').map(({ limitMs }) => limitMs)).toEqual([2_000, 1_500, undefined]);
  expect(run).toMatchObject({ status: 'timed_out', failure: { code: 'timeout', stepIndex: 1 } });
  expect(statusesOf(run)).toEqual(['passed', 'failed', 'skipped', 'passed']);
});

test('the time a run waits for the service does not count towards its time limit', async () => {
  const steps = [stepPlan('first'), stepPlan('second')];
  service.answer('scn_ours', async () => {
    await service.sleep(3 * SECOND);
    return tookMs(900);
  });
  const run = await firstRun('scn_ours', { steps, timeoutSeconds: 2 });
  expect([run.status, statusesOf(run)]).toEqual(['passed', ['passed', 'passed']]);
});

test('a probe lost under a short time limit is an error, not a failure of the target', async () => {
  service.answer('scn_limit_lost', async ({ stepIndex }) => {
    if (stepIndex === 0) await service.sleep(9 * SECOND);
    return outcomeOf('up');
  });
  await start('scn_limit_lost', {
    steps: [stepPlan('order', { method: 'POST' })],
    timeoutSeconds: 2,
  });
  const run = await service.until('the end of the run', () =>
    runsOf('scn_limit_lost').find(({ finishedAtMs }) => finishedAtMs !== null),
  );
  expect([run.status, run.failure?.code]).toEqual(['error', 'worker_lost']);
});

test('a cancelled run skips its remaining steps, and its clean-up still runs', async () => {
  const steps = [stepPlan('first'), stepPlan('second'), stepPlan('tidy', { always: true })];
  let release = (): void => undefined;
  service.answer('scn_cancel', async ({ stepIndex }) => {
    if (stepIndex === 0)
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    return outcomeOf('up');
  });
  await start('scn_cancel', { steps });
  await service.until('the first step', () => sentOf('scn_cancel').length === 1);
  const runId = String(sentOf('scn_cancel')[0]?.runId);
  await service.gateway.cancelRun('scn_cancel', runId);
  const run = await service.until('the end', () =>
    runsOf('scn_cancel').find(({ status }) => status === 'cancelled'),
  );
  release();
  expect(statusesOf(run)).toEqual(['error', 'skipped', 'passed']);
  expect(run.failure?.code).toBe('cancelled');
});

test('slots that pass during a scheduled run are skipped and recorded as missed', async () => {
  const { anchorMs } = await start('scn_long', {
    intervalMs: 3 * SECOND,
    steps: [stepPlan('slow')],
  });
  await service.until('the first slot', () => slotsOf('scn_long').length === 1);
  service.answer('scn_long', async ({ slotMs }) => {
    if (slotMs === anchorMs + 3 * SECOND) await service.sleep(7 * SECOND);
    return outcomeOf('up');
  });
  await service.pass(16 * SECOND);
  expect(slotsOf('scn_long').map(({ slotMs }) => (slotMs - anchorMs) / SECOND)).toEqual([
    0, 3, 12, 15,
  ]);
  expect(slotsOf('scn_long')[1]?.gap).toBe(null);
  expect(slotsOf('scn_long')[2]?.gap).toEqual({
    reason: 'overrun',
    fromSlotMs: anchorMs + 6 * SECOND,
    toSlotMs: anchorMs + 9 * SECOND,
    slots: 2,
  });
});

test('skipped slots are recorded at the next edit, even after a run outside the schedule', async () => {
  const config = await start('scn_edited', {
    intervalMs: 6 * SECOND,
    steps: [stepPlan('slow')],
  });
  const { anchorMs } = config;
  await service.until('the first slot', () => slotsOf('scn_edited').length === 1);
  service.answer('scn_edited', async ({ slotMs }) => {
    if (slotMs === anchorMs + 6 * SECOND) await service.sleep(7 * SECOND);
    return outcomeOf('up');
  });
  await service.until('the slow slot', () => slotsOf('scn_edited').length === 2);
  const beside = { ...manualRun('run_beside', service.nowMs()), countInUptime: true };
  await service.gateway.runScenarioNow(config, beside);
  await service.until('the run beside', () => slotsOf('scn_edited').length === 3);
  await service.gateway.configureScenario({ ...config, version: 2, revision: 2 });
  await service.until('the edit', () => slotsOf('scn_edited').length === 4);
  const [, , manual, edited] = slotsOf('scn_edited');
  expect(manual).toMatchObject({ kind: 'manual', gridSlotMs: anchorMs + 6 * SECOND });
  const skippedMs = anchorMs + 12 * SECOND;
  const gap = { reason: 'overrun', fromSlotMs: skippedMs, toSlotMs: skippedMs, slots: 1 };
  expect(edited).toMatchObject({ kind: 'scheduled', gap });
});

test('each requested run starts immediately and only once, even across continue-as-new', async () => {
  const config = await start('scn_manual', { intervalMs: 60 * MINUTE, steps: [stepPlan('only')] });
  await service.until('the scheduled run', () => slotsOf('scn_manual').length === 1);
  const handle = clientOf().getHandle(scenarioWorkflowId('scn_manual'));
  const first = (await handle.describe()).runId;
  const wanted = Array.from({ length: 60 }, (_, index) => `run_manual-${index}`);
  const ask = (runId: string) =>
    service.gateway.runScenarioNow(config, manualRun(runId, config.anchorMs));
  for (const runId of wanted) await Promise.all([ask(runId), ask(runId)]);
  await service.until('all runs', () => {
    const finished = runsOf('scn_manual').filter(({ status }) => status === 'passed');
    return finished.length > wanted.length;
  });
  const sentRuns = sentOf('scn_manual').map(({ runId }) => String(runId));
  expect(sentRuns.slice(1).toSorted()).toEqual(wanted.toSorted());
  await service.until('a fresh history', async () => (await handle.describe()).runId !== first);
  const metadata = JSON.stringify(await handle.query('__temporal_workflow_metadata'));
  expect(metadata).toContain('[scenario scn_manual](/scenarios/scn_manual)');
  expect(slotsOf('scn_manual')).toHaveLength(1);
});

test('an operator can read the state and the current wait of a scenario, and filter by both', async () => {
  const config = await start('scn_shown');
  await service.until('the first slot', () => slotsOf('scn_shown').length === 1);
  const handle = clientOf().getHandle(scenarioWorkflowId('scn_shown'));
  const shown = (text: string) =>
    service.until(text, async () => {
      const metadata = JSON.stringify(await handle.query('__temporal_workflow_metadata'));
      return metadata.includes(text) && metadata;
    });
  const details = await shown('**up** since');
  expect(details).toContain('- every 300 s, definition 1');
  expect(details).toMatch(/- last slot [\d-]+ [\d:]+Z\\n- next check [\d-]+ [\d:]+Z/);
  expect(details).toContain('| eu-west | up |');
  const { events } = await handle.fetchHistory();
  const summaries = (events ?? []).map((event) => String(event.userMetadata?.summary?.data ?? ''));
  expect(summaries.join()).toMatch(/next run \d\d:\d\d:\d\dZ/);
  await service.gateway.configureScenarioNow({ ...config, version: 2, paused: true });
  expect(await shown('**paused** since')).toContain('- next check when resumed');
  const { searchAttributes } = await handle.describe();
  expect(searchAttributes).toMatchObject({ KeepwatchState: ['paused'], KeepwatchHealth: ['up'] });
});

test('a requested run changes the health if it counts in the uptime', async () => {
  const config = await start('scn_counts', { intervalMs: 60 * MINUTE });
  await service.until('the scheduled run', () => slotsOf('scn_counts').length === 1);
  service.answer('scn_counts', () => outcomeOf('down'));
  const run = { ...manualRun('run_counted', config.anchorMs + 1), countInUptime: true };
  await service.gateway.runScenarioNow(config, run);
  await service.until('its slot', () => slotsOf('scn_counts').length === 2);
  expect(slotsOf('scn_counts')[1]).toMatchObject({ runId: 'run_counted', health: 'down' });
});

test('a round of runs is recorded even if it ends during two cancellations, and the next slot runs', async () => {
  const scheduled = holdSteps('scn_crossed');
  const config = await start('scn_crossed', {
    steps: [stepPlan('only')],
    intervalMs: 5 * SECOND,
  });
  await service.until('the scheduled run', () => sentOf('scn_crossed').length === 1);
  const ask = (runId: string, countInUptime: boolean) =>
    service.gateway.runScenarioNow(config, {
      ...manualRun(runId, config.anchorMs),
      countInUptime,
    });
  const requested = holdSteps('scn_crossed');
  await ask('run_one', false);
  await ask('run_two', false);
  await service.until('the requested runs', () => sentOf('scn_crossed').length === 3);
  let open = (): void => undefined;
  service.ledger.gate = new Promise((resolve) => {
    open = resolve;
  });
  const isStoring = untilNextSlotAtGate();
  service.answer('scn_crossed', () => outcomeOf('up'));
  await ask('run_counted', true);
  const hasPassed = (runId: string) => () =>
    runsOf('scn_crossed').some((run) => run.runId === runId && run.status === 'passed');
  await service.until('a round that is being stored', isStoring);
  scheduled.release();
  await service.until(
    'the end of the scheduled run',
    hasPassed(runsOf('scn_crossed')[0]?.runId ?? ''),
  );
  const scenario = clientOf().getHandle(scenarioWorkflowId('scn_crossed'));
  // Requests one cancellation twice. The run is cancelled only once, so the server never gets a second command.
  for (const runId of ['run_one', 'run_one', 'run_two'])
    await scenario.signal(SIGNALS.cancelRun, runId);
  open();
  const scheduledSlots = () => slotsOf('scn_crossed').filter(({ kind }) => kind === 'scheduled');
  await service.until('the record of the scheduled round', () => scheduledSlots().length > 0);
  expect(scheduledSlots()[0]).toMatchObject({ slotMs: config.anchorMs, runStatus: 'passed' });
  await service.until('the next slot', () => scheduledSlots().length > 1);
  requested.release();
});

test('a region removed during its run stays removed', async () => {
  const regions = ['eu-west', 'us-east'];
  const { release } = holdSteps('scn_region');
  const config = await start('scn_region', { regions });
  await service.until('the first steps', () => sentOf('scn_region').length === 2);
  await service.gateway.configureScenarioNow({ ...config, version: 2, regions: ['eu-west'] });
  release();
  await service.until('the round', () => slotsOf('scn_region').length === 2);
  const known = slotsOf('scn_region').map(({ region, regionsHealth }) => [
    region,
    regionsHealth.map((seen) => seen.region),
  ]);
  expect(known).toEqual([
    ['eu-west', ['eu-west']],
    ['us-east', ['eu-west']],
  ]);
});

test('a cancelled scenario ends and records its runs before the scenario ends', async () => {
  const { release } = holdSteps('scn_left');
  const { anchorMs } = await start('scn_left');
  await service.until('the first step', () => sentOf('scn_left').length === 1);
  const handle = clientOf().getHandle(scenarioWorkflowId('scn_left'));
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow('cancelled');
  release();
  expect(slotsOf('scn_left')).toMatchObject([{ slotMs: anchorMs, runStatus: 'cancelled' }]);
  await service.until('the end of the run', () => runsOf('scn_left')[0]?.status === 'cancelled');
});

test('a removed scenario cancels its runs and ends', async () => {
  let release = (): void => undefined;
  service.answer('scn_gone', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return outcomeOf('up');
  });
  await start('scn_gone');
  await service.until('the first step', () => sentOf('scn_gone').length === 1);
  await service.gateway.removeScenario('scn_gone');
  await clientOf().getHandle(scenarioWorkflowId('scn_gone')).result();
  await service.until('the run is cancelled', () => runsOf('scn_gone')[0]?.status === 'cancelled');
  release();
  expect(sentOf('scn_gone')).toHaveLength(1);
});

test('a scenario ends when it is deleted while a run that has not started is cancelled twice', async () => {
  service.answer('scn_twice', () => outcomeOf('up'));
  let open = (): void => undefined;
  service.ledger.gate = new Promise((resolve) => {
    open = resolve;
  });
  const isStoring = untilNextSlotAtGate();
  const config = await start('scn_twice');
  await service.until('a round that is being stored', isStoring);
  await service.gateway.runScenarioNow(config, manualRun('run_unwanted', config.anchorMs));
  const scenario = clientOf().getHandle(scenarioWorkflowId('scn_twice'));
  await scenario.signal(SIGNALS.cancelRun, 'run_unwanted');
  await scenario.signal(SIGNALS.cancelRun, 'run_unwanted');
  await service.gateway.removeScenario('scn_twice');
  open();
  await endOf(service, scenarioWorkflowId('scn_twice'));
  expect(sentOf('scn_twice').map(({ runId }) => runId)).not.toContain('run_unwanted');
});

test('a run saves its last state once after the database was away', async () => {
  service.answer('scn_db', async ({ stepIndex }) => {
    service.ledger.isAway = stepIndex < 2;
    return outcomeOf('up');
  });
  await start('scn_db');
  await service.pass(2 * MINUTE);
  expect(runsOf('scn_db')[0]).toMatchObject({ status: 'passed' });
  const progress = service.ledger.runs
    .filter(({ scenarioId }) => scenarioId === 'scn_db')
    .map((run) => run.sequence);
  expect(progress).toEqual([...new Set(progress)].toSorted((a, b) => a - b));
});

/** Returns a function that returns true after a new round has begun to be stored. */
function untilNextSlotAtGate(): () => boolean {
  const { slotsAtGate } = service.ledger;
  return () => service.ledger.slotsAtGate > slotsAtGate;
}

function manualRun(runId: string, queuedAtMs: number): ManualRun {
  return requestOf([{ runId, region: 'eu-west', variables: [] }], queuedAtMs);
}
