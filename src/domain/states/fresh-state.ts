/** The initial states of workflows. */
import type { HeartbeatConfig, HeartbeatState } from '../../contracts/heartbeat-workflow';
import type {
  MonitorConfig,
  MonitorState,
  ScenarioConfig,
  ScenarioState,
  ScheduleConfig,
} from '../../contracts/workflows';
import { NO_ALERTS } from '../alerting/alert-policy';
import { createPendingHealth } from '../health/health';
import { createPlanState } from '../health/maintenance';
import { NO_PROGRESS } from '../heartbeats/heartbeat';
import { NO_BACKLOG } from './backlog';

/** Returns the state of a monitor that was never checked. */
export function freshMonitorState(config: MonitorConfig): MonitorState {
  return {
    ...begun(config),
    config,
    doneRequests: [],
    manual: [],
    certificates: [],
    unconfirmed: null,
    steady: null,
  };
}

/** Returns the state of a scenario that never ran. */
export function freshScenarioState(config: ScenarioConfig): ScenarioState {
  return { ...begun(config), config, manual: [], certificates: [], begunRuns: [] };
}

/** Returns the state of a heartbeat whose job has not reported yet. */
export function freshHeartbeatState(config: HeartbeatConfig): HeartbeatState {
  return { ...begun(config), config, progress: NO_PROGRESS, ended: [], scheduledBy: '', done: [] };
}

function begun({ anchorMs, maintenance }: ScheduleConfig) {
  return {
    v: 1,
    health: createPendingHealth(anchorMs),
    lastSlotMs: null,
    checkedRevision: null,
    excludedPeriods: [],
    skipped: null,
    alerts: NO_ALERTS,
    maintenance: createPlanState(maintenance, anchorMs),
    operatorChange: null,
    backlog: NO_BACKLOG,
  } as const;
}
