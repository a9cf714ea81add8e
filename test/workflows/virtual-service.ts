/**
 * Workflows with probes and a database that tests look into. They run in the test's own process, where time passes
 * only when a test says so, or on the real server.
 */
import { Context } from '@temporalio/activity';
import { createStepActivity, type MarkProgress } from '../../src/activities/run-stretch';
import { createWatchActivities } from '../../src/activities/watches/watch-activities';
import { createWatcher, type Watcher } from '../../src/activities/watches/watcher';
import type { StepReference, StretchProgress } from '../../src/contracts/activities';
import { ALERT_QUEUE } from '../../src/contracts/alerts';
import type { StepOutcome } from '../../src/contracts/outcome';
import {
  monitorWorkflowId,
  probeQueue,
  SIGNALS,
  scenarioWorkflowId,
  watchQueue,
} from '../../src/contracts/workflows';
import type { WorkflowGateway } from '../../src/services/ports/gateway';
import { createWorkflowGateway } from '../../src/temporal/workflow-gateway';
import { outcomeOf } from '../support/outcomes';
import { type Environment, openInProcess, type RunningWorker } from './environments';
import { createLedger, type Ledger } from './ledger';
import { alertsOf, orchestratorActivities } from './ledger-activities';
import { watchApi } from './watch-ledger';

/** A step as a probe took it. */
export interface SentStep extends StepReference {
  readonly region: string;
  readonly atMs: number;
}

/** What becomes of a probe at a mark: it dies before the server has it, or behind; or the mark is not acknowledged. */
export type MarkFate = 'dies before' | 'dies behind' | 'not acknowledged' | 'kept';

export type Answer = (step: SentStep) => Promise<StepOutcome> | StepOutcome;

export interface VirtualService
  extends Pick<Environment, 'client' | 'pass' | 'sleep' | 'until' | 'settle'> {
  readonly gateway: WorkflowGateway;
  readonly ledger: Ledger;
  /** Every step that a probe took, in order. */
  readonly sent: SentStep[];
  /** Decides what the steps of a monitor or scenario return; `pass` until then. */
  readonly answer: (id: string, answer: Answer) => void;
  /** Decides what becomes of the marks of all runs; they are kept until then. */
  readonly atMarks: (fate: (progress: StretchProgress) => MarkFate) => void;
  readonly nowMs: () => number;
  /** Another orchestrator takes over from one that is lost with what it was at. */
  readonly replaceOrchestrator: () => Promise<void>;
  /** No orchestrator is there until this has resolved; then another one is. */
  readonly withoutOrchestrator: (meanwhile: () => Promise<unknown>) => Promise<void>;
  /** No region has a probe until this has resolved; then each has one. */
  readonly withoutProbes: (meanwhile: () => Promise<unknown>) => Promise<void>;
  /** Ends what was begun by the gateway: it would go on in the time that later tests pass. */
  readonly removeAll: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface VirtualOptions {
  readonly openEnvironment?: () => Promise<Environment>;
  /** False: each check passes the workflow. */
  readonly mayBeWatched?: boolean;
  /** False: probes are of a release that takes one step at a time. */
  readonly inStretches?: boolean;
}

/** Starts one orchestrator and one probe for each region. */
export async function startVirtualService(
  regions = ['eu-west'],
  { openEnvironment = openInProcess, mayBeWatched = true, inStretches = true }: VirtualOptions = {},
): Promise<VirtualService> {
  const environment = await openEnvironment();
  const { client } = environment;
  const ledger = createLedger();
  const sent: SentStep[] = [];
  const answers = new Map<string, Answer>();
  let fateOf: (progress: StretchProgress) => MarkFate = () => 'kept';
  const never = new Promise<never>(() => undefined);
  const hub = orchestratorActivities(ledger, client, mayBeWatched);
  const probeActivities = (region: string) => {
    const runHttpStep = async (step: StepReference): Promise<StepOutcome> => {
      const taken = { ...step, region, atMs: Date.now() };
      sent.push(taken);
      return (answers.get(step.id) ?? passed)(taken);
    };
    const watcher = createWatcher({
      runHttpStep,
      internalApi: watchApi(ledger, region),
      clock: { nowMs: () => Date.now() },
      isEnabled: mayBeWatched,
    });
    return { runHttpStep, watcher };
  };
  const mark: MarkProgress = async (progress) => {
    const { heartbeat, cancellationSignal } = Context.current();
    const fate = fateOf(progress);
    if (fate === 'dies before') await never;
    if (fate === 'not acknowledged') return false;
    heartbeat(progress);
    if (fate === 'dies behind') await never;
    return !cancellationSignal.aborted;
  };
  const startProbe = async (region: string): Promise<RunningWorker> => {
    const { runHttpStep, watcher } = probeActivities(region);
    const steps = inStretches
      ? createStepActivity(runHttpStep, { runHttpStep, mark })
      : runHttpStep;
    const checks = await environment.startWorker(probeQueue(region), { runHttpStep: steps });
    const activities = { ...createWatchActivities(watcher) };
    const watches = await environment.startWorker(watchQueue(region), activities);
    return { stop: () => stopProbe([checks, watches], watcher) };
  };
  const startProbes = () => Promise.all(regions.map(startProbe));
  let orchestrator = await environment.startOrchestrator(hub);
  const own = [await environment.startWorker(ALERT_QUEUE, { ...alertsOf(ledger, client) })];
  let probes = await startProbes();
  const begun = new Set<string>();
  return {
    client,
    gateway: noteBegun(createWorkflowGateway(client), begun),
    ledger,
    sent,
    answer: (id, answer) => void answers.set(id, answer),
    atMarks: (fate) => {
      fateOf = fate;
    },
    nowMs: () => Date.now(),
    pass: environment.pass,
    sleep: environment.sleep,
    until: environment.until,
    settle: environment.settle,
    replaceOrchestrator: async () => {
      const lost = orchestrator;
      own.push(lost);
      const isLost = lost.stop();
      orchestrator = await environment.startOrchestrator(hub);
      void isLost;
    },
    withoutOrchestrator: async (meanwhile) => {
      await orchestrator.stop();
      await meanwhile();
      orchestrator = await environment.startOrchestrator(hub);
    },
    withoutProbes: async (meanwhile) => {
      await Promise.all(probes.map((probe) => probe.stop()));
      await meanwhile();
      probes = await startProbes();
    },
    removeAll: async () => {
      for (const workflowId of begun) {
        const handle = client.workflow.getHandle(workflowId);
        // Some have ended in their test.
        await handle.signal(SIGNALS.remove).catch(() => undefined);
        await handle.result().catch(() => undefined);
      }
      begun.clear();
    },
    stop: async () => {
      await Promise.all([orchestrator, ...probes, ...own].map((worker) => worker.stop()));
      await environment.stop();
    },
  };
}

/** Notes the ids of workflows that it may have started. */
function noteBegun(gateway: WorkflowGateway, begun: Set<string>): WorkflowGateway {
  const noting =
    <Given extends readonly [{ readonly id: string }, ...unknown[]]>(
      call: (...given: Given) => Promise<void>,
      workflowIdOf: (id: string) => string,
    ) =>
    (...given: Given): Promise<void> => {
      begun.add(workflowIdOf(given[0].id));
      return call(...given);
    };
  return {
    ...gateway,
    configureMonitor: noting(gateway.configureMonitor, monitorWorkflowId),
    configureMonitorNow: noting(gateway.configureMonitorNow, monitorWorkflowId),
    configureScenario: noting(gateway.configureScenario, scenarioWorkflowId),
    configureScenarioNow: noting(gateway.configureScenarioNow, scenarioWorkflowId),
  };
}

/** In order: it hands its watches over. */
async function stopProbe(workers: readonly RunningWorker[], watcher: Watcher): Promise<void> {
  const stopped = workers.map((worker) => worker.stop());
  await watcher.drain();
  await Promise.all(stopped);
}

function passed(): StepOutcome {
  return outcomeOf('up');
}
