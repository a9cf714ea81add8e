/**
 * What monitors and scenarios have in common for the verbs that save them: where they are stored, and
 * how their workflows hear of them. It decides nothing.
 */
import type { Definition } from '../../contracts/definition';
import type { HeartbeatConfig, HeartbeatState } from '../../contracts/heartbeat-workflow';
import type {
  MonitorConfig,
  MonitorState,
  ScenarioConfig,
  ScenarioState,
  ScheduleConfig,
} from '../../contracts/workflows';
import type { Monitor } from '../../models/resources/monitors';
import type { Resource, ResourceStore } from '../../models/resources/resource';
import type { Scenario } from '../../models/resources/scenarios';
import { readPlan } from '../maintenance/maintenance-plans';
import type { Dependencies } from '../ports/dependencies';
import {
  monitorConfigOf,
  monitorDefinitionOf,
  scenarioConfigOf,
  scenarioDefinitionOf,
} from './compose-config';
import { readMonitorState, readScenarioState } from './last-known-state';

export interface ResourcePort<Row extends Resource> {
  readonly idKind: 'monitor' | 'scenario';
  readonly store: ResourceStore<Row>;
  readonly definitionOf: (row: Row) => Definition;
  /** Starts the workflow, or hands it the row. */
  readonly start: (row: Row) => Promise<void>;
  /** As start, but answers after it took effect. */
  readonly change: (row: Row) => Promise<void>;
  /** Ends the workflow; succeeds when there is none. */
  readonly stop: (id: string) => Promise<void>;
}

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock'>;

/** What differs between the kinds: their stores, and how their workflows are reached. */
interface Differences<Row extends Resource, Config extends ScheduleConfig, State>
  extends Pick<ResourcePort<Row>, 'idKind' | 'store' | 'definitionOf' | 'stop'> {
  readonly configOf: (row: Row, nowMs: number) => Config;
  readonly readState: (needs: Needs, row: Row) => Promise<State & { readonly config: Config }>;
  readonly configure: (config: Config) => Promise<void>;
  readonly configureNow: (config: Config, lost: State) => Promise<void>;
}

function portOf<Row extends Resource, Config extends ScheduleConfig, State>(
  needs: Needs,
  { configOf, readState, configure, configureNow, ...port }: Differences<Row, Config, State>,
): ResourcePort<Row> {
  return {
    ...port,
    async start(row) {
      const maintenance = await readPlan(needs, row);
      await configure({ ...configOf(row, needs.clock.now()), maintenance });
    },
    async change(row) {
      const state = await readState(needs, row);
      await configureNow(state.config, state);
    },
  };
}

export function monitorPort(needs: Needs): ResourcePort<Monitor> {
  const { stores, gateway } = needs;
  return portOf<Monitor, MonitorConfig | HeartbeatConfig, MonitorState | HeartbeatState>(needs, {
    idKind: 'monitor',
    store: stores.monitors,
    definitionOf: monitorDefinitionOf,
    configOf: monitorConfigOf,
    readState: readMonitorState,
    configure: gateway.configureMonitor,
    configureNow: gateway.configureMonitorNow,
    stop: gateway.removeMonitor,
  });
}

export function scenarioPort(needs: Needs): ResourcePort<Scenario> {
  const { stores, gateway } = needs;
  return portOf<Scenario, ScenarioConfig, ScenarioState>(needs, {
    idKind: 'scenario',
    store: stores.scenarios,
    definitionOf: scenarioDefinitionOf,
    configOf: scenarioConfigOf,
    readState: readScenarioState,
    configure: gateway.configureScenario,
    configureNow: gateway.configureScenarioNow,
    stop: gateway.removeScenario,
  });
}
