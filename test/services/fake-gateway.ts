/** A workflow engine that remembers what it was told, and can be away. */

import type { StepOutcome } from '../../src/contracts/outcome';
import type {
  ManualCheck,
  ManualRun,
  MonitorConfig,
  ScenarioConfig,
} from '../../src/contracts/workflows';
import { AppError } from '../../src/platform/errors';
import type { WorkflowGateway } from '../../src/services/gateway';
import { outcomeOf } from '../support/outcomes';

export interface FakeGateway extends WorkflowGateway {
  readonly calls: {
    readonly name: keyof WorkflowGateway;
    readonly id: string;
    readonly config?: MonitorConfig | ScenarioConfig;
    readonly request?: ManualCheck | ManualRun;
  }[];
  /** `ping`: nothing answers; `work`: it dies after the ping; null: it is there. */
  away: 'ping' | 'work' | null;
  /** What a test of an unsaved monitor finds. */
  test: (config: MonitorConfig) => Promise<StepOutcome>;
  readonly callsOf: (id: string) => readonly string[];
  readonly lastConfigOf: (id: string) => MonitorConfig | ScenarioConfig | undefined;
}

export function createFakeGateway(): FakeGateway {
  const calls: FakeGateway['calls'] = [];
  const note = async (call: FakeGateway['calls'][number]): Promise<void> => {
    if (gateway.away !== null) throw new AppError('engine_unavailable', 'The engine is away.');
    calls.push(call);
  };
  const told =
    (name: keyof WorkflowGateway) =>
    (config: MonitorConfig | ScenarioConfig): Promise<void> =>
      note({ name, id: config.id, config });
  const gateway: FakeGateway = {
    calls,
    away: null,
    test: async () => outcomeOf('up'),
    callsOf: (id) => calls.filter((call) => call.id === id).map(({ name }) => name),
    lastConfigOf: (id) =>
      calls.findLast((call) => call.id === id && call.config !== undefined)?.config,
    configureMonitor: told('configureMonitor'),
    configureMonitorNow: told('configureMonitorNow'),
    checkMonitorNow: (config, request) =>
      note({ name: 'checkMonitorNow', id: config.id, config, request }),
    testMonitor: async (config) => {
      await note({ name: 'testMonitor', id: config.id, config });
      return gateway.test(config);
    },
    removeMonitor: (id) => note({ name: 'removeMonitor', id }),
    configureScenario: told('configureScenario'),
    configureScenarioNow: told('configureScenarioNow'),
    runScenarioNow: (config, request) =>
      note({ name: 'runScenarioNow', id: config.id, config, request }),
    removeScenario: (id) => note({ name: 'removeScenario', id }),
    ping: async () => {
      if (gateway.away === 'ping') throw new AppError('engine_unavailable', 'The engine is away.');
    },
  };
  return gateway;
}
