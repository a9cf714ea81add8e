/** The beginning of hours: people are notified of what is still down, whenever the next check is. */

import { patched } from '@temporalio/workflow';
import type { ResourceKind } from '../../contracts/definition';
import { isMutedAt, withOpened } from '../../domain/health/maintenance';
import { raiseAlerts } from './alerting';
import { type Holding, noteUnsaved } from './hold-failure';

/** Marks histories in which a pause forgets that hours have begun. */
const PAUSE_FORGETS = 'pause-forgets-openings';

/** True when hours had begun, and what is due by that is durable. In maintenance it waits for its end. */
export async function notifyAtOpening<Context extends Holding>(
  context: Context,
  kind: ResourceKind,
  nowMs: number,
): Promise<boolean> {
  const { state } = context;
  const isDue = state.maintenance.isOpening === true && !state.config.paused;
  if (!isDue || isMutedAt(state.maintenance, nowMs)) return false;
  context.state = { ...state, maintenance: withOpened(state.maintenance) };
  // Nothing was checked since a pause that is over: the next check says how it is.
  const isStale = state.excludedPeriods.some((period) => period.state === 'paused');
  if (isStale && patched(PAUSE_FORGETS)) return true;
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
    isMuted: isMutedAt(state.maintenance, nowMs),
  });
  if (changed !== null) noteUnsaved(context);
}
