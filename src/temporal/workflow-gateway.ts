/** Calls Temporal for use cases. Some of the calls also start the workflow if it is missing. */
import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import type { ResourceKind } from '../contracts/definition';
import { escalationWorkflowId } from '../contracts/escalation';
import { PING_SIGNAL } from '../contracts/heartbeat';
import type { HeartbeatConfig, HeartbeatState } from '../contracts/heartbeat-workflow';
import {
  CONFIGURE_UPDATE,
  type ManualCheck,
  type ManualRun,
  type MonitorConfig,
  type MonitorState,
  monitorWorkflowId,
  ORCHESTRATOR_QUEUE,
  type ScenarioConfig,
  type ScenarioState,
  SIGNALS,
  scenarioWorkflowId,
  WORKFLOW_TYPES,
} from '../contracts/workflows';
import {
  freshHeartbeatState,
  freshMonitorState,
  freshScenarioState,
} from '../domain/states/fresh-state';
import { AppError } from '../platform/errors';
import type { TemporalFacts, WorkflowGateway } from '../services/ports/gateway';
import { sendAlert } from './calls/alert-calls';
import { silenceWorkflow } from './calls/incident-calls';
import { createPing } from './calls/ping';
import { wakeRollouts } from './calls/rollout-calls';
import { cancelRun, testMonitor, testScenario } from './calls/run-calls';
import { failUnopenedWatch, failWatch, startHandOver } from './calls/watch-calls';
import { readBacklogs } from './queues/queue-backlogs';
import { buildInitialSearchAttributes } from './search-attributes';
import { callTemporal } from './temporal-call';
import { listStuck } from './upgrade/stuck-workflows';

/**
 * Time limit of one call. The API promises a response within 3 s, and a call needs a signal, or a short update and then
 * a signal.
 */
const SIGNAL_DEADLINE_MS = 2_500;
const UPDATE_DEADLINE_MS = 1_000;
const SIGNAL_AFTER_UPDATE_DEADLINE_MS = 1_400;

const REFUSED = 'Temporal refused the configuration.';

type TargetState = MonitorState | HeartbeatState | ScenarioState;

/** A workflow, and the data that starts it if it is missing. */
interface Target {
  readonly type: string;
  readonly workflowId: string;
  readonly state: TargetState;
  readonly summary: string;
  /** The page of the dashboard that shows the resource. */
  readonly page: string;
  readonly attributes: SearchAttributePair[];
}

interface Signal {
  readonly name: string;
  readonly args: readonly unknown[];
}

export function createWorkflowGateway(client: Client): WorkflowGateway {
  const configure = (target: Target, deadlineMs = SIGNAL_DEADLINE_MS): Promise<void> =>
    configureTarget(client, target, deadlineMs);
  const runNow = (target: Target, request: ManualCheck | ManualRun): Promise<void> =>
    signal(client, target, {
      name: SIGNALS.runNow,
      args: [request, target.state.config],
      deadlineMs: SIGNAL_DEADLINE_MS,
    });
  const configureNow = async (target: Target): Promise<void> => {
    const isInForce = await update(client, target);
    if (!isInForce) await configure(target, SIGNAL_AFTER_UPDATE_DEADLINE_MS);
  };
  return {
    configureMonitor: (config) => configure(buildTarget(config)),
    sendConfig: (kind, config) =>
      callTemporal(client, SIGNAL_DEADLINE_MS, () =>
        trySignal(client, buildWorkflowId(kind, config.id), {
          name: SIGNALS.configure,
          args: [config],
        }),
      ),
    configureMonitorNow: (config, lost) => configureNow(buildTarget(config, lost)),
    notifyHeartbeat: (monitorId) =>
      signalIfThere(client, monitorWorkflowId(monitorId), { name: PING_SIGNAL, args: [] }),
    checkMonitorNow: (config, check, lost) => runNow(monitorTarget(config, lost), check),
    testMonitor: (config, deadlineMs) => testMonitor(client, config, deadlineMs),
    removeMonitor: (monitorId) => remove(client, monitorWorkflowId(monitorId)),
    configureScenario: (config) => configure(buildScenarioTarget(config)),
    configureScenarioNow: (config, lost) => configureNow(buildScenarioTarget(config, lost)),
    runScenarioNow: (config, run, lost) => runNow(buildScenarioTarget(config, lost), run),
    cancelRun: (scenarioId, runId) => cancelRun(client, scenarioId, runId),
    testScenario: (run, deadlineMs) => testScenario(client, run, deadlineMs),
    // A missing workflow is not started here. The reconcile pass starts it later, with the plan of that time.
    planMaintenance: (kind, id, plan) =>
      signalIfThere(client, buildWorkflowId(kind, id), {
        name: SIGNALS.planMaintenance,
        args: [plan],
      }),
    silence: async (kind, id, silence) => {
      const escalationId = escalationWorkflowId(silence.incidentId);
      // A provider has no workflow of its own.
      const own = kind === 'identityProvider' ? [] : [buildWorkflowId(kind, id)];
      const ids = [...own, escalationId];
      await Promise.all(ids.map((workflowId) => silenceWorkflow(client, workflowId, silence)));
    },
    removeScenario: (scenarioId) => remove(client, scenarioWorkflowId(scenarioId)),
    wakeRollouts: (accountId) => wakeRollouts(client, accountId),
    sendAlert: (input, deadlineMs) => sendAlert(client, input, deadlineMs),
    handOver: (probe) => startHandOver(client, probe),
    failWatch: (taskToken, reason) => failWatch(client, taskToken, reason),
    failUnopenedWatch: (watch, reason) => failUnopenedWatch(client, watch, reason),
    endWatch: (monitorId) =>
      signalIfThere(client, monitorWorkflowId(monitorId), { name: SIGNALS.endWatch, args: [] }),
    readBacklogs: (queues, deadlineMs) => readBacklogs(client, queues, deadlineMs),
    listStuck: (deadlineMs) => listStuck(client, deadlineMs),
    describe: (deadlineMs) => callTemporal(client, deadlineMs, () => describeTemporal(client)),
    ping: createPing(client),
  };
}

async function describeTemporal({ workflowService }: Client): Promise<TemporalFacts> {
  const { serverVersion, persistenceStore } = await workflowService.getClusterInfo({});
  return { version: serverVersion, persistence: persistenceStore === '' ? null : persistenceStore };
}

/** Builds the target for a monitor. Without a given state, the workflow starts with a fresh state. */
function monitorTarget(config: MonitorConfig, state = freshMonitorState(config)): Target {
  return {
    type: WORKFLOW_TYPES.monitor,
    workflowId: monitorWorkflowId(config.id),
    state,
    summary: `monitor ${config.id}`,
    page: `/monitors/${config.id}`,
    attributes: buildInitialSearchAttributes('monitor', config),
  };
}

/** Builds the target for a heartbeat, which has the workflow id of a monitor. */
function heartbeatTarget(config: HeartbeatConfig, state = freshHeartbeatState(config)): Target {
  return {
    type: WORKFLOW_TYPES.heartbeat,
    workflowId: monitorWorkflowId(config.id),
    state,
    summary: `heartbeat ${config.id}`,
    page: `/monitors/${config.id}`,
    attributes: buildInitialSearchAttributes('monitor', config),
  };
}

/** Builds the target for a monitor of any type. The state must be of the same type as the configuration. */
export function buildTarget(
  config: MonitorConfig | HeartbeatConfig,
  state?: MonitorState | HeartbeatState,
): Target {
  if ('heartbeat' in config)
    return heartbeatTarget(config, state !== undefined && 'progress' in state ? state : undefined);
  return monitorTarget(config, state === undefined || 'progress' in state ? undefined : state);
}

/** Builds the target for a scenario, in the same way as `monitorTarget`. */
export function buildScenarioTarget(
  config: ScenarioConfig,
  state = freshScenarioState(config),
): Target {
  return {
    type: WORKFLOW_TYPES.scenario,
    workflowId: scenarioWorkflowId(config.id),
    state,
    summary: `scenario ${config.id} · ${config.steps.length} steps`,
    page: `/scenarios/${config.id}`,
    attributes: buildInitialSearchAttributes('scenario', config),
  };
}

/**
 * Sends the configuration, and starts the workflow if it is missing. A running workflow has at least version 1, so
 * version 1 is never sent to it.
 */
export async function configureTarget(
  client: Client,
  target: Target,
  deadlineMs: number,
): Promise<void> {
  const { config } = target.state;
  if (config.version === 1)
    await callTemporal(client, deadlineMs, () =>
      client.workflow.start(target.type, startOptions(target)),
    );
  else await signal(client, target, { name: SIGNALS.configure, args: [config], deadlineMs });
}

function startOptions({
  workflowId,
  state,
  summary,
  page,
  attributes,
}: Target): WorkflowStartOptions<(state: TargetState) => Promise<void>> {
  return {
    workflowId,
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [state],
    priority: { fairnessKey: state.config.accountId },
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: summary,
    staticDetails: `[Details](${page})`,
    typedSearchAttributes: attributes,
  };
}

async function signal(
  client: Client,
  target: Target,
  { name, args, deadlineMs }: Signal & { readonly deadlineMs: number },
): Promise<void> {
  await callTemporal(client, deadlineMs, () =>
    client.workflow.signalWithStart(target.type, {
      ...startOptions(target),
      signal: name,
      signalArgs: [...args],
    }),
  );
}

/** Returns true if the workflow responded and its validator refused the configuration. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof WorkflowUpdateFailedError;
}

/**
 * Sends the configuration as an update. Returns true if it is in force, and false if no worker responded in time.
 * Throws AppError `internal` if the workflow refuses it.
 */
async function update(client: Client, target: Target): Promise<boolean> {
  const start = new WithStartWorkflowOperation<(state: TargetState) => Promise<void>>(target.type, {
    ...startOptions(target),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  const { config } = target.state;
  // Without a handler, a failed call would cause an unhandled rejection. The handle itself is not needed then.
  start.workflowHandle().catch(() => undefined);
  const version = await callTemporal(client, UPDATE_DEADLINE_MS, () =>
    client.workflow.executeUpdateWithStart<
      (state: TargetState) => Promise<void>,
      number,
      [TargetState['config']]
    >(CONFIGURE_UPDATE, { startWorkflowOperation: start, args: [config] }),
  ).catch((error: unknown) => {
    if (isRefused(error)) throw new AppError('internal', REFUSED, { cause: error });
    return 0;
  });
  return version >= config.version;
}

function buildWorkflowId(kind: ResourceKind, id: string): string {
  return kind === 'monitor' ? monitorWorkflowId(id) : scenarioWorkflowId(id);
}

function remove(client: Client, workflowId: string): Promise<void> {
  return signalIfThere(client, workflowId, { name: SIGNALS.remove, args: [] });
}

async function signalIfThere(client: Client, workflowId: string, signal: Signal): Promise<void> {
  await callTemporal(client, SIGNAL_DEADLINE_MS, () => trySignal(client, workflowId, signal));
}

/** Sends the signal. Returns false if there is no such workflow. */
async function trySignal(
  client: Client,
  workflowId: string,
  { name, args }: Signal,
): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).signal(name, ...args);
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return false;
  }
}
