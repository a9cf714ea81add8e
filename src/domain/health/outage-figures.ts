/**
 * Incidents and outages of a time span, counted alike on every page. An outage is one period of being down; an incident
 * has one or more outages. Pure.
 */
import type { TimeSpan } from './summary';

export interface CountedOutage {
  /** The id of the incident. All outages of one incident have the same id. */
  readonly incidentId: string;
  readonly openedAtMs: number;
  /** null means that the outage is still open. */
  readonly closedAtMs: number | null;
}

export interface OutageFigures {
  readonly incidents: number;
  /** At least the number of incidents. */
  readonly outages: number;
  /** The total time of all outages within the span. */
  readonly downMs: number;
  /** The longest outage, cut to the span. null if there is none. */
  readonly longestMs: number | null;
  /** The mean duration of the outages that have ended, including any part outside the span. */
  readonly mttrMs: number | null;
}

/** Returns how much of each part of an outage counts. Parts are sorted, oldest first. */
type Measure = (parts: readonly TimeSpan[]) => readonly number[];

const measureWhole: Measure = (parts) => parts.map(({ fromMs, toMs }) => toMs - fromMs);

/** Counts outages that overlap the span. An open outage lasts until now. By default, their whole time counts. */
export function countOutages(
  outages: readonly CountedOutage[],
  { fromMs, toMs }: TimeSpan,
  { nowMs, measure = measureWhole }: { readonly nowMs: number; readonly measure?: Measure },
): OutageFigures {
  const within = outages.filter(
    ({ openedAtMs, closedAtMs }) =>
      openedAtMs < toMs && (closedAtMs === null || closedAtMs > fromMs),
  );
  const lengthOf = ({ openedAtMs, closedAtMs }: CountedOutage) =>
    Math.max(0, (closedAtMs ?? nowMs) - openedAtMs);
  const parts = within
    .map(({ openedAtMs, closedAtMs }) => {
      const startMs = Math.max(openedAtMs, fromMs);
      return { fromMs: startMs, toMs: Math.max(startMs, Math.min(closedAtMs ?? nowMs, toMs)) };
    })
    .toSorted((a, b) => a.fromMs - b.fromMs);
  const lengths = measure(parts);
  const ended = within.filter(({ closedAtMs }) => closedAtMs !== null).map(lengthOf);
  return {
    incidents: new Set(within.map(({ incidentId }) => incidentId)).size,
    outages: within.length,
    downMs: lengths.reduce((sum, ms) => sum + ms, 0),
    longestMs: lengths.reduce<number | null>((longest, ms) => Math.max(longest ?? 0, ms), null),
    mttrMs: ended.length === 0 ? null : ended.reduce((sum, ms) => sum + ms, 0) / ended.length,
  };
}
