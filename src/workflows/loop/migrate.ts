/**
 * Brings states of earlier releases to the current shape when a workflow starts or continues as new. Pure, so that
 * every replay gives the same state.
 */
import type { AlertState } from '../../contracts/alerts';
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import type { HousekeepingState } from '../../contracts/housekeeping';
import type { RunProgress, ScenarioRunInput } from '../../contracts/scenario-run';
import type { MonitorState, ScenarioState, StepPlan } from '../../contracts/workflows';
import { NO_ALERTS } from '../../domain/alerting/alert-policy';
import { NO_BACKLOG } from '../../domain/states/backlog';

/**
 * Accepts states of this release and of earlier releases. Throws for a newer state. Temporal then retries the workflow
 * task until a newer worker takes it.
 */
export function migrate<
  State extends
    | MonitorState
    | HeartbeatState
    | ScenarioState
    | ScenarioRunInput
    | HousekeepingState,
>(state: State): State {
  if (state.v !== 1) throw new Error(`a newer release wrote this state (v ${String(state.v)})`);
  if ('runId' in state)
    return { ...state, progress: fullProgress(state.progress), steps: state.steps.map(fullPlan) };
  if (!('alerts' in state)) return state;
  if ('heartbeat' in state.config)
    return {
      ...Object.assign({ ended: [] }, state),
      config: Object.assign({ dependsOn: [] }, state.config),
      alerts: fullAlerts(state.alerts),
    };
  const { config } = state;
  const full =
    'steps' in config
      ? Object.assign({ dependsOn: [] }, config, { steps: config.steps.map(fullPlan) })
      : Object.assign({ dependsOn: [], tlsWarnDays: [] }, config);
  const alerts = fullAlerts(state.alerts);
  const unknown = {
    backlog: NO_BACKLOG,
    certificates: [],
    doneRequests: [],
    skipped: null,
    unconfirmed: null,
    steady: null,
  };
  return {
    ...Object.assign(unknown, state),
    config: full,
    alerts,
  };
}

/** Completes the alert state of an earlier release. In earlier releases, acknowledgements had no sequence number. */
function fullAlerts(given: AlertState & { readonly acknowledgedId?: string | null }): AlertState {
  const { acknowledgedId = null, ...alerts } = { ...NO_ALERTS, ...given };
  if (acknowledgedId === null || alerts.silence !== null) return alerts;
  const said = { isAcknowledged: true, snoozedUntilMs: null, sequence: 0 };
  return { ...alerts, silence: { incidentId: acknowledgedId, ...said } };
}

function fullProgress(progress: RunProgress | null | undefined): RunProgress | null {
  return progress === null || progress === undefined
    ? null
    : Object.assign({ cookies: null }, progress);
}

function fullPlan(plan: StepPlan): StepPlan {
  return Object.assign({ variables: null, tlsWarnDays: [] }, plan);
}
