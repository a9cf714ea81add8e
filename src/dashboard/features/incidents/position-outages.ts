/** Computes the positions of an incident's outages on a time line. Pure. */
import type { Incident } from '../../shared/data/api-types';

const HOUR_MS = 3_600_000;
const WHOLE = 100;

interface OutagePositions {
  readonly fromMs: number;
  readonly toMs: number;
  /** Start and length of each outage in percent of the line, oldest first. */
  readonly parts: readonly { readonly id: string; readonly left: number; readonly width: number }[];
}

/**
 * Returns the outages of the last hour of the incident, or of its whole time if it was shorter. Each part lies between 0
 * and 100 percent. An outage that began before the line is shown from its start.
 */
export function positionOutages(
  { episodes, closedAt }: Pick<Incident, 'episodes' | 'closedAt'>,
  nowMs: number,
): OutagePositions {
  const toMs = closedAt === null ? nowMs : Date.parse(closedAt);
  const startMs = Date.parse(episodes[0]?.startedAt ?? '') || toMs;
  const fromMs = Math.min(toMs, Math.max(startMs, toMs - HOUR_MS));
  const lengthMs = Math.max(1, toMs - fromMs);
  const percentAt = (ms: number): number =>
    (Math.min(Math.max(ms - fromMs, 0), lengthMs) / lengthMs) * WHOLE;
  const parts = episodes.map(({ id, startedAt, resolvedAt }) => {
    const left = percentAt(Date.parse(startedAt));
    const right = percentAt(resolvedAt === null ? toMs : Date.parse(resolvedAt));
    return { id, left, width: right - left };
  });
  return { fromMs, toMs, parts: parts.filter(({ width }) => width > 0) };
}
