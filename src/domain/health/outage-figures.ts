/**
 * Incidents and outages of a time span, counted in the same way for every page: an outage is one time down, and an
 * incident is what people see as one, with one or more outages. Pure.
 */
import type { TimeSpan } from './summary';

export interface CountedOutage {
  /** Outages of one incident share it. */
  readonly incidentId: string;
  readonly openedAtMs: number;
  /** null: still open. */
  readonly closedAtMs: number | null;
}

export interface OutageFigures {
  readonly incidents: number;
  /** At least as many as incidents. */
  readonly outages: number;
  /** The longest outage, including any part outside the span; null: there was none. */
  readonly longestMs: number | null;
  /** The mean of the outages that have ended. */
  readonly mttrMs: number | null;
}

/** Outages that overlap the span; an open one lasts until now. */
export function countOutages(
  outages: readonly CountedOutage[],
  { fromMs, toMs }: TimeSpan,
  nowMs: number,
): OutageFigures {
  const within = outages.filter(
    ({ openedAtMs, closedAtMs }) =>
      openedAtMs < toMs && (closedAtMs === null || closedAtMs > fromMs),
  );
  const lengthOf = ({ openedAtMs, closedAtMs }: CountedOutage) =>
    Math.max(0, (closedAtMs ?? nowMs) - openedAtMs);
  const ended = within.filter(({ closedAtMs }) => closedAtMs !== null).map(lengthOf);
  return {
    incidents: new Set(within.map(({ incidentId }) => incidentId)).size,
    outages: within.length,
    longestMs: within.reduce<number | null>(
      (longest, outage) => Math.max(longest ?? 0, lengthOf(outage)),
      null,
    ),
    mttrMs: ended.length === 0 ? null : ended.reduce((sum, ms) => sum + ms, 0) / ended.length,
  };
}
