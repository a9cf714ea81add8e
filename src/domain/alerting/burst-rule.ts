/** How many alerts go out one by one before the rest is folded into a digest. Pure; it counts nothing. */
import type { AlertKind } from '../../contracts/alerting/alert-kinds';

const MINUTE_MS = 60_000;
/** Alerts of one kind and account that go out one by one within a minute. */
const BURST_MAX = 10;

/** Kinds that come in numbers when a part of the network fails. */
const FOLDABLE: readonly AlertKind[] = [
  'failure',
  'recovery',
  'degraded',
  'reminder',
  'certificate',
];

export function isFoldable(kind: AlertKind): boolean {
  return FOLDABLE.includes(kind);
}

/** Alerts of one kind and account, the one in question included. */
export interface AlertCounts {
  /** Alerts in the minute of the alert, and in the one before it. */
  readonly now: number;
  readonly before: number;
}

/** The whole minute that an alert is counted in. */
export function burstMinute(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS);
}

/**
 * True: the alert is sent individually. The window slides: of the previous minute, the share that is less
 * than a minute ago counts, so that no second burst passes when a new minute begins.
 */
export function isWithinBurst({ now, before }: AlertCounts, atMs: number): boolean {
  const share = 1 - (atMs % MINUTE_MS) / MINUTE_MS;
  return now + before * share <= BURST_MAX;
}
