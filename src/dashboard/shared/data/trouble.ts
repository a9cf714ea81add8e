/**
 * Finds since when a check has been down or degraded, in the same way for all pages. Prefers the start of the open
 * outage, because `healthSince` also changes when a slot has no result.
 */
import { describeSlowness } from '../../../domain/alerting/degraded-cause';
import { findSlowestResponseMs } from '../../../domain/health/health';
import type { HttpMonitor, Incident, ListedCheck } from './api-types';
import { findCheckType } from './check-type';

export type WithHealth = Pick<ListedCheck, 'healthSince'>;

/**
 * Returns since when the check has been down or degraded: `failure.since` of the open incident, or `healthSince` if
 * there is none.
 */
export function troubleSince({
  healthSince,
  failure,
}: WithHealth & {
  readonly failure: Pick<NonNullable<ListedCheck['failure']>, 'since'> | null;
}): string {
  return failure?.since ?? healthSince;
}

/** Returns since when the check has been down; null if it is not. */
export function downSince({
  status,
  healthSince,
}: WithHealth & Pick<ListedCheck, 'status'>): string | null {
  return status === 'down' ? healthSince : null;
}

/** Returns the start of the incident's last outage. Without a stored outage, returns when the incident was opened. */
export function outageSince({ episodes, openedAt }: Pick<Incident, 'episodes' | 'openedAt'>) {
  return episodes.at(-1)?.startedAt ?? openedAt;
}

type WithFailures = Pick<Incident, 'resourceId' | 'episodes' | 'firstResultId' | 'firstRunId'>;

/** Returns the check of the incident, and the first failure in its last outage. */
export function findLastFailure(incident: WithFailures) {
  const { firstResultId, firstRunId } = incident.episodes.at(-1) ?? incident;
  return { resourceId: incident.resourceId, firstResultId, firstRunId };
}

/** True if one of the incident's outages includes the slot. An outage ends with the slot that passes. */
export function wasDown({ episodes }: Pick<Incident, 'episodes'>, slot: string): boolean {
  const slotMs = Date.parse(slot);
  return episodes.some(
    ({ startedAt, resolvedAt }) =>
      Date.parse(startedAt) <= slotMs && (resolvedAt === null || Date.parse(resolvedAt) > slotMs),
  );
}

/** Returns the total downtime of the incident. An open outage counts until now. */
export function totalDownSeconds(
  { durationSeconds, episodes }: Pick<Incident, 'durationSeconds' | 'episodes'>,
  nowMs: number,
): number {
  const last = episodes.at(-1);
  if (last === undefined || last.resolvedAt !== null) return durationSeconds;
  const openSeconds = Math.max(0, (nowMs - Date.parse(last.startedAt)) / 1_000);
  return durationSeconds - last.durationSeconds + openSeconds;
}

/**
 * Explains why a monitor is degraded, judged by its last response. undefined means that the response was fast enough,
 * or that its time is unknown.
 */
export function slowness({
  degradedAboveMs,
  regionsHealth,
}: Pick<HttpMonitor, 'degradedAboveMs' | 'regionsHealth'>): string | undefined {
  return slowText(findSlowestResponseMs(Object.values(regionsHealth)), degradedAboveMs);
}

export function degradedReason(check: ListedCheck): string {
  const { type, lastResponseTimeMs, degradedAboveMs } = check;
  if (findCheckType(check) === 'heartbeat') return 'The ping is late.';
  if (type === 'scenario') return 'A step was slow, or a warning assertion failed.';
  const slow = slowText(lastResponseTimeMs, degradedAboveMs);
  if (slow !== undefined) return slow;
  // A check is also degraded if some regions fail, but fewer than the quorum.
  if (check.regions.length > 1) return 'Slow, failing in a region, or a warning assertion failed.';
  return degradedAboveMs === null
    ? 'A warning assertion failed.'
    : 'Slow, or a warning assertion failed.';
}

function slowText(ms: number | null, limitMs: number | null): string | undefined {
  return ms === null || limitMs === null || ms <= limitMs
    ? undefined
    : describeSlowness(ms, limitMs);
}
