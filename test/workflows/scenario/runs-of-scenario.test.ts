/** Tests runs that the scenario's own workflow carries out: what ends them, and how they must not affect each other. */
import type { StepOutcome } from '../../../src/contracts/outcome';
import type { RunRecord } from '../../../src/contracts/records';
import { type ScenarioConfig, SIGNALS, scenarioWorkflowId } from '../../../src/contracts/workflows';
import { outcomeOf, requestOf, scenarioConfig, stepPlan } from '../../support/outcomes';
import { createGate, endOf } from '../loop/random-orders';
import { startVirtualService, type VirtualService } from '../virtual-service';

const MINUTE = 60_000;
const REGIONS = ['eu-west', 'us-east', 'us-west'];
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(REGIONS);
});
afterEach(() => service.removeAll());
afterAll(() => service.stop());

const sentOf = (runId: string) => service.sent.filter((step) => step.runId === runId);
const savesOf = (runId: string) => service.ledger.runs.filter((run) => run.runId === runId);
const lastOf = (runId: string): RunRecord | undefined => savesOf(runId).at(-1);

/** Starts a scenario whose first scheduled run has passed. The next slot is an hour away. */
async function startIdle(id: string, change: Partial<ScenarioConfig> = {}) {
  const config = scenarioConfig(id, {
    anchorMs: service.nowMs(),
    intervalMs: 60 * MINUTE,
    ...change,
  });
  await service.gateway.configureScenario(config);
  await service.until('the first slot', () =>
    service.ledger.slots.some(({ scenarioId }) => scenarioId === id),
  );
  return config;
}

function request(config: ScenarioConfig, runId: string): Promise<unknown> {
  const wanted = { runId, region: 'eu-west', variables: [] };
  return service.gateway.runScenarioNow(config, requestOf([wanted], config.anchorMs));
}

test('a requested run is cleaned up and recorded if an operator cancels its scenario', async () => {
  const steps = [stepPlan('order', { method: 'POST' }), stepPlan('tidy', { always: true })];
  const config = await startIdle('scn_cancelled_under', { steps });
  const gate = createGate();
  gate.close();
  service.answer('scn_cancelled_under', async ({ stepIndex }) => {
    if (stepIndex === 0) await gate.passage();
    return outcomeOf('up');
  });
  await request(config, 'run_under');
  await service.until('its first step', () => sentOf('run_under').length === 1);
  const handle = service.client.workflow.getHandle(scenarioWorkflowId('scn_cancelled_under'));
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow('cancelled');
  gate.open();
  expect(lastOf('run_under')).toMatchObject({ status: 'cancelled' });
  expect(sentOf('run_under').map(({ stepIndex }) => stepIndex)).toEqual([0, 1]);
});

/**
 * Makes the next records be stored slowly, one after the other. Each takes almost as long as the workflow waits for it.
 */
function storeSlowly(records: number): void {
  if (records > 0) service.ledger.gate = service.sleep(3_500).then(() => storeSlowly(records - 1));
}

test("an operator's cancellation is carried out, even if the scenario continues as new in the same task", async () => {
  const id = 'scn_cancelled_in_last_task';
  const config = scenarioConfig(id, { anchorMs: service.nowMs(), regions: REGIONS });
  // The records take longer than a workflow task. So the workflow gets the signal and the cancellation between two
  // records.
  storeSlowly(REGIONS.length);
  await service.gateway.configureScenario(config);
  const { slotsAtGate } = service.ledger;
  await service.until('the first record', () => service.ledger.slotsAtGate > slotsAtGate);
  const handle = service.client.workflow.getHandle(scenarioWorkflowId(id));
  await handle.signal(SIGNALS.moveOn);
  await handle.cancel();
  expect(await endOf(service, scenarioWorkflowId(id))).toBe('CANCELLED');
});

/** Upper bound of the unfinished requested runs of a scenario. */
const RUNS = 20;
/**
 * Upper bound of the bytes that a workflow task schedules. If a task schedules more, Temporal terminates the workflow.
 */
const TASK_BYTES_MAX = 4 * 1_024 * 1_024;

/** Returns an outcome with almost as much evidence as a run may have. */
function outcomeWithEvidence(): StepOutcome {
  const headers = Array.from({ length: 8 }, (_, index) => ({
    name: `x-${index}`,
    value: 'x'.repeat(31_000),
  }));
  const size = { bytes: 0, bodyPreview: '', truncated: false };
  const facts = { status: 200, httpVersion: '1.1', remoteIp: null, finalUrl: '', redirects: 0 };
  return { ...outcomeOf('up'), response: { ...facts, ...size, headers } };
}

/** Returns the size in bytes of the activities that each workflow task of this execution has scheduled. */
async function bytesOfTasks({ id, runId }: Execution): Promise<readonly number[]> {
  const handle = service.client.workflow.getHandle(scenarioWorkflowId(id), runId);
  const { events } = await handle.fetchHistory();
  const bytes = new Map<string, number>();
  for (const { activityTaskScheduledEventAttributes: scheduled } of events ?? []) {
    const task = String(scheduled?.workflowTaskCompletedEventId);
    for (const { data } of scheduled?.input?.payloads ?? [])
      bytes.set(task, (bytes.get(task) ?? 0) + (data?.length ?? 0));
  }
  return [...bytes.values()];
}

interface Execution {
  readonly id: string;
  readonly runId: string;
}

/** Ends the runs in one workflow task. The tries to store the runs fail. */
async function endWithoutDatabase(openGate: () => void): Promise<void> {
  await service.withoutOrchestrator(async () => {
    service.ledger.isAway = true;
    openGate();
    await service.settle();
  });
  await service.pass(5_000);
  service.ledger.isAway = false;
}

test.each(['are cancelled', 'end without a database'] as const)(
  'if runs with much evidence %s at once, each workflow task stays within the limit of Temporal',
  async (how) => {
    const id = `scn_large_${how.length}`;
    const steps = [stepPlan('look'), stepPlan('order', { method: 'POST' })];
    const config = await startIdle(id, { steps });
    const gate = createGate();
    gate.close();
    service.answer(id, async ({ stepIndex }) => {
      if (stepIndex === 0) return outcomeWithEvidence();
      await gate.passage();
      return outcomeOf('up');
    });
    const runIds = Array.from({ length: RUNS }, (_, index) => `${id}_${index}`);
    for (const runId of runIds) await request(config, runId);
    await service.until('their second steps', () =>
      runIds.every((runId) => sentOf(runId).length === 2),
    );
    const handle = service.client.workflow.getHandle(scenarioWorkflowId(id));
    const { runId } = await handle.describe();
    if (how === 'are cancelled') await handle.cancel();
    else await endWithoutDatabase(gate.open);
    await service.until('their ends', () =>
      runIds.every((one) => typeof lastOf(one)?.finishedAtMs === 'number'),
    );
    gate.open();
    const bytes = await bytesOfTasks({ id, runId });
    expect(Math.max(...bytes)).toBeGreaterThan(TASK_BYTES_MAX / RUNS);
    expect(Math.max(...bytes)).toBeLessThan(TASK_BYTES_MAX);
  },
);
