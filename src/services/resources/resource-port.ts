/** The interface for saving monitors and scenarios: their store, and the calls that notify their workflows. */
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
  buildMonitorConfig,
  buildMonitorDefinition,
  buildScenarioConfig,
  buildScenarioDefinition,
} from './compose-config';
import { readMonitorState, readScenarioState } from './last-known-state';

export interface ResourcePort<Entity extends Resource> {
  readonly idKind: 'monitor' | 'scenario';
  readonly store: ResourceStore<Entity>;
  readonly readDefinition: (resource: Entity) => Definition;
  /** Starts the workflow. If it is already running, sends it the resource instead. */
  readonly start: (resource: Entity) => Promise<void>;
  /**
   * Sends the change. Resolves once Temporal has stored the change. A lost workflow is restarted with its last known
   * state.
   */
  readonly send: (resource: Entity) => Promise<void>;
  /** Like send, but resolves after the change has taken effect. */
  readonly change: (resource: Entity) => Promise<void>;
  /** Ends the workflow. Succeeds if there is none. */
  readonly stop: (id: string) => Promise<void>;
}

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock'>;

/** The parts that differ between monitors and scenarios. */
interface Differences<Entity extends Resource, Config extends ScheduleConfig, State>
  extends Pick<ResourcePort<Entity>, 'idKind' | 'store' | 'readDefinition' | 'stop'> {
  readonly buildConfig: (resource: Entity, nowMs: number) => Config;
  readonly readState: (
    needs: Needs,
    resource: Entity,
  ) => Promise<State & { readonly config: Config }>;
  readonly configure: (config: Config) => Promise<void>;
  readonly configureNow: (config: Config, lost: State) => Promise<void>;
}

function createPort<Entity extends Resource, Config extends ScheduleConfig, State>(
  needs: Needs,
  { buildConfig, readState, configure, configureNow, ...port }: Differences<Entity, Config, State>,
): ResourcePort<Entity> {
  return {
    ...port,
    async start(resource) {
      const maintenance = await readPlan(needs, resource);
      await configure({ ...buildConfig(resource, needs.clock.now()), maintenance });
    },
    async send(resource) {
      // The configuration contains no maintenance plan, so a running workflow keeps its current plan.
      const config = buildConfig(resource, needs.clock.now());
      if (await needs.gateway.sendConfig(port.idKind, config)) return;
      const state = await readState(needs, resource);
      await configureNow(state.config, state);
    },
    async change(resource) {
      const state = await readState(needs, resource);
      await configureNow(state.config, state);
    },
  };
}

export function createMonitorPort(needs: Needs): ResourcePort<Monitor> {
  const { stores, gateway } = needs;
  return createPort<Monitor, MonitorConfig | HeartbeatConfig, MonitorState | HeartbeatState>(
    needs,
    {
      idKind: 'monitor',
      store: stores.monitors,
      readDefinition: buildMonitorDefinition,
      buildConfig: buildMonitorConfig,
      readState: readMonitorState,
      configure: gateway.configureMonitor,
      configureNow: gateway.configureMonitorNow,
      stop: gateway.removeMonitor,
    },
  );
}

export function createScenarioPort(needs: Needs): ResourcePort<Scenario> {
  const { stores, gateway } = needs;
  return createPort<Scenario, ScenarioConfig, ScenarioState>(needs, {
    idKind: 'scenario',
    store: stores.scenarios,
    readDefinition: buildScenarioDefinition,
    buildConfig: buildScenarioConfig,
    readState: readScenarioState,
    configure: gateway.configureScenario,
    configureNow: gateway.configureScenarioNow,
    stop: gateway.removeScenario,
  });
}
