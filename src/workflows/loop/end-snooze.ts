/** The end of a snooze: people are reminded of what is still down, whenever the next check is. */
import type { ResourceKind } from '../../contracts/definition';
import { snoozeEndMs, withSnoozeOver } from '../../domain/alerting/alert-policy';
import type { Holding } from './hold-failure';
import { notifyOfKnown } from './open-hours';

/** When the loop has to look again because of a snooze; null: there is none, or nothing is sent. */
export function snoozeWakeMs({ config, alerts }: Holding['state']): number | null {
  return config.paused ? null : snoozeEndMs(alerts);
}

/** True when a snooze was over, and what is due by that is durable. */
export async function endSnooze<Context extends Holding>(
  context: Context,
  kind: ResourceKind,
  nowMs: number,
): Promise<boolean> {
  const { state } = context;
  const endMs = snoozeWakeMs(state);
  if (endMs === null || endMs > nowMs) return false;
  context.state = { ...state, alerts: withSnoozeOver(state.alerts) };
  await notifyOfKnown(context, kind, nowMs);
  return true;
}
