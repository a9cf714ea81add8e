/**
 * Notifies people of failures that continue when the hours of an alert rule begin, without waiting for the next check.
 */

import { patched } from '@temporalio/workflow';
import type { ResourceKind } from '../../contracts/definition';
import { isMutedAt, withOpened } from '../../domain/health/maintenance';
import { raiseAlerts } from './alerting';
import { type Holding, noteUnsaved } from './hold-failure';

/** Marks histories in which a pause discards a pending start of hours. */
const PAUSE_FORGETS = 'pause-forgets-openings';

/**
 * If hours have begun, starts the alerts that are due, and returns true once they are safely started. Returns false
 * otherwise, and while alerts are muted or checks are paused.
 */
export async function notifyAtOpening<Context extends Holding>(
  context: Context,
  kind: ResourceKind,
  nowMs: number,
): Promise<boolean> {
  const { state } = context;
  const isDue = state.maintenance.isOpening === true && !state.config.paused;
  if (!isDue || isMutedAt(state.maintenance, nowMs)) return false;
  context.state = { ...state, maintenance: withOpened(state.maintenance) };
  // Nothing has been checked since the pause, so the last known health is outdated. The next check decides.
  const isStale = state.excludedPeriods.some((period) => period.state === 'paused');
  if (isStale && patched(PAUSE_FORGETS)) return true;
  await notifyKnownFailure(context, kind, nowMs);
  return true;
}

/** Sends the alerts that are due by the last known health, without a check. */
export async function notifyKnownFailure<Context extends Holding>(
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
    isMuted: isMutedAt(state.maintenance, nowMs),
  });
  if (changed !== null) noteUnsaved(context);
}
