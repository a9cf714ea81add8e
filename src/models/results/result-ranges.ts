/** Computes the ranges of result ids for queries. */

import { resultIdFrom } from '../../domain/health/result-id';
import { between } from '../store/filters';

export interface TimeRange {
  readonly monitorId: string;
  readonly region: string;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Returns the first id of the range. */
export function firstId({ monitorId, region, fromMs }: TimeRange): string {
  return fromMs === null ? `${monitorId}:${region}:` : resultIdFrom(monitorId, region, fromMs);
}

/** Returns the id after the range. */
export function endId({ monitorId, region, toMs }: TimeRange): string {
  return toMs === null ? `${monitorId}:${region};` : resultIdFrom(monitorId, region, toMs);
}

export function idRange(range: TimeRange): { $gte: string; $lt: string } {
  return between(firstId(range), endId(range));
}
