/** The end of a snooze: people are reminded of what is still down, whenever the next check is. */
import type { AlertState } from '../../contracts/alerts';
import type { ResourceKind } from '../../contracts/definition';
import { snoozeEndMs, withSnoozeOver } from '../../domain/alerting/alert-policy';
import { raiseAlerts } from './alerting';
import { isInMaintenance, type TimeState } from './keep-time';

interface Snoozed {
  state: TimeState & { readonly alerts: AlertState };
}

/** When the loop has to look again because of a snooze; null: there is none, or nothing is sent. */
export function snoozeWakeMs({ config, alerts }: Snoozed['state']): number | null {
  return config.paused ? null : snoozeEndMs(alerts);
}

/** True when a snooze was over, and what is due by that is durable. */
export async function endSnooze<Context extends Snoozed>(
  context: Context,
  kind: ResourceKind,
  nowMs: number,
): Promise<boolean> {
  const { state } = context;
  const endMs = snoozeWakeMs(state);
  if (endMs === null || endMs > nowMs) return false;
  const { incident } = state.alerts;
  context.state = { ...state, alerts: withSnoozeOver(state.alerts) };
  await raiseAlerts(context, {
    kind,
    slotMs: nowMs,
    health: state.health,
    cause: incident?.cause ?? null,
    regions: incident?.regions ?? [],
    firstRunId: null,
    assertion: null,
    isMuted: isInMaintenance(state, nowMs),
  });
  return true;
}
