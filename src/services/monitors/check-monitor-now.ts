/** Requests a check of a monitor outside its schedule. */

import { findModeAt } from '../../domain/health/maintenance';
import { AppError } from '../../platform/errors';
import type { RequestedCheck } from '../../schemas/responses/checks';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { readMonitorState } from '../resources/last-known-state';
import { readPause } from '../resources/pause';
import { createMonitorPort } from '../resources/resource-port';
import { findLiveResource } from '../resources/save-resource';

/**
 * Requests the check. Its results appear later in `…/results` with kind `manual` and the returned id. Throws
 * `validation_failed` for a heartbeat, for a paused monitor, and if maintenance or hours suspend the checks.
 */
export async function checkMonitorNow(
  needs: Dependencies,
  accountId: string,
  id: string,
): Promise<RequestedCheck> {
  const monitor = await findLiveResource(createMonitorPort(needs), accountId, id);
  const nowMs = needs.clock.now();
  if (readPause(monitor, nowMs).isPaused)
    throw new AppError('validation_failed', 'A paused monitor cannot be checked. Resume it first.');
  const state = await readMonitorState(needs, monitor);
  if ('progress' in state)
    throw new AppError(
      'validation_failed',
      'A heartbeat cannot be checked, because its job reports. Run the job.',
    );
  if (findModeAt({ spans: state.config.maintenance?.spans ?? [] }, nowMs) === 'pause')
    throw new AppError(
      'validation_failed',
      'This monitor is paused: it is in maintenance or outside of its hours.',
    );
  const requestId = needs.newId('request');
  const check = { requestId, requestedAtMs: nowMs };
  await needs.gateway.checkMonitorNow(state.config, check, state);
  return { id: requestId, monitorId: monitor.id, status: 'queued', requestedAt: toInstant(nowMs) };
}
