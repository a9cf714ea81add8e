/**
 * Counts incidents and outages of a period in the same way for every page. An outage is one period of being down. An
 * incident has one or more outages. Pure.
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
  /** The number of outages, which is at least the number of incidents. */
  readonly outages: number;
  /** The total time of all outages within the period. */
  readonly downMs: number;
  /** The longest outage, cut to the period. null if there is none. */
  readonly longestMs: number | null;
  /** The mean duration of the outages that have ended, including parts outside of the period. */
  readonly mttrMs: number | null;
}

/**
 * Returns how many milliseconds of each part count. Each part is one outage, cut to the period. The parts are sorted,
 * oldest first.
 */
type Measure = (parts: readonly TimeSpan[]) => readonly number[];

const measureWhole: Measure = (parts) => parts.map(({ fromMs, toMs }) => toMs - fromMs);

/**
 * Counts the outages that overlap the period. An open outage lasts until now. By default, the whole time of each outage
 * within the period counts.
 */
export function countOutages(
  outages: readonly CountedOutage[],
  { fromMs, toMs }: TimeSpan,
  { nowMs, measure = measureWhole }: { readonly nowMs: number; readonly measure?: Measure },
): OutageFigures {
  const within = outages.filter(
    ({ openedAtMs, closedAtMs }) =>
      openedAtMs < toMs && (closedAtMs === null || closedAtMs > fromMs),
  );
  const measureLength = ({ openedAtMs, closedAtMs }: CountedOutage) =>
    Math.max(0, (closedAtMs ?? nowMs) - openedAtMs);
  const parts = within
    .map(({ openedAtMs, closedAtMs }) => {
      const startMs = Math.max(openedAtMs, fromMs);
      return { fromMs: startMs, toMs: Math.max(startMs, Math.min(closedAtMs ?? nowMs, toMs)) };
    })
    .toSorted((a, b) => a.fromMs - b.fromMs);
  const lengths = measure(parts);
  const ended = within.filter(({ closedAtMs }) => closedAtMs !== null).map(measureLength);
  return {
    incidents: new Set(within.map(({ incidentId }) => incidentId)).size,
    outages: within.length,
    downMs: lengths.reduce((sum, ms) => sum + ms, 0),
    longestMs: lengths.reduce<number | null>((longest, ms) => Math.max(longest ?? 0, ms), null),
    mttrMs: ended.length === 0 ? null : ended.reduce((sum, ms) => sum + ms, 0) / ended.length,
  };
}
