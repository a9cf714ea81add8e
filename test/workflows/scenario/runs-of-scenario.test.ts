/** Runs that the scenario's own workflow carries out: what ends them, and that they do not affect each other. */
import type { RunRecord } from '../../../src/contracts/records';
import { type ScenarioConfig, scenarioWorkflowId } from '../../../src/contracts/workflows';
import { outcomeOf, requestOf, scenarioConfig, stepPlan } from '../../support/outcomes';
import { createGate } from '../loop/random-orders';
import { startVirtualService, type VirtualService } from '../virtual-service';

const MINUTE = 60_000;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west']);
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
