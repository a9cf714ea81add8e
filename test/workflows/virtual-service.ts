/**
 * Workflows on the time-skipping server, with probes and a database that tests look into. Time
 * passes only when a test says so.
 */
import { Context } from '@temporalio/activity';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { createDependencyActivities } from '../../src/activities/dependency-activities';
import { createHeartbeatActivities } from '../../src/activities/heartbeat-activities';
import { createQuietActivities } from '../../src/activities/quiet-activities';
import { createRecordActivities } from '../../src/activities/record-activities';
import { createRegionActivities } from '../../src/activities/region-activities';
import type {
  QuietActivities,
  RecordActivities,
  StepReference,
} from '../../src/contracts/activities';
import {
  ALERT_QUEUE,
  type AlertActivities,
  type AlertMessage,
  type AlertPreparation,
  type DeliveryOutcome,
  type DeliveryRecord,
} from '../../src/contracts/alerts';
import type { BacklogActivities } from '../../src/contracts/backlog';
import type {
  EscalationActivities,
  EscalationPlan,
  EscalationState,
  EscalationStatus,
} from '../../src/contracts/escalation';
import type { Absence, HeartbeatActivities } from '../../src/contracts/heartbeat';
import type { HousekeepingPass, HousekeepingTask } from '../../src/contracts/housekeeping';
import type { StepOutcome } from '../../src/contracts/outcome';
import type {
  IncidentRecord,
  MonitorCheckRecord,
  OperatorChangeRecord,
  RunRecord,
  ScenarioSlotRecord,
} from '../../src/contracts/records';
import { ORCHESTRATOR_QUEUE, probeQueue } from '../../src/contracts/workflows';
import type { StoredPing } from '../../src/models/heartbeats/pings';
import type { RefusedRecord } from '../../src/models/operations/refused-records';
import type { Result } from '../../src/models/results/result';
import { systemClock } from '../../src/platform/clock';
import { AppError } from '../../src/platform/errors';
import type { WorkflowGateway } from '../../src/services/ports/gateway';
import { foldAlert } from '../../src/temporal/alert-calls';
import { reportHealth } from '../../src/temporal/health-calls';
import { createWorkflowGateway } from '../../src/temporal/workflow-gateway';
import { outcomeOf } from '../support/outcomes';
import { readWorkflowBundle } from '../support/workflow-bundle';
import { openVirtualTime } from './environments';
import { endOneAtATime } from './one-end-at-a-time';
import { passTime } from './pass-time';
import { quietResults, takeQuietResult } from './quiet-ledger';
import { houseOf } from './virtual-house';

/** A step as a probe took it. */
export interface SentStep extends StepReference {
  readonly region: string;
  readonly atMs: number;
}

export type Answer = (step: SentStep) => Promise<StepOutcome> | StepOutcome;

/** What workflows wrote, and whether the database is there to take it. */
export interface Ledger {
  readonly checks: MonitorCheckRecord[];
  readonly slots: ScenarioSlotRecord[];
  readonly runs: RunRecord[];
  readonly operatorChanges: OperatorChangeRecord[];
  /** A task of the housekeeping that never ends. */
  hangingTask: HousekeepingTask | null;
  /** Tasks of the housekeeping as they were requested. */
  readonly housekeeping: (HousekeepingPass & { readonly task: HousekeepingTask })[];
  readonly gone: Set<string>;
  /** Tries to deliver, in order, and what was kept of each alert at each place last. */
  readonly tries: {
    readonly alert: AlertMessage;
    readonly target: string;
    readonly atMs: number;
  }[];
  readonly deliveries: Map<string, DeliveryRecord>;
  /** Alerts of which it is noted that a digest tells of them. */
  readonly folded: AlertMessage[];
  /** What places answer, by the key of the target; `sent` until then. */
  readonly receivers: Map<string, () => DeliveryOutcome>;
  /** Incidents that are acknowledged in the database. */
  readonly quiet: Set<string>;
  /** Policies by the resource that goes by them. */
  readonly policies: Map<string, EscalationPlan>;
  /** How the incidents of resources stand; open until then. */
  readonly standings: Map<string, EscalationStatus['state']>;
  /** Escalations as they were stored last, by their incidents. */
  readonly escalations: Map<string, EscalationState>;
  /** Until when escalations are quiet. */
  quietUntilMs: number;
  /** Alerts that are sent one by one; further ones are folded. */
  admits: number;
  isAway: boolean;
  /** Monitors and scenarios of which the database refuses every record. */
  readonly refused: Set<string>;
  /** The operator's list of what was refused for too long. */
  readonly givenUp: RefusedRecord[];
  /** Incidents as they were when something was decided between two slots. */
  readonly decisions: IncidentRecord[];
  /** Results of quiet checks as they are stored. */
  readonly quietRows: Result[];
  /** Pings as they arrived, oldest first; those that are judged go. */
  readonly pings: StoredPing[];
  /** Times in which no ping could be taken. */
  readonly absences: Absence[];
  /** Since when no ping can be taken; null: they can. */
  absentSinceMs: number | null;
  /** True: nobody can be asked how what others depend on is. */
  isDeaf: boolean;
  /** Those who were asked how they are. */
  readonly questions: string[];
  /** 0: probes take work, and are behind with it; null: there are none. */
  lastPollMs: 0 | null;
  /** Tries to hand over what waited. */
  handOvers: number;
  /**
   * Slots are stored when this resolves. A workflow that waits for it takes all that happens meanwhile
   * in one task; longer than some seconds is a failure of the database.
   */
  gate: Promise<void>;
  /** Slots of scenarios that came to the gate, whether it let them pass or not. */
  slotsAtGate: number;
}

export interface VirtualService {
  readonly environment: TestWorkflowEnvironment;
  readonly gateway: WorkflowGateway;
  readonly ledger: Ledger;
  /** Every step that a probe took, in order. */
  readonly sent: SentStep[];
  /** Decides what the steps of a monitor or scenario return; `pass` until then. */
  readonly answer: (id: string, answer: Answer) => void;
  readonly nowMs: () => Promise<number>;
  readonly pass: (ms: number) => Promise<void>;
  /** Another orchestrator takes over; the one that runs begins nothing more and ends in the background. */
  readonly replaceOrchestrator: () => Promise<void>;
  /** No orchestrator is there until this has resolved; then another one is. */
  readonly withoutOrchestrator: (meanwhile: () => Promise<unknown>) => Promise<void>;
  /** No region has a probe until this has resolved; then each has one. */
  readonly withoutProbes: (meanwhile: () => Promise<unknown>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface VirtualOptions {
  readonly openEnvironment?: typeof openVirtualTime;
  /** False: each check passes the workflow. */
  readonly mayBeQuiet?: boolean;
}

/** Starts the server, one orchestrator and one probe for each region. */
export async function startVirtualService(
  regions = ['eu-west'],
  { openEnvironment = openVirtualTime, mayBeQuiet = true }: VirtualOptions = {},
): Promise<VirtualService> {
  installQuietRuntime();
  const environment = await openEnvironment();
  const ledger: Ledger = {
    checks: [],
    slots: [],
    runs: [],
    operatorChanges: [],
    hangingTask: null,
    housekeeping: [],
    gone: new Set(),
    tries: [],
    deliveries: new Map(),
    folded: [],
    receivers: new Map(),
    quiet: new Set(),
    policies: new Map(),
    standings: new Map(),
    escalations: new Map(),
    quietUntilMs: 0,
    admits: Number.POSITIVE_INFINITY,
    isAway: false,
    isDeaf: false,
    questions: [],
    refused: new Set(),
    givenUp: [],
    decisions: [],
    quietRows: [],
    pings: [],
    absences: [],
    absentSinceMs: null,
    lastPollMs: null,
    handOvers: 0,
    gate: Promise.resolve(),
    slotsAtGate: 0,
  };
  const sent: VirtualService['sent'] = [];
  const answers = new Map<string, Answer>();
  const connection = environment.nativeConnection;
  const namespace = environment.namespace ?? 'default';
  const activities = {
    ...hubOf(ledger, environment, mayBeQuiet),
    ...houseOf(ledger),
    ...preparationOf(ledger),
    ...inboxOf(ledger, environment),
    ...createRegionActivities({ readLastPollMs: async () => ledger.lastPollMs, nowMs: () => 0 }),
    ...createDependencyActivities({
      reportHealth: (id, question) => {
        if (ledger.isDeaf) throw new Error('nobody can be asked');
        ledger.questions.push(id);
        return reportHealth(environment.client, id, question);
      },
      clock: systemClock,
    }),
  };
  const workflowBundle = await readWorkflowBundle();
  const startOrchestrator = () =>
    startWorker({
      connection,
      namespace,
      taskQueue: ORCHESTRATOR_QUEUE,
      workflowBundle,
      activities,
      stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT_MS,
    });
  let orchestrator = await startOrchestrator();
  const awaitTurn = endOneAtATime(environment);
  const startProbe = (region: string): Promise<RunningWorker> => {
    const runHttpStep = async (step: StepReference): Promise<StepOutcome> => {
      const taken = { ...step, region, atMs: await environment.currentTimeMs() };
      sent.push(taken);
      return (answers.get(step.id) ?? passed)(taken);
    };
    const quiet = createQuietActivities({
      runHttpStep,
      sender: { send: (result) => takeQuietResult(ledger, region, result) },
      // This server tells attempts another time than the real one.
      attemptTime: async () => ({ nowMs: await environment.currentTimeMs(), waitedMs: 0 }),
      isEnabled: mayBeQuiet,
    });
    const taskQueue = probeQueue(region);
    const checkWhileQuiet: QuietActivities['checkWhileQuiet'] = async (check) => {
      const ending = await quiet.checkWhileQuiet(check);
      const { workflowExecution, activityId } = Context.current().info;
      if (regions.length > 1) await awaitTurn(workflowExecution?.workflowId ?? '', activityId);
      return ending;
    };
    const activities = { runHttpStep, checkWhileQuiet };
    return startWorker({ connection, namespace, taskQueue, activities });
  };
  const alerting = startWorker({
    connection,
    namespace,
    taskQueue: ALERT_QUEUE,
    activities: { ...alertsOf(ledger, environment) },
  });
  const startProbes = () => Promise.all(regions.map(startProbe));
  const workers = [await alerting];
  let probes = await startProbes();
  return {
    environment,
    gateway: createWorkflowGateway(environment.client),
    ledger,
    sent,
    answer: (id, answer) => void answers.set(id, answer),
    nowMs: () => environment.currentTimeMs(),
    pass: (ms) => passTime(environment, ms),
    replaceOrchestrator: async () => {
      workers.push(orchestrator);
      void orchestrator.stop();
      orchestrator = await startOrchestrator();
    },
    withoutOrchestrator: async (meanwhile) => {
      await orchestrator.stop();
      await meanwhile();
      orchestrator = await startOrchestrator();
    },
    withoutProbes: async (meanwhile) => {
      await Promise.all(probes.map((probe) => probe.stop()));
      await meanwhile();
      probes = await startProbes();
    },
    stop: async () => {
      await Promise.all([orchestrator, ...probes, ...workers].map((worker) => worker.stop()));
      await environment.teardown();
    },
  };
}

/** How long a workflow waits for a worker that is gone before another takes it over. */
const STICKY_TIMEOUT_MS = 500;

interface RunningWorker {
  readonly stop: () => Promise<void>;
}

async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const worker = await Worker.create(options);
  const ended = worker.run();
  return {
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

let isRuntimeInstalled = false;

/** Only errors reach the terminal; the test server lacks things that the SDK would warn of. */
export function installQuietRuntime(): void {
  if (isRuntimeInstalled) return;
  isRuntimeInstalled = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
    },
  });
}

/** The real activities over a store that, like the real one, takes a slot once. */
function hubOf(
  ledger: Ledger,
  environment: TestWorkflowEnvironment,
  mayBeQuiet: boolean,
): RecordActivities & BacklogActivities {
  const taken = new Set<string>();
  const take = async <Row>(rows: Row[], row: Row, [id, ...key]: readonly (string | number)[]) => {
    if (ledger.isAway) throw new AppError('engine_unavailable', 'the database is away');
    const isSettled = key[0] !== 'operator';
    if (isSettled && ledger.refused.has(String(id))) throw new Error('the database refuses it');
    if (ledger.gone.has(String(id))) return { gone: true };
    const place = [id, ...key].join(' ');
    if (!taken.has(place)) rows.push(row);
    taken.add(place);
    return { gone: false };
  };
  let nowMs = Date.now();
  const recording = createRecordActivities({
    recorder: {
      recordMonitorCheck: async (record) => {
        await ledger.gate;
        nowMs = await environment.currentTimeMs();
        return take(ledger.checks, record, [record.monitorId, record.slotMs, record.kind]);
      },
      recordScenarioSlot: async (record) => {
        ledger.slotsAtGate += 1;
        await ledger.gate;
        return take(ledger.slots, record, [record.scenarioId, record.slotMs, record.region]);
      },
      saveDecisions: async ({ incident }) => {
        ledger.decisions.push(incident);
        return true;
      },
      saveRun: (run) => take(ledger.runs, run, [run.scenarioId, run.runId, run.sequence]),
    },
    // What operators do is taken below.
    stores: { results: quietResults(ledger) } as never,
    refusedRecords: {
      keep: async (row) => void ledger.givenUp.push(row),
      count: async () => ledger.givenUp.length,
    },
    clock: { now: () => nowMs },
    logger: { error: () => undefined },
    mayBeQuiet,
  });
  const counted = <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) => {
    return (...given: Given): Promise<Answer> => {
      ledger.handOvers += 1;
      return call(...given);
    };
  };
  return {
    ...recording,
    recordWaiting: counted(recording.recordWaiting),
    saveOperatorChange: async (record) => {
      const version = record.version + 1;
      const key = [record.id, 'operator', record.version];
      return { ...(await take(ledger.operatorChanges, record, key)), version };
    },
  };
}

/** The real activity over pings that tests send. */
function inboxOf(ledger: Ledger, environment: TestWorkflowEnvironment): HeartbeatActivities {
  const requireDatabase = (): void => {
    if (ledger.isAway) throw new AppError('engine_unavailable', 'the database is away');
  };
  return createHeartbeatActivities({
    pings: {
      insert: async (_account, ping) => void ledger.pings.push(ping),
      listWaiting: async (_account, monitorId, limit) => {
        requireDatabase();
        return ledger.pings.filter((ping) => ping.monitorId === monitorId).slice(0, limit);
      },
      noteJudged: async (_account, ids) => {
        requireDatabase();
        for (const id of ids) {
          const index = ledger.pings.findIndex((ping) => ping.id === id);
          if (index >= 0) ledger.pings.splice(index, 1);
        }
      },
      listOverdueMonitors: async () => [],
    },
    presence: {
      note: async () => undefined,
      read: async () => ({
        lastAtMs: ledger.absentSinceMs ?? (await environment.currentTimeMs()),
        absences: ledger.absences,
      }),
    },
  });
}

/** Places lead where the rule led when it was saved. */
function preparationOf(ledger: Ledger): AlertPreparation & EscalationActivities {
  return {
    findPolicy: async ({ resourceId, incidentId, kind }) => {
      const known = ledger.escalations.get(incidentId ?? '');
      if (ledger.isAway) return null;
      if (known !== undefined && (kind === 'recovery' || !known.isOver))
        return { ...known.plan, known };
      return ledger.policies.get(resourceId) ?? null;
    },
    readEscalationStatus: async ({ alert, atMs }) => ({
      state: ledger.standings.get(alert.resourceId) ?? 'open',
      silence: null,
      quietUntilMs: ledger.quietUntilMs > atMs ? ledger.quietUntilMs : null,
    }),
    saveEscalation: async ({ incidentId, state }) => {
      if (ledger.isAway) throw new Error('the database is away');
      ledger.escalations.set(incidentId, state);
    },
    findRecipients: async ({ recipients: places }) => places.targets,
    admitAlert: async () => {
      ledger.admits -= 1;
      return ledger.admits >= 0;
    },
  };
}

/** Receivers that tests speak for. */
function alertsOf(ledger: Ledger, environment: TestWorkflowEnvironment): AlertActivities {
  return {
    deliverAlert: async ({ alert, target }) => {
      const atMs = await environment.currentTimeMs();
      ledger.tries.push({ alert, target: target.key, atMs });
      const answer = ledger.receivers.get(target.key);
      return answer === undefined ? { kind: 'sent', detail: 'taken' } : answer();
    },
    saveDelivery: async (record) => {
      if (ledger.isAway) throw new Error('the database is away');
      ledger.deliveries.set(`${record.alert.id} ${record.target.key}`, record);
    },
    // An acknowledgement ends no step that goes on until the recovery.
    findQuietIncidents: async ({ incidentIds, until }) =>
      until === 'recovered' ? [] : incidentIds.filter((id) => ledger.quiet.has(id)),
    foldIntoDigest: (folded) => foldAlert(environment.client, folded),
    keepFolded: async (folded) => {
      if (ledger.isAway) throw new Error('the database is away');
      for (const { alert } of folded) ledger.folded.push(alert);
    },
  };
}

function passed(): StepOutcome {
  return outcomeOf('up');
}
