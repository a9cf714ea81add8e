/** Pausing and resuming as pure changes of a resource. */

import type { Resource } from '../../models/resources/resource';
import { refuseProblems } from '../lists/field-problems';
import { ACTIVE, pausedFrom, pauseOf } from './pause-state';

export interface PauseRequest {
  /** null: without an end; absent: as it is. */
  readonly untilMs?: number | null | undefined;
  readonly reason?: string | undefined;
}

/** What `enabled` of a body means for a stored resource; null and what is so already change nothing. */
export function pauseChange<Entity extends Resource>(
  resource: Entity,
  isEnabled: boolean | null,
  nowMs: number,
): Entity {
  const { isPaused } = pauseOf(resource, nowMs);
  if (isEnabled === null || isEnabled === !isPaused) return resource;
  return isEnabled ? resumeChange(resource) : { ...resource, ...pausedFrom(nowMs) };
}

/** Throws `validation_failed` for an end that has passed: that would be no pause. */
export function requireFutureEnd({ untilMs }: PauseRequest, nowMs: number): void {
  if (untilMs === undefined || untilMs === null || untilMs > nowMs) return;
  refuseProblems([{ path: 'until', code: 'out_of_bounds', message: 'must be in the future' }]);
}

/** A repeated pause keeps its beginning and takes over what the request says of end and reason. */
export function pauseNow<Entity extends Resource>(
  resource: Entity,
  request: PauseRequest,
  nowMs: number,
): Entity {
  const current = pauseOf(resource, nowMs);
  if (!current.isPaused) return { ...resource, ...pausedFrom(nowMs, request) };
  return {
    ...resource,
    pausedUntilMs: request.untilMs === undefined ? resource.pausedUntilMs : request.untilMs,
    pauseReason: request.reason ?? resource.pauseReason,
  };
}

export function resumeChange<Entity extends Resource>(resource: Entity): Entity {
  return resource.state === 'paused' ? { ...resource, ...ACTIVE } : resource;
}
