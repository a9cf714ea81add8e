/**
 * Runs workflows with fake probes and a database that tests can read. The workflows run in the test's own process,
 * where time passes only when a test moves it, or on the real server.
 */
import { Context } from '@temporalio/activity';
import { createStepActivity, type SaveProgress } from '../../src/activities/run-stretch';
import { createWatchActivities } from '../../src/activities/watches/watch-activities';
import { createWatcher, type Watcher } from '../../src/activities/watches/watcher';
import type { StepReference, StretchProgress } from '../../src/contracts/activities';
import { ALERT_QUEUE } from '../../src/contracts/alerts';
import type { StepOutcome } from '../../src/contracts/outcome';
import type { MovedGrid } from '../../src/contracts/watches';
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
import {
  alertsOf,
  ledgerDatabase,
  orchestratorActivities,
  type ResultDatabase,
} from './ledger-activities';

/** A step as a probe received it. */
export interface SentStep extends StepReference {
  readonly region: string;
  readonly atMs: number;
}

/**
 * The fate of a probe at a progress report. It dies before or after the server receives the report, or the report is
 * not acknowledged. `kept` is the normal case.
 */
export type ProgressFate = 'dies before' | 'dies behind' | 'not acknowledged' | 'kept';

export type Answer = (step: SentStep) => Promise<StepOutcome> | StepOutcome;

export interface VirtualService
  extends Pick<Environment, 'client' | 'pass' | 'sleep' | 'until' | 'settle'> {
  readonly gateway: WorkflowGateway;
  readonly ledger: Ledger;
  /** Every step that a probe received, in order. */
  readonly sent: SentStep[];
  /** Sets what the steps of a monitor or scenario return. By default, they pass. */
  readonly answer: (id: string, answer: Answer) => void;
  /** Sets the fate of the progress reports of all runs. By default, they are acknowledged. */
  readonly atProgress: (fate: (progress: StretchProgress) => ProgressFate) => void;
  readonly nowMs: () => number;
  /** Simulates the loss of the orchestrator and its current work, and starts another one. */
  readonly replaceOrchestrator: () => Promise<void>;
  /** Stops the orchestrator. After `meanwhile` has resolved, starts a new one. */
  readonly withoutOrchestrator: (meanwhile: () => Promise<unknown>) => Promise<void>;
  /** Stops the probes of all regions. After `meanwhile` has resolved, starts one in each region. */
  readonly withoutProbes: (meanwhile: () => Promise<unknown>) => Promise<void>;
  /**
   * Stops the probe of the region properly, or lets it die with its current work. Does nothing if there is no probe.
   */
  readonly stopProbe: (region: string, end: 'in order' | 'dies') => Promise<void>;
  /** Notifies the probe of the region of new grids. Does nothing if there is no probe. */
  readonly moveGrids: (region: string, moved: readonly MovedGrid[]) => void;
  /** Starts a probe for the region. Does nothing if there is a probe already. */
  readonly startProbe: (region: string) => Promise<void>;
  /** Ends all workflows that the gateway started. Otherwise they would continue in later tests. */
  readonly removeAll: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface VirtualOptions {
  readonly openEnvironment?: () => Promise<Environment>;
  /** If false, each check is an activity of the workflow, and no watch runs. */
  readonly mayBeWatched?: boolean;
  /** If false, probes behave like those of an earlier release, which run one step at a time. */
  readonly inStretches?: boolean;
  /** Opens the database in which results are stored. By default, results are stored unchanged in the ledger. */
  readonly openDatabase?: (ledger: Ledger) => ResultDatabase;
}

interface RunningProbe extends Pick<Watcher, 'moveGrids'> {
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

/** Starts one orchestrator and one probe for each region. */
export async function startVirtualService(
  regions = ['eu-west'],
  {
    openEnvironment = openInProcess,
    mayBeWatched = true,
    inStretches = true,
    openDatabase = ledgerDatabase,
  }: VirtualOptions = {},
): Promise<VirtualService> {
  const environment = await openEnvironment();
  const { client } = environment;
  const ledger = createLedger();
  const sent: SentStep[] = [];
  const answers = new Map<string, Answer>();
  let fateOf: (progress: StretchProgress) => ProgressFate = () => 'kept';
  const never = new Promise<never>(() => undefined);
  const database = openDatabase(ledger);
  const hub = orchestratorActivities(ledger, { client, mayBeWatched, database });
  let instances = 0;
  const probeActivities = (region: string, life: { isDead: boolean }) => {
    const runHttpStep = async (step: StepReference): Promise<StepOutcome> => {
      const taken = { ...step, region, atMs: Date.now() };
      sent.push(taken);
      const outcome = await (answers.get(step.id) ?? passed)(taken);
      return life.isDead ? never : outcome;
    };
    instances += 1;
    const api = database.watchApi(region, `probe-${instances}`);
    const watcher = createWatcher({
      runHttpStep: (step) => (life.isDead ? never : runHttpStep(step)),
      internalApi: {
        openWatches: (watches) => (life.isDead ? never : api.openWatches(watches)),
        deliverResults: (results) => (life.isDead ? never : api.deliverResults(results)),
      },
      clock: { nowMs: () => Date.now() },
      isEnabled: mayBeWatched,
    });
    return { runHttpStep, watcher };
  };
  const mark: SaveProgress = async (progress) => {
    const { heartbeat, cancellationSignal } = Context.current();
    const fate = fateOf(progress);
    if (fate === 'dies before') await never;
    if (fate === 'not acknowledged') return false;
    heartbeat(progress);
    if (fate === 'dies behind') await never;
    return !cancellationSignal.aborted;
  };
  const startProbe = async (region: string): Promise<void> => {
    if (probes.has(region)) return;
    const life = { isDead: false };
    const { runHttpStep, watcher } = probeActivities(region, life);
    const steps = inStretches
      ? createStepActivity(runHttpStep, { runHttpStep, saveProgress: mark })
      : runHttpStep;
    const checks = await environment.startWorker(probeQueue(region), { runHttpStep: steps });
    const activities = { ...createWatchActivities(whileAlive(watcher, life)) };
    const watches = await environment.startWorker(watchQueue(region), activities);
    probes.set(region, {
      moveGrids: watcher.moveGrids,
      stop: () => endProbe([checks, watches], watcher),
      kill: async () => {
        life.isDead = true;
        await Promise.all([checks.stop(), watches.stop()]);
      },
    });
  };
  const stopProbe = async (region: string, end: 'in order' | 'dies'): Promise<void> => {
    const probe = probes.get(region);
    probes.delete(region);
    await (end === 'dies' ? probe?.kill() : probe?.stop());
  };
  const stopProbes = () => Promise.all(regions.map((region) => stopProbe(region, 'in order')));
  const startProbes = () => Promise.all(regions.map(startProbe));
  const probes = new Map<string, RunningProbe>();
  let orchestrator = await environment.startOrchestrator(hub);
  const own = [await environment.startWorker(ALERT_QUEUE, { ...alertsOf(ledger, client) })];
  await startProbes();
  const begun = new Set<string>();
  return {
    client,
    gateway: noteBegun(createWorkflowGateway(client), begun),
    ledger,
    sent,
    answer: (id, answer) => void answers.set(id, answer),
    atProgress: (fate) => {
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
      await stopProbes();
      await meanwhile();
      await startProbes();
    },
    stopProbe,
    startProbe,
    moveGrids: (region, moved) => probes.get(region)?.moveGrids(moved),
    removeAll: async () => {
      for (const workflowId of begun) {
        const handle = client.workflow.getHandle(workflowId);
        // Errors are ignored, because some workflows have ended in their test.
        await handle.signal(SIGNALS.remove).catch(() => undefined);
        await handle.result().catch(() => undefined);
      }
      begun.clear();
    },
    stop: async () => {
      await stopProbes();
      await Promise.all([orchestrator, ...own].map((worker) => worker.stop()));
      await environment.stop();
    },
  };
}

/** Records the ids of workflows that the gateway may have started. */
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

/** Wraps the watcher of a probe. After the process has died, it sends and receives nothing more. */
function whileAlive(
  { watch }: Watcher,
  life: { readonly isDead: boolean },
): Pick<Watcher, 'watch'> {
  const never = new Promise<never>(() => undefined);
  return {
    watch: async (given, attempt) => {
      const beat = (words: string): void => {
        if (!life.isDead) attempt.beat(words);
      };
      const end = await watch(given, { ...attempt, beat });
      return life.isDead ? never : end;
    },
  };
}

/** Stops a probe properly. The probe hands over its watches. */
async function endProbe(workers: readonly RunningWorker[], watcher: Watcher): Promise<void> {
  const stopped = workers.map((worker) => worker.stop());
  await watcher.drain();
  await Promise.all(stopped);
}

function passed(): StepOutcome {
  return outcomeOf('up');
}
