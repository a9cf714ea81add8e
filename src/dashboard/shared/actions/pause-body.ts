/** The body of a pause, and the expected state after pausing and resuming. */
import type { ListedCheck } from '../data/api-types';
import type { Expected } from '../data/expected';

export interface PauseBody {
  /** When the pause ends. If absent, the pause lasts until someone resumes the check. */
  readonly until?: string;
  readonly reason?: string;
}

/** The fields of a monitor or scenario that matter for a pause. */
export type Pausable = Pick<ListedCheck, 'id' | 'state' | 'status' | 'pausedUntil' | 'pauseReason'>;

/** Builds the body of a pause that begins now. null for a pause without an end. */
export function pauseBody(minutes: number | null): PauseBody {
  if (minutes === null) return {};
  return { until: new Date(Date.now() + minutes * 60_000).toISOString() };
}

/** Builds the body that restores an earlier pause. */
export function buildRestoredPause({ pausedUntil, pauseReason }: Pausable): PauseBody {
  return {
    ...(pausedUntil === null ? {} : { until: pausedUntil }),
    ...(pauseReason === null ? {} : { reason: pauseReason }),
  };
}

export function expectPaused(ids: readonly string[], { until, reason }: PauseBody): Expected {
  const fields = {
    state: 'paused',
    status: 'paused',
    pausedAt: new Date().toISOString(),
    pausedUntil: until ?? null,
    pauseReason: reason ?? null,
    nextCheckAt: null,
  };
  return ({ id }) => (ids.some((one) => one === id) ? fields : null);
}

/**
 * Returns the state to show after a resume. Each resource gets its given status. If that status is `paused`, the
 * resource's health is shown instead, or `pending` if it has none.
 */
export function expectActive(resources: readonly Pick<Pausable, 'id' | 'status'>[]): Expected {
  const statuses = new Map<unknown, string>(resources.map(({ id, status }) => [id, status]));
  return ({ id, health }) => {
    const status = statuses.get(id);
    if (status === undefined) return null;
    return {
      state: 'active',
      status: status === 'paused' ? (health ?? 'pending') : status,
      pausedAt: null,
      pausedUntil: null,
      pauseReason: null,
    };
  };
}
