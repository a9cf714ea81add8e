/**
 * Since when a check is down or degraded. Every page asks here, so that all show one duration: the start of
 * the open outage, which a slot without a result in between does not move as it moves `healthSince`. Pure.
 */
import { slowestResponseMs } from '../../../domain/health/health';
import type { HttpMonitor, Incident, ListedCheck } from './api-types';
import { checkTypeOf } from './check-type';

export type WithHealth = Pick<ListedCheck, 'healthSince'>;

/** `failure` belongs to the open incident; without one (degraded), the health says since when. */
export function troubleSince({
  healthSince,
  failure,
}: WithHealth & {
  readonly failure: Pick<NonNullable<ListedCheck['failure']>, 'since'> | null;
}): string {
  return failure?.since ?? healthSince;
}

/** The start of the last outage of an incident; after a short recovery it is later than `openedAt`. */
export function outageSince({ episodes, openedAt }: Pick<Incident, 'episodes' | 'openedAt'>) {
  return episodes.at(-1)?.startedAt ?? openedAt;
}

/** Why a monitor is degraded, as far as its last response says. undefined: it was fast enough, or it is not known. */
export function slowness({
  degradedAboveMs,
  regionsHealth,
}: Pick<HttpMonitor, 'degradedAboveMs' | 'regionsHealth'>): string | undefined {
  return slowText(slowestResponseMs(Object.values(regionsHealth)), degradedAboveMs);
}

/** The same in a list of checks. */
export function degradedReason(check: ListedCheck): string {
  const { type, lastResponseTimeMs, degradedAboveMs } = check;
  if (checkTypeOf(check) === 'heartbeat') return 'The ping is late.';
  if (type === 'scenario') return 'A step was slow, or a warning assertion failed.';
  const slow = slowText(lastResponseTimeMs, degradedAboveMs);
  if (slow !== undefined) return slow;
  // Fewer regions than the quorum may fail, too.
  if (check.regions.length > 1) return 'Slow, failing in a region, or a warning assertion failed.';
  return degradedAboveMs === null
    ? 'A warning assertion failed.'
    : 'Slow, or a warning assertion failed.';
}

/** To the millisecond, or a response close to its limit would seem to be within it. */
function slowText(ms: number | null, limitMs: number | null): string | undefined {
  if (ms === null || limitMs === null || ms <= limitMs) return undefined;
  const exact = (value: number): string => `${Math.round(value).toLocaleString('en')} ms`;
  return `Response took ${exact(ms)} (limit ${exact(limitMs)}).`;
}
