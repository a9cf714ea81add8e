/** Pausing and resuming as pure changes of a row. */

import type { Resource } from '../../models/resources/resource';
import { refuseProblems } from '../lists/field-problems';
import { ACTIVE, pausedFrom, pauseOf } from './pause-state';

export interface PauseRequest {
  /** null: without an end; absent: as it is. */
  readonly untilMs?: number | null | undefined;
  readonly reason?: string | undefined;
}

/** What `enabled` of a body means for a stored row; null and what is so already change nothing. */
export function pauseChange<Row extends Resource>(
  row: Row,
  isEnabled: boolean | null,
  nowMs: number,
): Row {
  const { isPaused } = pauseOf(row, nowMs);
  if (isEnabled === null || isEnabled === !isPaused) return row;
  return isEnabled ? resumeChange(row) : { ...row, ...pausedFrom(nowMs) };
}

/** Throws `validation_failed` for an end that has passed: that would be no pause. */
export function requireFutureEnd({ untilMs }: PauseRequest, nowMs: number): void {
  if (untilMs === undefined || untilMs === null || untilMs > nowMs) return;
  refuseProblems([{ path: 'until', code: 'out_of_bounds', message: 'must be in the future' }]);
}

/** A repeated pause keeps its beginning and takes over what the request says of end and reason. */
export function pauseNow<Row extends Resource>(
  row: Row,
  request: PauseRequest,
  nowMs: number,
): Row {
  const current = pauseOf(row, nowMs);
  if (!current.isPaused) return { ...row, ...pausedFrom(nowMs, request) };
  return {
    ...row,
    pausedUntilMs: request.untilMs === undefined ? row.pausedUntilMs : request.untilMs,
    pauseReason: request.reason ?? row.pauseReason,
  };
}

export function resumeChange<Row extends Resource>(row: Row): Row {
  return row.state === 'paused' ? { ...row, ...ACTIVE } : row;
}
