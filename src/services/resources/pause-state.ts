/** Whether a resource is paused right now: a pause with an end is over by itself. */
import type { Resource } from '../../models/resources/resource';

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
