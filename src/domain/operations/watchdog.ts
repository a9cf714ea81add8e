/** When the watchdog sends its canary, and how long it waits. Pure. */

/** The outside service must not miss two periods: a failure has to be known well before the next slot. */
const PATIENCE = 0.5;
const PATIENCE_MS_MAX = 45_000;
/** So many periods without a report: a part that lives sends one. More than a period and the patience. */
const SILENT_PERIODS = 1.7;

/** The next slot; what passed meanwhile is one canary, sent at once. */
export function nextCanaryMs(everyMs: number, lastSlotMs: number | null, nowMs: number): number {
  if (lastSlotMs === null) return nowMs;
  const slots = Math.max(1, Math.floor((nowMs - lastSlotMs) / everyMs));
  return lastSlotMs + slots * everyMs;
}

/** A part that restarts has until then. */
export function canaryPatienceMs(everyMs: number): number {
  return Math.min(PATIENCE_MS_MAX, Math.round(everyMs * PATIENCE));
}

/** Whatever the canary met, the workflow would have reported by now. */
export function isSilent(everyMs: number, lastReportMs: number, nowMs: number): boolean {
  return nowMs - lastReportMs > everyMs * SILENT_PERIODS;
}

/** `URL/fail`: in front of a query. */
export function failUrl(url: string): string {
  const parsed = new URL(url);
  parsed.pathname = `${parsed.pathname.replace(/\/+$/, '')}/fail`;
  return parsed.href;
}

/** Who gets it, without what may be a secret. */
export function maskUrl(url: string): string {
  return `${new URL(url).origin}/…`;
}

/** The token of a heartbeat of any Keepwatch; null: the URL is none. */
export function pingTokenIn(url: string): string | null {
  return /^\/ping\/([^/]+)\/?$/.exec(new URL(url).pathname)?.[1] ?? null;
}
