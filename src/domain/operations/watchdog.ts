/** When the watchdog sends its canary, and how long it waits. Pure. */

/** Short enough that a failure is known well before the next slot. */
const TIMEOUT_SHARE = 0.5;
const TIMEOUT_MS_MAX = 45_000;
/** A part without a report for this many periods is dead. More than one period plus the timeout. */
const SILENT_PERIODS = 1.7;

/** Returns when the next canary is sent. If several slots have passed, one canary is sent at once. */
export function nextCanaryMs(everyMs: number, lastSlotMs: number | null, nowMs: number): number {
  // After the clock was set back, the watchdog continues at once.
  if (lastSlotMs === null || lastSlotMs > nowMs) return nowMs;
  const slots = Math.max(1, Math.floor((nowMs - lastSlotMs) / everyMs));
  return lastSlotMs + slots * everyMs;
}

/** Returns how long a restarting part may take. */
export function canaryTimeoutMs(everyMs: number): number {
  return Math.min(TIMEOUT_MS_MAX, Math.round(everyMs * TIMEOUT_SHARE));
}

/** True if the workflow should have reported by now, whatever happened to the canary. */
export function isSilent(everyMs: number, lastReportMs: number, nowMs: number): boolean {
  return nowMs - lastReportMs > everyMs * SILENT_PERIODS;
}

/** `URL/fail`, with `/fail` before any query. */
export function failUrl(url: string): string {
  const parsed = new URL(url);
  parsed.pathname = `${parsed.pathname.replace(/\/+$/, '')}/fail`;
  return parsed.href;
}

/** Returns the URL without the parts that may be secret. */
export function maskUrl(url: string): string {
  return `${new URL(url).origin}/…`;
}

/** The token of a heartbeat on any Keepwatch installation. null if not the URL of a heartbeat. */
export function pingTokenIn(url: string): string | null {
  return /^\/ping\/([^/]+)\/?$/.exec(new URL(url).pathname)?.[1] ?? null;
}
