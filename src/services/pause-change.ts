/** Pausing and resuming as pure changes of a row. */
import { ACTIVE, pausedFrom, pauseOf } from './pause-state';
import type { ResourceRow } from './rows';

export interface PauseRequest {
  readonly untilMs?: number | undefined;
  readonly reason?: string | undefined;
}

/** What `enabled` of a body means for a stored row; null and what is so already change nothing. */
export function pauseChange<Row extends ResourceRow>(
  row: Row,
  isEnabled: boolean | null,
  nowMs: number,
): Row {
  const { isPaused } = pauseOf(row, nowMs);
  if (isEnabled === null || isEnabled === !isPaused) return row;
  return isEnabled ? resumeChange(row) : { ...row, ...pausedFrom(nowMs) };
}

/** A repeated pause keeps its beginning and takes over what the request says of end and reason. */
export function pauseNow<Row extends ResourceRow>(
  row: Row,
  request: PauseRequest,
  nowMs: number,
): Row {
  const current = pauseOf(row, nowMs);
  if (!current.isPaused) return { ...row, ...pausedFrom(nowMs, request) };
  return {
    ...row,
    pausedUntilMs: request.untilMs ?? row.pausedUntilMs,
    pauseReason: request.reason ?? row.pauseReason,
  };
}

export function resumeChange<Row extends ResourceRow>(row: Row): Row {
  return row.state === 'paused' ? { ...row, ...ACTIVE } : row;
}
