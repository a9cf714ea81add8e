/**
 * What monitors and scenarios have in common for the verbs that save them: where the rows are, and
 * how the engine is told. It decides nothing.
 */
import type { Definition } from '../contracts/definition';
import {
  monitorConfigOf,
  monitorDefinitionOf,
  scenarioConfigOf,
  scenarioDefinitionOf,
} from './compose-config';
import type { Dependencies } from './dependencies';
import type { MonitorRow, ResourceRow, ScenarioRow } from './rows';
import type { ResourceStore } from './stores';

export interface ResourcePort<Row extends ResourceRow> {
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

export function monitorPort({ stores, gateway, clock }: Needs): ResourcePort<MonitorRow> {
  return {
    idKind: 'monitor',
    rows: stores.monitors,
    definitionOf: monitorDefinitionOf,
    start: (row) => gateway.configureMonitor(monitorConfigOf(row, clock.now())),
    change: (row) => gateway.configureMonitorNow(monitorConfigOf(row, clock.now())),
    stop: gateway.removeMonitor,
  };
}

export function scenarioPort({ stores, gateway, clock }: Needs): ResourcePort<ScenarioRow> {
  return {
    idKind: 'scenario',
    rows: stores.scenarios,
    definitionOf: scenarioDefinitionOf,
    start: (row) => gateway.configureScenario(scenarioConfigOf(row, clock.now())),
    change: (row) => gateway.configureScenarioNow(scenarioConfigOf(row, clock.now())),
    stop: gateway.removeScenario,
  };
}
