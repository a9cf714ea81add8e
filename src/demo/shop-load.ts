/**
 * The durations of the shop's requests, by time of day. The running shop and its made-up past use the same figures.
 * Pure.
 */

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const SPREAD = 0.35;

/**
 * Returns a duration in milliseconds. `usualMs` is the shortest duration, which occurs in the morning. `chance` is a
 * random number from 0 to 1.
 */
export function computeDuration(usualMs: number, atMs: number, chance: number): number {
  return Math.round(usualMs * loadAt(atMs) * (1 + SPREAD * chance ** 3));
}

/** Returns the load of the shop. People shop in the evening: at 19:00 UTC, responses take 50 % longer than at 07:00. */
function loadAt(atMs: number): number {
  const hour = (atMs / HOUR_MS) % DAY_HOURS;
  return 1.25 + 0.25 * Math.cos(((hour - 19) / 12) * Math.PI);
}

/** The usual durations of the shop's requests, in milliseconds, by method and path. */
const REQUEST_MS: ReadonlyMap<string, number> = new Map([
  ['GET /', 120],
  ['GET /search', 180],
  ['GET /checkout', 240],
  ['GET /health', 40],
  ['GET /catalogue', 90],
  ['POST /login', 150],
  ['POST /orders', 110],
  ['GET /orders/{id}', 70],
  ['DELETE /orders/{id}', 90],
]);
const OTHER_MS = 60;
/** The approximate duration of a request that the shop answers without waiting. */
const OVERHEAD_MS = 8;

export function findUsualMs(request: string): number {
  return REQUEST_MS.get(request) ?? OTHER_MS;
}

/** Returns how long the shop waits before it responds to the request. */
export function computeWait(request: string, atMs: number): number {
  const duration = computeDuration(findUsualMs(request), atMs, Math.random());
  return Math.max(0, duration - OVERHEAD_MS);
}
