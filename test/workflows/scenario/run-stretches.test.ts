/**
 * Tests steps that share an activity, in virtual time. After any loss, the run continues at the unfinished step. No
 * request that may have been sent is sent twice.
 */
import type { StretchProgress } from '../../../src/contracts/activities';
import type { RunRecord } from '../../../src/contracts/records';
import {
  PENDING_RUNS_QUERY,
  type ScenarioConfig,
  type StepPlan,
  scenarioRunWorkflowId,
  scenarioWorkflowId,
} from '../../../src/contracts/workflows';
import { outcomeOf, requestOf, scenarioConfig, stepPlan } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;
/** Milliseconds after which the loss of a probe is noticed, in a step with a limit of one second. */
const MISSED_MS = 6 * SECOND;
const QUICK = { budgetMs: SECOND } as const;
const GET = { ...QUICK, method: 'GET' } as const;
const POST = { ...QUICK, method: 'POST' } as const;
const ALWAYS = { ...QUICK, method: 'DELETE', always: true } as const;

let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west']);
});
afterEach(async () => {
  service.atProgress(() => 'kept');
  await service.removeAll();
});
afterAll(() => service.stop());

const plansOf = (...changes: Partial<StepPlan>[]): StepPlan[] =>
  changes.map((change, index) => stepPlan(`step ${index}`, change));
const sentOf = (id: string, of = service) =>
  of.sent.filter((step) => step.id === id).map(({ stepIndex }) => stepIndex);
const savesOf = (id: string, of = service) =>
  of.ledger.runs.filter(({ scenarioId }) => scenarioId === id);
const statusesOf = (run: RunRecord) => run.steps.map(({ status }) => status);

async function start(
  id: string,
  steps: readonly StepPlan[],
  change: Partial<ScenarioConfig> = {},
  of = service,
): Promise<ScenarioConfig> {
  const anchorMs = of.nowMs();
  const config = scenarioConfig(id, { anchorMs, intervalMs: 7 * DAY, steps, ...change });
  await of.gateway.configureScenario(config);
  return config;
}

const ended = (id: string, of = service): Promise<RunRecord> =>
  of.until('the end of the run', () =>
    savesOf(id, of).find(({ finishedAtMs }) => finishedAtMs !== null),
  );

/** Holds the response of the step in the probe until the returned function is called. */
function hold(id: string, stepIndex: number): () => void {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.answer(id, async (step) => {
    if (step.stepIndex === stepIndex) await released;
    return outcomeOf('up', { [`v${step.stepIndex}`]: 'x' });
  });
  return () => release();
}

/** Makes the probe die with the first request of the step. */
function dieAt(id: string, stepIndex: number): void {
  let isDead = false;
  service.answer(id, async (step) => {
    if (step.stepIndex === stepIndex && !isDead) {
      isDead = true;
      await new Promise(() => undefined);
    }
    return outcomeOf('up', { [`v${step.stepIndex}`]: 'x' });
  });
}

/** Applies the fate once, at the progress report before the step with this index. */
function atProgressBefore(
  stepIndex: number,
  fate: 'dies before' | 'dies behind' | 'not acknowledged',
) {
  let isOver = false;
  service.atProgress(({ outcomes }: StretchProgress) => {
    if (isOver || outcomes.length !== stepIndex) return 'kept';
    isOver = true;
    return fate;
  });
}

/** Returns the activities of a scenario whose own workflow carries out its only run. */
async function activitiesOf(id: string): Promise<string[]> {
  return listActivities(scenarioWorkflowId(id));
}

async function listActivities(workflowId: string): Promise<string[]> {
  const { events } = await service.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
  );
}

test('steps without a wait share one activity, and the run is stored at its start and end', async () => {
  await start('scn_one', plansOf(GET, POST, GET, GET));
  const run = await ended('scn_one');
  expect([run.status, sentOf('scn_one')]).toEqual(['passed', [0, 1, 2, 3]]);
  expect(await activitiesOf('scn_one')).toEqual(['runHttpStep']);
  expect(savesOf('scn_one').map(({ status }) => status)).toEqual(['running', 'passed']);
});

test("after a kill before a step's progress report, the previous step is repeated", async () => {
  atProgressBefore(1, 'dies before');
  await start('scn_before', plansOf(GET, POST, GET));
  const run = await ended('scn_before');
  expect([run.status, sentOf('scn_before')]).toEqual(['passed', [0, 0, 1, 2]]);
  expect(run.steps.map(({ tries }) => tries)).toEqual([1, 1, 1]);
});

test("after a kill that follows a POST's progress report, the POST is not sent", async () => {
  const beforeMs = service.nowMs();
  atProgressBefore(1, 'dies behind');
  await start('scn_between', plansOf(GET, POST, GET, ALWAYS));
  const run = await ended('scn_between');
  expect([run.status, run.failure?.code, run.failure?.stepIndex]).toEqual([
    'error',
    'worker_lost',
    1,
  ]);
  expect([statusesOf(run), sentOf('scn_between')]).toEqual([
    ['passed', 'error', 'skipped', 'passed'],
    [0, 3],
  ]);
  expect(service.nowMs() - beforeMs).toBe(MISSED_MS);
});

test("after a kill that follows a GET's progress report, the run continues with the GET", async () => {
  atProgressBefore(2, 'dies behind');
  await start('scn_get', plansOf(POST, GET, GET));
  const run = await ended('scn_get');
  expect([run.status, sentOf('scn_get')]).toEqual(['passed', [0, 1, 2]]);
});

test('after a kill that follows the response of a POST, the POST is not sent again', async () => {
  service.answer('scn_after', ({ stepIndex }) => outcomeOf('up', { [`v${stepIndex}`]: 'x' }));
  atProgressBefore(2, 'dies before');
  await start('scn_after', plansOf(GET, POST, GET, ALWAYS));
  const run = await ended('scn_after');
  expect([run.status, run.failure?.code]).toEqual(['error', 'worker_lost']);
  expect(sentOf('scn_after')).toEqual([0, 1, 3]);
  expect(service.sent.at(-1)?.vars).toEqual([{ name: 'v0', value: 'x' }]);
});

test.each([
  ['GET', GET, 'passed', [0, 1, 2, 2]],
  ['POST', POST, 'error', [0, 1, 2]],
] as const)(
  'after a kill in the last step, a GET is sent again, and a POST is not sent again: %s',
  async (name, last, status, sent) => {
    dieAt(`scn_last_${name}`, 2);
    await start(`scn_last_${name}`, plansOf(POST, GET, last));
    const run = await ended(`scn_last_${name}`);
    expect([run.status, sentOf(`scn_last_${name}`)]).toEqual([status, [...sent]]);
    expect(service.sent.at(-1)?.vars?.map(({ name: of }) => of)).toEqual(['v0', 'v1']);
  },
);

test('a step that loses two probes is given up, and earlier steps keep their outcomes', async () => {
  service.answer('scn_twice', async ({ stepIndex }) => {
    if (stepIndex === 1) await new Promise(() => undefined);
    return outcomeOf('up');
  });
  await start('scn_twice', plansOf(GET, GET, GET));
  const run = await ended('scn_twice');
  expect([run.status, run.failure?.code, sentOf('scn_twice')]).toEqual([
    'error',
    'worker_lost',
    [0, 1, 1],
  ]);
  expect(statusesOf(run)).toEqual(['passed', 'error', 'skipped']);
});

test('nothing is sent again when the orchestrator is lost during a step', async () => {
  const release = hold('scn_orchestrator', 1);
  await start('scn_orchestrator', plansOf(GET, POST, GET));
  await service.until('the POST', () => sentOf('scn_orchestrator').length === 2);
  await service.withoutOrchestrator(async () => {
    release();
    await service.pass(SECOND);
  });
  const run = await ended('scn_orchestrator');
  expect([run.status, sentOf('scn_orchestrator')]).toEqual(['passed', [0, 1, 2]]);
});

test('a run continues at its unfinished step when probe and orchestrator are lost at once', async () => {
  dieAt('scn_both', 1);
  await start('scn_both', plansOf(POST, GET, POST));
  await service.until('the second step', () => sentOf('scn_both').length === 2);
  await service.withoutOrchestrator(() => service.pass(2 * MISSED_MS));
  const run = await ended('scn_both');
  expect([run.status, sentOf('scn_both')]).toEqual(['passed', [0, 1, 1, 2]]);
});

test('a cancelled run ends at once, keeps its finished steps and passes their values to clean-up', async () => {
  const release = hold('scn_cancelled', 1);
  await start('scn_cancelled', plansOf(GET, POST, GET, ALWAYS));
  await service.until('the second step', () => sentOf('scn_cancelled').length === 2);
  const beforeMs = service.nowMs();
  await service.gateway.cancelRun('scn_cancelled', String(savesOf('scn_cancelled')[0]?.runId));
  const run = await ended('scn_cancelled');
  release();
  expect([run.status, statusesOf(run)]).toEqual([
    'cancelled',
    ['passed', 'error', 'skipped', 'passed'],
  ]);
  expect(sentOf('scn_cancelled')).toEqual([0, 1, 3]);
  expect(service.sent.at(-1)?.vars).toEqual([{ name: 'v0', value: 'x' }]);
  expect(service.nowMs()).toBe(beforeMs);
});

test('a run cancelled after its probe died has its finished steps once the loss is noticed', async () => {
  atProgressBefore(1, 'dies behind');
  await start('scn_cancelled_dead', plansOf(GET, POST, ALWAYS));
  await service.until('the first step', () => sentOf('scn_cancelled_dead').length === 1);
  await service.gateway.cancelRun(
    'scn_cancelled_dead',
    String(savesOf('scn_cancelled_dead')[0]?.runId),
  );
  const run = await ended('scn_cancelled_dead');
  expect(statusesOf(run)).toEqual(['passed', 'error', 'passed']);
  expect(sentOf('scn_cancelled_dead')).toEqual([0, 2]);
});

test('a step that is repeated until it passes has one activity per try', async () => {
  service.answer('scn_until', ({ stepIndex }) =>
    outcomeOf(stepIndex === 1 && sentOf('scn_until').length < 4 ? 'down' : 'up'),
  );
  const until = { everyMs: 10 * SECOND, forMs: 60 * SECOND };
  await start('scn_until', plansOf(GET, { ...GET, until }, GET, POST));
  const run = await ended('scn_until');
  expect([run.status, sentOf('scn_until')]).toEqual(['passed', [0, 1, 1, 1, 2, 3]]);
  expect(await listActivities(scenarioRunWorkflowId(run.runId))).toHaveLength(5);
});

test('a step that waits or has another heartbeat timeout starts a new activity', async () => {
  await start(
    'scn_apart',
    plansOf(GET, { ...GET, waitMs: SECOND }, GET, { budgetMs: 60 * SECOND }),
  );
  const run = await ended('scn_apart');
  expect([run.status, sentOf('scn_apart')]).toEqual(['passed', [0, 1, 2, 3]]);
  expect(await listActivities(scenarioRunWorkflowId(run.runId))).toHaveLength(3);
});

test('a progress report that is not acknowledged ends the activity, and the next step starts another activity', async () => {
  atProgressBefore(1, 'not acknowledged');
  await start('scn_unsure', plansOf(GET, POST, GET));
  const run = await ended('scn_unsure');
  expect([run.status, sentOf('scn_unsure')]).toEqual(['passed', [0, 1, 2]]);
  expect(await activitiesOf('scn_unsure')).toHaveLength(2);
});

test('a slow run stores its progress about every two seconds', async () => {
  service.answer('scn_slow', async () => {
    await service.sleep(1_500);
    return outcomeOf('up');
  });
  await start(
    'scn_slow',
    plansOf(GET, GET, GET, GET, GET).map((plan) => ({ ...plan, budgetMs: 10_000 })),
  );
  const run = await ended('scn_slow');
  expect(run.status).toBe('passed');
  const passedSteps = savesOf('scn_slow').map(
    ({ steps }) => steps.filter(({ status }) => status === 'passed').length,
  );
  expect(passedSteps).toEqual([2, 4, 5]);
});

test('a scheduled run without a POST is stored once, and a requested run is stored when it begins, too', async () => {
  const config = await start('scn_once', plansOf(GET, GET));
  const scheduled = await ended('scn_once');
  expect(savesOf('scn_once').map(({ status }) => status)).toEqual(['passed']);
  const wanted = { runId: 'run_requested', region: 'eu-west', variables: [] };
  await service.gateway.runScenarioNow(config, requestOf([wanted], service.nowMs()));
  await service.until('its end', () => savesOf('scn_once').length === 3);
  const [, begun, last] = savesOf('scn_once');
  expect([begun?.status, last?.status]).toEqual(['running', 'passed']);
  expect(new Set([scheduled.executionId, last?.executionId]).size).toBe(1);
});

test('a requested run sends nothing if the database no longer accepts its record', async () => {
  const config = await start('scn_known', plansOf(GET));
  await ended('scn_known');
  service.ledger.gone.add('scn_known');
  const wanted = { runId: 'run_known', region: 'eu-west', variables: [] };
  await service.gateway.runScenarioNow(config, requestOf([wanted], service.nowMs()));
  const handle = service.client.workflow.getHandle(scenarioWorkflowId('scn_known'));
  await service.until(
    'its end',
    async () => (await handle.query<readonly string[]>(PENDING_RUNS_QUERY)).length === 0,
  );
  expect(service.sent.some(({ runId }) => runId === 'run_known')).toBe(false);
});

test.each([
  ['agrees', 0],
  ['is late', -DAY],
  ['is early', DAY],
])(
  'a step lasts at least as long as its requests if the clock of its probe %s',
  async (word, offMs) => {
    const id = `scn_${word.replace(' ', '_')}`;
    const at = (ms: number) => new Date(ms + offMs).toISOString();
    const requests: (readonly [number, number])[] = [];
    service.answer(id, async () => {
      await service.sleep(requests.length === 0 ? 300 : 0);
      const fromMs = service.nowMs();
      await service.sleep(500);
      requests.push([fromMs, service.nowMs()]);
      return { ...outcomeOf('up'), startedAt: at(fromMs), finishedAt: at(service.nowMs()) };
    });
    await start(id, plansOf(GET, GET, GET));
    const { steps } = await ended(id);
    expect(requests).toHaveLength(steps.length);
    for (const [index, [fromMs, toMs]] of requests.entries()) {
      const { startedAtMs, finishedAtMs } = steps[index] ?? {};
      expect((finishedAtMs ?? 0) - (startedAtMs ?? 0)).toBeGreaterThanOrEqual(toMs - fromMs);
      if (offMs !== 0) continue;
      expect(startedAtMs).toBeLessThanOrEqual(fromMs);
      expect(finishedAtMs).toBeGreaterThanOrEqual(toMs);
    }
  },
);

test('the end of a step is never before its start, even if the clock of its probe is set back', async () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const endsMs = [1_000, 400, 600];
  service.answer('scn_clock', async ({ stepIndex }) => {
    await service.sleep(500);
    return { ...outcomeOf('up'), startedAt: at(0), finishedAt: at(endsMs[stepIndex] ?? 0) };
  });
  await start('scn_clock', plansOf(GET, GET, GET));
  const { steps } = await ended('scn_clock');
  const lengths = steps.map(
    ({ startedAtMs, finishedAtMs }) => (finishedAtMs ?? 0) - (startedAtMs ?? 0),
  );
  expect(lengths.filter((ms) => ms < 0)).toEqual([]);
});

test('if the outcomes of steps are large, the activity ends early, and another activity sends the remaining steps', async () => {
  service.answer('scn_large', ({ stepIndex }) =>
    outcomeOf('up', { [`v${stepIndex}`]: 'x'.repeat(10_000) }),
  );
  await start('scn_large', plansOf(GET, GET, GET, GET));
  const run = await ended('scn_large');
  expect([run.status, sentOf('scn_large')]).toEqual(['passed', [0, 1, 2, 3]]);
  expect(await activitiesOf('scn_large')).toHaveLength(2);
});

test('a failed step ends the activity, and with `onFailure: continue` the next step is still sent', async () => {
  service.answer('scn_continue', ({ stepIndex }) => outcomeOf(stepIndex === 1 ? 'down' : 'up'));
  await start('scn_continue', plansOf(GET, POST, POST), { onFailure: 'continue' });
  const run = await ended('scn_continue');
  expect([statusesOf(run), sentOf('scn_continue')]).toEqual([
    ['passed', 'failed', 'passed'],
    [0, 1, 2],
  ]);
});

test('an invalid report of a probe is ignored, and no step is sent again', async () => {
  service.answer('scn_forged', ({ stepIndex }) =>
    stepIndex === 1 ? Object.assign(outcomeOf('up'), { status: 'fine' }) : outcomeOf('up'),
  );
  await start('scn_forged', plansOf(GET, POST, GET), { onFailure: 'continue' });
  const run = await ended('scn_forged');
  expect([run.status, run.failure?.code]).toEqual(['error', 'internal_error']);
  expect(sentOf('scn_forged')).toEqual([0, 1]);
  expect(statusesOf(run)).toEqual(['error', 'error', 'error']);
});

test('a probe of an earlier release runs one step at a time', async () => {
  const old = await startVirtualService(['eu-west'], { inStretches: false });
  try {
    await start('scn_old', plansOf(GET, POST, GET), {}, old);
    const run = await ended('scn_old', old);
    expect([run.status, sentOf('scn_old', old)]).toEqual(['passed', [0, 1, 2]]);
    await old.removeAll();
  } finally {
    await old.stop();
  }
});
