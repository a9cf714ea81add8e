/**
 * Since when a check is down or degraded. Every page asks here, so that all show one duration: the start of
 * the open outage, which a slot without a result in between does not move as it moves `healthSince`. Pure.
 */
import { milliseconds } from '../text/time-text';
import type { HttpMonitor, Incident, ListedCheck } from './api-types';

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
  degradedAboveMs: limitMs,
  regionsHealth,
}: Pick<HttpMonitor, 'degradedAboveMs' | 'regionsHealth'>): string | undefined {
  const times = Object.values(regionsHealth).map(
    ({ lastResponseTimeMs }) => lastResponseTimeMs ?? 0,
  );
  const slowestMs = Math.max(0, ...times);
  if (limitMs === null || slowestMs <= limitMs) return undefined;
  return `Response took ${milliseconds(slowestMs)} (limit ${milliseconds(limitMs)}).`;
}
