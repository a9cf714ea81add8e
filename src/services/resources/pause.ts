/** Whether a resource is paused right now, as a pause with an end is over by itself, and how that changes. */
import type { Resource } from '../../models/resources/resource';
import { refuseProblems } from '../lists/field-problems';

export interface PauseState {
  readonly isPaused: boolean;
  readonly pausedAtMs: number | null;
  readonly pausedUntilMs: number | null;
  readonly reason: string | null;
}

const NOT_PAUSED: PauseState = {
  isPaused: false,
  pausedAtMs: null,
  pausedUntilMs: null,
  reason: null,
};

export function pauseOf(resource: Resource, nowMs: number): PauseState {
  if (!isPausedAt(resource, nowMs)) return NOT_PAUSED;
  const { pausedAtMs, pausedUntilMs, pauseReason } = resource;
  return { isPaused: true, pausedAtMs, pausedUntilMs, reason: pauseReason };
}

/** As pauseOf, of less than a whole resource. */
export function isPausedAt(
  { state, pausedUntilMs }: Pick<Resource, 'state' | 'pausedUntilMs'>,
  nowMs: number,
): boolean {
  return state === 'paused' && (pausedUntilMs === null || pausedUntilMs > nowMs);
}

type PauseFields = Pick<Resource, 'state' | 'pausedAtMs' | 'pausedUntilMs' | 'pauseReason'>;

/** The fields of a resource that runs. */
export const ACTIVE: PauseFields = {
  state: 'active',
  pausedAtMs: null,
  pausedUntilMs: null,
  pauseReason: null,
};

/** The fields of a resource that is paused from `nowMs` on. */
export function pausedFrom(
  nowMs: number,
  pause: {
    readonly untilMs?: number | null | undefined;
    readonly reason?: string | null | undefined;
  } = {},
): PauseFields {
  return {
    state: 'paused',
    pausedAtMs: nowMs,
    pausedUntilMs: pause.untilMs ?? null,
    pauseReason: pause.reason ?? null,
  };
}

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
