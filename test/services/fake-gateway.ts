/** A fake Temporal that records its calls and can be unavailable. */

import type { IncidentSilence } from '../../src/contracts/alerts';
import type { HeartbeatConfig, HeartbeatState } from '../../src/contracts/heartbeat-workflow';
import type { MaintenancePlan } from '../../src/contracts/maintenance';
import type { StepOutcome } from '../../src/contracts/outcome';
import type { RunRecord } from '../../src/contracts/records';
import type { ScenarioRunInput } from '../../src/contracts/scenario-run';
import type {
  ManualCheck,
  ManualRun,
  MonitorConfig,
  MonitorState,
  ScenarioConfig,
  ScenarioState,
  ScheduleConfig,
} from '../../src/contracts/workflows';
import { AppError } from '../../src/platform/errors';
import type { WorkflowGateway } from '../../src/services/ports/gateway';
import { outcomeOf } from '../support/outcomes';

type GivenConfig = MonitorConfig | HeartbeatConfig | ScenarioConfig;
type GivenState = MonitorState | HeartbeatState | ScenarioState;

export interface FakeGateway extends WorkflowGateway {
  readonly calls: {
    readonly name: keyof WorkflowGateway;
    readonly id: string;
    readonly config?: GivenConfig;
    /** The configuration that a running workflow got. */
    readonly sent?: ScheduleConfig;
    readonly request?: ManualCheck | ManualRun;
    readonly maintenance?: MaintenancePlan;
    readonly silence?: IncidentSilence;
    /** The state with which the workflow would start if it was lost. */
    readonly lost?: GivenState | undefined;
  }[];
  /**
   * `ping` means that nothing responds. `work` means that the ping succeeds and then calls fail. null means that
   * Temporal is available.
   */
  away: 'ping' | 'work' | null;
  /** Returns the run that results from testing an unsaved scenario. */
  testRun: (run: ScenarioRunInput) => Promise<RunRecord>;
  /** Watches that a probe polled but did not open, in the form `monitorId region`. */
  readonly unopened: Set<string>;
  /** Ids of the runs that are in progress. */
  readonly underWay: Set<string>;
  /** Returns the outcome of testing an unsaved monitor. */
  test: (config: MonitorConfig) => Promise<StepOutcome>;
  readonly callsOf: (id: string) => readonly string[];
  readonly lastConfigOf: (id: string) => GivenConfig | undefined;
}

export function createFakeGateway(): FakeGateway {
  const calls: FakeGateway['calls'] = [];
  const note = async (call: FakeGateway['calls'][number]): Promise<void> => {
    if (gateway.away !== null) throw new AppError('unavailable', 'Temporal is away.');
    calls.push(call);
  };
  const told =
    (name: keyof WorkflowGateway) =>
    (config: GivenConfig, lost?: GivenState): Promise<void> =>
      note({ name, id: config.id, config, lost });
  const gateway: FakeGateway = {
    calls,
    away: null,
    test: async () => outcomeOf('up'),
    testRun: async () => {
      throw new Error('no test of a scenario is expected');
    },
    unopened: new Set(),
    underWay: new Set(),
    callsOf: (id) => calls.filter((call) => call.id === id).map(({ name }) => name),
    lastConfigOf: (id) =>
      calls.findLast((call) => call.id === id && call.config !== undefined)?.config,
    configureMonitor: told('configureMonitor'),
    sendConfig: async (_kind, config) => {
      await note({ name: 'sendConfig', id: config.id, sent: config });
      return true;
    },
    configureMonitorNow: told('configureMonitorNow'),
    notifyHeartbeat: (id) => note({ name: 'notifyHeartbeat', id }),
    checkMonitorNow: (config, request, lost) =>
      note({ name: 'checkMonitorNow', id: config.id, config, request, lost }),
    testMonitor: async (config) => {
      await note({ name: 'testMonitor', id: config.id, config });
      return gateway.test(config);
    },
    removeMonitor: (id) => note({ name: 'removeMonitor', id }),
    handOver: ({ instance }) => note({ name: 'handOver', id: instance }),
    failWatch: async (taskToken) => {
      await note({ name: 'failWatch', id: taskToken });
      return true;
    },
    failUnopenedWatch: async ({ monitorId, region }) => {
      const id = `${monitorId} ${region}`;
      await note({ name: 'failUnopenedWatch', id });
      return gateway.unopened.has(id);
    },
    endWatch: (id) => note({ name: 'endWatch', id }),
    configureScenario: told('configureScenario'),
    configureScenarioNow: told('configureScenarioNow'),
    runScenarioNow: (config, request, lost) =>
      note({ name: 'runScenarioNow', id: config.id, config, request, lost }),
    cancelRun: async (id, runId) => {
      await note({ name: 'cancelRun', id });
      return gateway.underWay.has(runId);
    },
    testScenario: async (run) => {
      await note({ name: 'testScenario', id: run.scenarioId });
      return gateway.testRun(run);
    },
    planMaintenance: (_kind, id, maintenance) => note({ name: 'planMaintenance', id, maintenance }),
    silence: (_kind, id, silence) => note({ name: 'silence', id, silence }),
    wakeRollouts: (id) => note({ name: 'wakeRollouts', id }),
    removeScenario: (id) => note({ name: 'removeScenario', id }),
    sendAlert: async ({ alert, recipients: places }) =>
      places.targets.map((target) => ({
        alert,
        target,
        status: 'sent',
        attempts: [{ atMs: alert.atMs, outcome: 'sent', detail: 'Receiver response: 200.' }],
        sequence: 2,
      })),
    listStuck: async () => [],
    readBacklogs: async (queues) => queues.map((queue) => ({ queue, tasks: 0, oldestMs: 0 })),
    describe: async () => ({ version: '1.2.3', persistence: 'sqlite' }),
    ping: async () => {
      if (gateway.away === 'ping') throw new AppError('unavailable', 'Temporal is away.');
    },
  };
  return gateway;
}
