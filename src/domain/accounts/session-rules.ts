/** The rules for the lifetime of a session. */

const HOUR_MS = 3_600_000;

export const SESSION_LIFETIME_MS = 7 * 24 * HOUR_MS;
const SESSION_IDLE_MS = 12 * HOUR_MS;

/** How many sessions a person may have. A further session ends the oldest one. */
export const SESSIONS_MAX = 20;

/** Minimum time between two records of a session's use. */
export const SESSION_TOUCH_EVERY_MS = 60_000;

/** True until the lifetime or the idle time of the session is over. */
export function isSessionAlive(
  session: { readonly createdAtMs: number; readonly lastSeenAtMs: number },
  nowMs: number,
): boolean {
  return (
    nowMs < session.createdAtMs + SESSION_LIFETIME_MS &&
    nowMs < session.lastSeenAtMs + SESSION_IDLE_MS
  );
}
