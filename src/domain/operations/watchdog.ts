/**
 * Decides when the watchdog sends its canary (a test through the path of every check), and how long it waits for the
 * canary. Pure.
 */

/** The timeout as a share of the period. With this share, a failure is known well before the next slot. */
const TIMEOUT_SHARE = 0.5;
const TIMEOUT_MS_MAX = 45_000;
/**
 * After this many periods without a report, the workflow counts as silent. This is longer than one period plus the
 * timeout of its canary.
 */
const SILENT_PERIODS = 1.7;

/** Returns when the next canary is sent. If several slots have passed, one canary is sent at once. */
export function nextCanaryMs(everyMs: number, lastSlotMs: number | null, nowMs: number): number {
  // After the clock was set back, the next canary is sent at once.
  if (lastSlotMs === null || lastSlotMs > nowMs) return nowMs;
  const slots = Math.max(1, Math.floor((nowMs - lastSlotMs) / everyMs));
  return lastSlotMs + slots * everyMs;
}

/** Returns how long to wait for a canary. A part that restarts has this time to respond. */
export function computeCanaryTimeoutMs(everyMs: number): number {
  return Math.min(TIMEOUT_MS_MAX, Math.round(everyMs * TIMEOUT_SHARE));
}

/** True if the workflow should have reported by now, even if its last canary failed. */
export function isSilent(everyMs: number, lastReportMs: number, nowMs: number): boolean {
  return nowMs - lastReportMs > everyMs * SILENT_PERIODS;
}

/** Returns the URL that reports a failure: `/fail` is appended to the path, before any query. */
export function buildFailUrl(url: string): string {
  const parsed = new URL(url);
  parsed.pathname = `${parsed.pathname.replace(/\/+$/, '')}/fail`;
  return parsed.href;
}

/** Returns the URL without the parts that may be secret. */
export function maskUrl(url: string): string {
  return `${new URL(url).origin}/…`;
}

/** Returns the token in the URL of a heartbeat on any Keepwatch installation. null for any other URL. */
export function readPingToken(url: string): string | null {
  return /^\/ping\/([^/]+)\/?$/.exec(new URL(url).pathname)?.[1] ?? null;
}
