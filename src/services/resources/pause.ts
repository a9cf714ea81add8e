/** Pauses and resumes resources. A pause with an end expires by itself, so the state depends on the time. */
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

export function readPause(resource: Resource, nowMs: number): PauseState {
  if (!isPausedAt(resource, nowMs)) return NOT_PAUSED;
  const { pausedAtMs, pausedUntilMs, pauseReason } = resource;
  return { isPaused: true, pausedAtMs, pausedUntilMs, reason: pauseReason };
}

/** True if the resource is paused at `nowMs`. Unlike readPause, needs only two fields. */
export function isPausedAt(
  { state, pausedUntilMs }: Pick<Resource, 'state' | 'pausedUntilMs'>,
  nowMs: number,
): boolean {
  return state === 'paused' && (pausedUntilMs === null || pausedUntilMs > nowMs);
}

type PauseFields = Pick<Resource, 'state' | 'pausedAtMs' | 'pausedUntilMs' | 'pauseReason'>;

/** The fields of a resource that was never paused. */
export const ACTIVE: PauseFields = {
  state: 'active',
  pausedAtMs: null,
  pausedUntilMs: null,
  pauseReason: null,
};

/** Returns the fields of a resource that is paused from `nowMs` on. */
export function toPausedFields(
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
  /** The end. null means that the pause has no end. undefined leaves the end unchanged. */
  readonly untilMs?: number | null | undefined;
  readonly reason?: string | undefined;
}

/** Applies `enabled` of a body to a stored resource. Nothing changes if `enabled` is null or has the current value. */
export function applyEnabled<Entity extends Resource>(
  resource: Entity,
  isEnabled: boolean | null,
  nowMs: number,
): Entity {
  const { isPaused } = readPause(resource, nowMs);
  if (isEnabled === null || isEnabled === !isPaused) return resource;
  return isEnabled ? resumeChange(resource, nowMs) : { ...resource, ...toPausedFields(nowMs) };
}

/** Throws `validation_failed` for an end in the past. */
export function requireFutureEnd({ untilMs }: PauseRequest, nowMs: number): void {
  if (untilMs === undefined || untilMs === null || untilMs > nowMs) return;
  refuseProblems([{ path: 'until', code: 'out_of_bounds', message: 'must be in the future' }]);
}

/**
 * Pauses the resource. If the resource is already paused, the pause keeps its start, but its end and reason may change.
 */
export function pauseNow<Entity extends Resource>(
  resource: Entity,
  request: PauseRequest,
  nowMs: number,
): Entity {
  const current = readPause(resource, nowMs);
  if (!current.isPaused) return { ...resource, ...toPausedFields(nowMs, request) };
  return {
    ...resource,
    pausedUntilMs: request.untilMs === undefined ? resource.pausedUntilMs : request.untilMs,
    pauseReason: request.reason ?? resource.pauseReason,
  };
}

/**
 * Resumes the resource. The times of the pause stay stored. If the workflow is restarted later, it therefore does not
 * count slots inside the pause as missed.
 */
export function resumeChange<Entity extends Resource>(resource: Entity, nowMs: number): Entity {
  if (resource.state !== 'paused') return resource;
  const pausedUntilMs = Math.min(nowMs, resource.pausedUntilMs ?? nowMs);
  return { ...resource, state: 'active', pausedUntilMs, pauseReason: null };
}
