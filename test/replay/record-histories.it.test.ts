/**
 * Makes histories of all kinds of workflows and replays them at once. Run with
 * KEEPWATCH_RECORD_HISTORIES=1 it also keeps them for ever, under the release's version; recorded
 * ones are never changed or deleted while such workflows may still run somewhere.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
import { type AlertTarget, alertWorkflowId, type OwedAlert } from '../../src/contracts/alerts';
import { HOUSEKEEPING_WORKFLOW_ID } from '../../src/contracts/housekeeping';
import {
  monitorWorkflowId,
  ORCHESTRATOR_QUEUE,
  scenarioRunWorkflowId,
  scenarioWorkflowId,
  testCheckWorkflowId,
  WORKFLOW_TYPES,
} from '../../src/contracts/workflows';
import { createLogger } from '../../src/platform/logger';
import { readVersion } from '../../src/platform/version';
import { keepHousekeeping } from '../../src/temporal/keep-housekeeping';
import { monitorConfig, outcomeOf, requestOf, scenarioConfig } from '../support/outcomes';
import { waitUntil } from '../support/wait-until';
import {
  bundleWorkflows,
  startVirtualService,
  type VirtualService,
} from '../workflows/virtual-service';

const MINUTE = 60_000;
const FOLDER = join(__dirname, 'histories', readVersion());
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west', 'us-east']);
});
afterAll(() => service.stop());

/** Leaves out what names the machine of the recording: processes, hosts and paths. */
function withoutMachine(name: string, value: unknown): unknown {
  if (name === 'stackTrace') return '';
  if (name === 'identity') return 'recorder';
  return typeof value === 'string' ? value.replace(/^\d+@[\w.-]+/, 'recorder') : value;
}

/** Replays the history of the workflow's current run, and keeps it when asked to. */
async function replayAndKeep(name: string, workflowId: string): Promise<void> {
  const history = await service.environment.client.workflow.getHandle(workflowId).fetchHistory();
  const events: unknown = JSON.parse(historyToJSON(history), withoutMachine);
  await Worker.runReplayHistory(
    { workflowBundle: await bundleWorkflows() },
    historyFromJSON(events),
    workflowId,
  );
  if (process.env['KEEPWATCH_RECORD_HISTORIES'] !== '1') return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(events)}\n`);
}

test('the history of a monitor replays: edits, pauses, requests, lost regions, a missing database', async () => {
  const { gateway, ledger } = service;
  const anchorMs = await service.nowMs();
  const config = monitorConfig('mon_replay', { anchorMs, regions: ['eu-west', 'us-east'] });
  await gateway.configureMonitor(config);
  await service.pass(2.5 * MINUTE);
  service.answer(config.id, () => outcomeOf('down'));
  await gateway.configureMonitorNow({ ...config, version: 2, rev: 2 });
  await service.pass(MINUTE);
  await gateway.checkMonitorNow(config, { requestId: 'req_1', requestedAtMs: anchorMs + 7 });
  await gateway.configureMonitorNow({ ...config, version: 3, rev: 2, paused: true });
  await service.pass(MINUTE);
  await gateway.configureMonitorNow({ ...config, version: 4, rev: 2 });
  ledger.isAway = true;
  await service.pass(2 * MINUTE);
  ledger.isAway = false;
  await service.pass(MINUTE);
  await replayAndKeep('monitor', monitorWorkflowId(config.id));
  await gateway.removeMonitor(config.id);
  await service.environment.client.workflow.getHandle(monitorWorkflowId(config.id)).result();
  await replayAndKeep('monitor-removed', monitorWorkflowId(config.id));
});

test('the history of a monitor that continued as new replays', async () => {
  const anchorMs = await service.nowMs();
  const config = monitorConfig('mon_replay_long', { anchorMs });
  await service.gateway.configureMonitor(config);
  await service.pass(60 * MINUTE);
  await replayAndKeep('monitor-continued', monitorWorkflowId(config.id));
});

test('the histories of a scenario and its runs replay: passed, failed, cancelled, requested', async () => {
  const { gateway, ledger } = service;
  const client = service.environment.client.workflow;
  const anchorMs = await service.nowMs();
  const base = scenarioConfig('scn_replay', { anchorMs });
  const [first] = base.steps;
  if (first === undefined) throw new Error('a scenario has steps');
  const config = { ...base, steps: [...base.steps, { ...first, name: 'tidy', always: true }] };
  const runIds = () => [...new Set(ledger.runs.map(({ runId }) => runId))];
  const isFinished = (id: string) =>
    ledger.runs.some(({ runId, finishedAtMs }) => runId === id && finishedAtMs !== null);

  service.answer(config.id, ({ stepIndex }) => outcomeOf('up', { [`v${stepIndex}`]: 'x' }));
  await gateway.configureScenario(config);
  await service.pass(MINUTE);
  service.answer(config.id, ({ stepIndex }) => outcomeOf(stepIndex === 1 ? 'down' : 'up'));
  await service.pass(5 * MINUTE);
  const [passed, failed] = runIds();
  await replayAndKeep('scenario-run-passed', scenarioRunWorkflowId(String(passed)));
  await replayAndKeep('scenario-run-failed', scenarioRunWorkflowId(String(failed)));

  let release = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.answer(config.id, async ({ stepIndex }) => {
    if (stepIndex === 0) await blocked;
    return outcomeOf('up');
  });
  const requested = { runId: 'run_replay', region: 'eu-west', variables: [] };
  await gateway.runScenarioNow(config, {
    ...requestOf([requested], anchorMs),
    countInUptime: true,
  });
  const sent = () => service.sent.some(({ runId }) => runId === requested.runId);
  await waitUntil('the requested run', sent);
  await client.getHandle(scenarioRunWorkflowId(requested.runId)).cancel();
  await waitUntil('its end', () => isFinished(requested.runId));
  release();
  await replayAndKeep('scenario-run-cancelled', scenarioRunWorkflowId(requested.runId));
  await replayAndKeep('scenario', scenarioWorkflowId(config.id));
});

test('the histories of an alert, the test of what is unsaved and the housekeeping replay', async () => {
  const { gateway, ledger, environment } = service;
  const client = environment.client.workflow;
  const target = (key: string): AlertTarget => ({
    key,
    type: 'webhook',
    channelId: null,
    masked: key,
    sealed: '',
  });
  let answers = 0;
  ledger.receivers.set('slow', () => {
    answers += 1;
    return answers < 3
      ? { kind: 'later', detail: 'busy', afterMs: null }
      : { kind: 'sent', detail: 'taken' };
  });
  const alert = owedAlert('alert-replay', await service.nowMs());
  const places = { channels: [], targets: [target('slow'), target('quick')] };
  await client.start(WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [{ v: 1, alert, places }],
  });
  await waitUntil('the first tries', () => ledger.tries.length >= 2);
  await service.pass(MINUTE);
  await waitUntil('both deliveries', () => ledger.deliveries.size === 2);
  await replayAndKeep('alert', alertWorkflowId(alert.id));

  await gateway.testMonitor(monitorConfig('mon_replay_test'), MINUTE);
  await replayAndKeep('test-check', testCheckWorkflowId('mon_replay_test'));

  const stop = keepHousekeeping(environment.client, createLogger('test', 'silent'));
  await waitUntil('a pass', () => ledger.chores.length > 0);
  stop();
  await service.pass(3 * MINUTE);
  await replayAndKeep('housekeeping', HOUSEKEEPING_WORKFLOW_ID);
});

function owedAlert(id: string, atMs: number): OwedAlert {
  return {
    id,
    kind: 'failure',
    accountId: 'acc_replay',
    incidentId: 'inc_replay',
    resourceType: 'monitor',
    resourceId: 'mon_replay',
    resourceName: 'Shop',
    atMs,
    sinceMs: atMs,
    openedAtMs: atMs,
    cause: null,
    regions: ['eu-west'],
    assertion: null,
    entries: [],
  };
}
