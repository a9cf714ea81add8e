/** The body of a pause, and what pausing and resuming make of what is shown. Pure, but for the clock. */
import type { ListedCheck } from '../data/api-types';
import type { Expected } from '../data/expected';

export interface PauseBody {
  /** None: until someone resumes it. */
  readonly until?: string;
  readonly reason?: string;
}

/** What is known of a monitor or scenario that is paused or resumed. */
export type Pausable = Pick<ListedCheck, 'id' | 'state' | 'status' | 'pausedUntil' | 'pauseReason'>;

/** `until` of a pause that begins now. */
export function pauseBody(minutes: number | null): PauseBody {
  if (minutes === null) return {};
  return { until: new Date(Date.now() + minutes * 60_000).toISOString() };
}

/** The pause as it was: with its end and its reason. */
export function samePause({ pausedUntil, pauseReason }: Pausable): PauseBody {
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

/** With the status of before; where that was a pause, with the health where it is shown. */
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
