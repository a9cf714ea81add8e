/** Converts a maintenance window to the form that /v1 returns (docs/maintenance.md), with its next five occurrences. */
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import type { MaintenanceWindowResponse } from '../../schemas/responses/maintenance';
import { toInstant } from '../lists/instants';
import { listEffectiveOccurrences } from './maintenance-plans';

const SHOWN = 5;

/** Converts the window. The first occurrence may already be running. */
export function presentMaintenanceWindow(
  window: MaintenanceWindow,
  nowMs: number,
): MaintenanceWindowResponse {
  const { id, version, name, key, mode, durationMinutes, rrule, timeZone, target } = window;
  const next = listEffectiveOccurrences({ ...window, effectiveFromMs: 0 }).filter(
    ({ toMs }) => toMs > nowMs,
  );
  return {
    id,
    version,
    name,
    key,
    mode,
    startsAt: toInstant(window.startsAtMs),
    durationMinutes,
    rrule,
    timeZone,
    target,
    state: findState(next[0]?.fromMs ?? null, nowMs),
    nextOccurrences: next.slice(0, SHOWN).map(({ fromMs, toMs }) => ({
      startsAt: toInstant(fromMs),
      endsAt: toInstant(toMs),
    })),
    createdAt: toInstant(window.createdAtMs),
    updatedAt: toInstant(window.updatedAtMs),
  };
}

function findState(nextFromMs: number | null, nowMs: number): MaintenanceWindowResponse['state'] {
  if (nextFromMs === null) return 'over';
  return nextFromMs <= nowMs ? 'active' : 'scheduled';
}
