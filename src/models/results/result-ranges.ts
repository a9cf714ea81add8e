/** Computes the ranges of result ids for queries. */

import { buildFirstResultId } from '../../domain/health/result-id';
import { between } from '../store/filters';

export interface TimeRange {
  readonly monitorId: string;
  readonly region: string;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Returns the first id of the range. */
export function buildFirstId({ monitorId, region, fromMs }: TimeRange): string {
  return fromMs === null
    ? `${monitorId}:${region}:`
    : buildFirstResultId(monitorId, region, fromMs);
}

/** Returns the id after the range. */
export function buildEndId({ monitorId, region, toMs }: TimeRange): string {
  return toMs === null ? `${monitorId}:${region};` : buildFirstResultId(monitorId, region, toMs);
}

export function buildIdRange(range: TimeRange): { $gte: string; $lt: string } {
  return between(buildFirstId(range), buildEndId(range));
}
