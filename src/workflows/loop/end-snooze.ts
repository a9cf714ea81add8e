/** Reminds people of failures that continue when a snooze ends, without waiting for the next check. */
import type { ResourceKind } from '../../contracts/definition';
import { snoozeEndMs, withSnoozeOver } from '../../domain/alerting/alert-policy';
import type { Holding } from './hold-failure';
import { notifyKnownFailure } from './open-hours';

/**
 * Returns when the loop has to wake for the end of a snooze. Returns null if there is no snooze, or the check is
 * paused.
 */
export function snoozeWakeMs({ config, alerts }: Holding['state']): number | null {
  return config.paused ? null : snoozeEndMs(alerts);
}

/**
 * If a snooze has ended, starts the alerts that are due, and returns true once they are safely started. Otherwise
 * returns false.
 */
export async function endSnooze<Context extends Holding>(
  context: Context,
  kind: ResourceKind,
  nowMs: number,
): Promise<boolean> {
  const { state } = context;
  const endMs = snoozeWakeMs(state);
  if (endMs === null || endMs > nowMs) return false;
  context.state = { ...state, alerts: withSnoozeOver(state.alerts) };
  await notifyKnownFailure(context, kind, nowMs);
  return true;
}
