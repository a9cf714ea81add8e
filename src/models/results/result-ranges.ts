/** The id ranges of results. */

import { resultIdFrom } from '../../domain/health/result-id';
import { between } from '../store/filters';

export interface TimeRange {
  readonly monitorId: string;
  readonly region: string;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** The first id of the range, inclusive. */
export function firstId({ monitorId, region, fromMs }: TimeRange): string {
  return fromMs === null ? `${monitorId}:${region}:` : resultIdFrom(monitorId, region, fromMs);
}

/** The id at the end of the range, exclusive. */
export function endId({ monitorId, region, toMs }: TimeRange): string {
  return toMs === null ? `${monitorId}:${region};` : resultIdFrom(monitorId, region, toMs);
}

export function idRange(range: TimeRange): { $gte: string; $lt: string } {
  return between(firstId(range), endId(range));
}
