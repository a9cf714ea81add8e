/**
 * What monitors and scenarios have in common for the verbs that save them: where the rows are, and
 * how the engine is told. It decides nothing.
 */
import type { Definition } from '../../contracts/definition';
import type { HeartbeatConfig } from '../../contracts/heartbeat-workflow';
import type { MonitorConfig, ScenarioConfig } from '../../contracts/workflows';
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
  readonly rows: ResourceStore<Row>;
  readonly definitionOf: (row: Row) => Definition;
  /** Starts the workflow, or hands it the row. */
  readonly start: (row: Row) => Promise<void>;
  /** As start, but answers after it took effect. */
  readonly change: (row: Row) => Promise<void>;
  /** Ends the workflow; succeeds when there is none. */
  readonly stop: (id: string) => Promise<void>;
}

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock'>;

/** What the workflow is told now, the maintenance that is next included. */
async function plannedMonitorConfig(
  needs: Pick<Needs, 'stores' | 'clock'>,
  row: Monitor,
): Promise<MonitorConfig | HeartbeatConfig> {
  const maintenance = await readPlan(needs, row);
  return { ...monitorConfigOf(row, needs.clock.now()), maintenance };
}

/** As plannedMonitorConfig. */
async function plannedScenarioConfig(
  needs: Pick<Needs, 'stores' | 'clock'>,
  row: Scenario,
): Promise<ScenarioConfig> {
  const maintenance = await readPlan(needs, row);
  return { ...scenarioConfigOf(row, needs.clock.now()), maintenance };
}

export function monitorPort(needs: Needs): ResourcePort<Monitor> {
  const { stores, gateway } = needs;
  return {
    idKind: 'monitor',
    rows: stores.monitors,
    definitionOf: monitorDefinitionOf,
    start: async (row) => gateway.configureMonitor(await plannedMonitorConfig(needs, row)),
    async change(row) {
      const state = await readMonitorState(needs, row);
      await gateway.configureMonitorNow(state.config, state);
    },
    stop: gateway.removeMonitor,
  };
}

export function scenarioPort(needs: Needs): ResourcePort<Scenario> {
  const { stores, gateway } = needs;
  return {
    idKind: 'scenario',
    rows: stores.scenarios,
    definitionOf: scenarioDefinitionOf,
    start: async (row) => gateway.configureScenario(await plannedScenarioConfig(needs, row)),
    async change(row) {
      const state = await readScenarioState(needs, row);
      await gateway.configureScenarioNow(state.config, state);
    },
    stop: gateway.removeScenario,
  };
}
