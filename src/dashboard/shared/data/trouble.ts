/**
 * Since when a check is down or degraded. Every page asks here, so that all show one duration: the start of
 * the open outage, which a slot without a result in between does not move as it moves `healthSince`. Pure.
 */
import type { Incident, ListedCheck } from './api-types';

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
