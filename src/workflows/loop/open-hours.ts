/** The beginning of hours: people are notified of what is still down, whenever the next check is. */
import type { ResourceKind } from '../../contracts/definition';
import { isQuietAt, withOpened } from '../../domain/health/maintenance';
import { raiseAlerts } from './alerting';
import { type Holding, noteUnsaved } from './hold-failure';
import { isInMaintenance } from './keep-time';

/** True while nothing is sent of what a check finds: in maintenance, and outside of hours. */
export function isMutedAt(state: Holding['state'], atMs: number): boolean {
  return isInMaintenance(state, atMs) || isQuietAt(state.maintenance, atMs);
}

/** True when hours had begun, and what is due by that is durable. In maintenance it waits for its end. */
export async function notifyAtOpening<Context extends Holding>(
  context: Context,
  kind: ResourceKind,
  nowMs: number,
): Promise<boolean> {
  const { state } = context;
  const isDue = state.maintenance.isOpening === true && !state.config.paused;
  if (!isDue || isMutedAt(state, nowMs)) return false;
  context.state = { ...state, maintenance: withOpened(state.maintenance) };
  await notifyOfKnown(context, kind, nowMs);
  return true;
}

/** Sends what is due by the health as it is known, without a check. */
export async function notifyOfKnown<Context extends Holding>(
  context: Context,
  kind: ResourceKind,
  nowMs: number,
): Promise<void> {
  const { state } = context;
  const { incident } = state.alerts;
  const { incident: changed } = await raiseAlerts(context, {
    kind,
    slotMs: nowMs,
    health: state.health,
    cause: incident?.cause ?? null,
    regions: incident?.regions ?? [],
    firstRunId: null,
    assertion: null,
    isMuted: isMutedAt(state, nowMs),
  });
  if (changed !== null) noteUnsaved(context);
}
