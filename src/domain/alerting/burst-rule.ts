/** The limit of alerts that are sent individually. Further alerts go into a digest. Pure. */
import type { AlertKind } from '../../contracts/alerting/alert-kinds';

const MINUTE_MS = 60_000;
/** How many alerts of one kind and account are sent individually within a minute. */
const BURST_MAX = 10;

/** Kinds of alerts that occur in large numbers when a part of the network fails. */
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

/** The number of alerts of one kind and account, including the current alert. */
export interface AlertCounts {
  /** Alerts in the current minute, and in the previous one. */
  readonly now: number;
  readonly before: number;
}

/** Returns the minute in which an alert is counted. */
export function toBurstMinute(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS);
}

/**
 * True means that the alert is sent individually. The limit applies to the last 60 seconds. The alerts of the previous
 * minute count in proportion to the part of that minute that is within the last 60 seconds.
 */
export function isWithinBurst({ now, before }: AlertCounts, atMs: number): boolean {
  const share = 1 - (atMs % MINUTE_MS) / MINUTE_MS;
  return now + before * share <= BURST_MAX;
}
