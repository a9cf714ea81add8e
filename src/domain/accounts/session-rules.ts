/** The rules for the lifetime of a session. */

const HOUR_MS = 3_600_000;

const DAY_MS = 24 * HOUR_MS;

/** The limits of a session on a device that other people may use. */
const SHARED_DEVICE = { idleMs: 12 * HOUR_MS, lifetimeMs: 7 * DAY_MS };
/** The limits of a session whose person chose to stay signed in. */
const OWN_DEVICE = { idleMs: 7 * DAY_MS, lifetimeMs: 30 * DAY_MS };

/** What a person chose at the sign-in. */
export interface SessionChoice {
  /** True if the person chose to stay signed in on this device. */
  readonly staySignedIn?: boolean;
}

/**
 * Returns the longest time without use, and the longest time from the sign-in to the end of the session.
 */
export function chooseSessionLimits({ staySignedIn }: SessionChoice): typeof SHARED_DEVICE {
  return staySignedIn === true ? OWN_DEVICE : SHARED_DEVICE;
}

/** How many sessions a person may have. A further session ends the oldest one. */
export const SESSIONS_MAX = 20;

/** Minimum time between two records of a session's use. */
export const SESSION_TOUCH_EVERY_MS = 60_000;

/** True until the lifetime or the idle time of the session is over. */
export function isSessionAlive(
  session: SessionChoice & { readonly createdAtMs: number; readonly lastSeenAtMs: number },
  nowMs: number,
): boolean {
  const { idleMs, lifetimeMs } = chooseSessionLimits(session);
  return nowMs < session.createdAtMs + lifetimeMs && nowMs < session.lastSeenAtMs + idleMs;
}
