/** The states that workflows begin their life with. */
import type {
  MonitorConfig,
  MonitorState,
  ScenarioConfig,
  ScenarioState,
} from '../../contracts/workflows';
import { QUIET_ALERTS } from '../alerting/alert-policy';
import { pendingHealth } from '../health/health';
import { unseenPlan } from '../health/maintenance';
import { NO_BACKLOG } from './backlog';

/** The state of a monitor that was never checked. */
export function freshMonitorState(config: MonitorConfig): MonitorState {
  return { ...begun(config), config, answered: [], unconfirmed: null };
}

/** The state of a scenario that never ran. */
export function freshScenarioState(config: ScenarioConfig): ScenarioState {
  return { ...begun(config), config };
}

function begun({ anchorMs, maintenance }: MonitorConfig | ScenarioConfig) {
  return {
    v: 1,
    health: pendingHealth(anchorMs),
    lastSlotMs: null,
    checkedRevision: null,
    manual: [],
    excludedPeriods: [],
    skipped: null,
    certificates: [],
    alerts: QUIET_ALERTS,
    maintenance: unseenPlan(maintenance, anchorMs),
    operatorChange: null,
    backlog: NO_BACKLOG,
  } as const;
}
