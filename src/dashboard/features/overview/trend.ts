/** Compares the figures of the overview with the figures of the previous 24 hours. Pure. */
import type { Trends } from '../../shared/data/api-types';
import { formatDuration, milliseconds, percent } from '../../shared/text/time-text';

export interface Tile {
  readonly label: string;
  readonly value: string;
  /** An additional text, such as `5 outages`. */
  readonly about: string | null;
  /** null when there is nothing to compare with. */
  readonly change: Change | null;
}

interface Change {
  readonly direction: 'up' | 'down' | 'same';
  readonly isGood: boolean;
  readonly text: string;
}

type Trend = Trends['current'];

/** How to read and format a figure, how to format its change, and which direction is better. */
interface Measure {
  readonly label: string;
  readonly of: (trend: Trend) => number | null;
  readonly show: (value: number | null) => string;
  readonly showChange: (difference: number) => string;
  readonly isMoreBetter: boolean;
  readonly about?: (trend: Trend) => string | null;
}

const MEASURES: readonly Measure[] = [
  {
    label: 'Uptime',
    of: ({ availability }) => availability,
    show: percent,
    showChange: (difference) => `${difference.toFixed(difference < 0.1 ? 3 : 2)} points`,
    isMoreBetter: true,
  },
  {
    label: 'Incidents',
    of: ({ incidents }) => incidents,
    show: String,
    showChange: String,
    isMoreBetter: false,
    about: ({ incidents, outages }) => (outages === incidents ? null : `${outages} outages`),
  },
  {
    label: 'MTTR',
    of: ({ mttrSeconds }) => mttrSeconds,
    show: (value) => (value === null ? '–' : formatDuration(value)),
    showChange: formatDuration,
    isMoreBetter: false,
  },
  {
    label: 'p95 response time',
    of: ({ p95Ms }) => p95Ms,
    show: milliseconds,
    showChange: milliseconds,
    isMoreBetter: false,
  },
];

/** Differences smaller than this count as no change, by label of the measure. Default: 1. */
const NOTHING: Readonly<Record<string, number>> = { Uptime: 0.0005, Incidents: 0.5 };

export function buildTiles({ current, before }: Trends): readonly Tile[] {
  return MEASURES.map((measure) => {
    const [now, then] = [measure.of(current), measure.of(before)];
    return {
      label: measure.label,
      value: measure.show(now),
      about: measure.about?.(current) ?? null,
      change: findChange(measure, now, then),
    };
  });
}

function findChange(measure: Measure, now: number | null, then: number | null): Change | null {
  if (now === null || then === null) return null;
  const difference = now - then;
  if (Math.abs(difference) < (NOTHING[measure.label] ?? 1))
    return { direction: 'same', isGood: true, text: 'no change' };
  return {
    direction: difference > 0 ? 'up' : 'down',
    isGood: difference > 0 === measure.isMoreBetter,
    text: measure.showChange(Math.abs(difference)),
  };
}

export type AccountDay = Trends['days'][number];
/**
 * Describes a day by the sum over all checks, for example `2 incidents, 5 min down`, or `1 incident with 5 outages, …`. An incident counts on the
 * day on which it began, so a day can have downtime without an incident.
 */
export function accountDayText({ incidents, outages, downSeconds }: AccountDay): string {
  if (downSeconds === null) return 'no data';
  if (incidents === 0)
    return downSeconds === 0 ? 'no incidents' : `${formatDuration(downSeconds)} down`;
  const count = incidents === 1 ? '1 incident' : `${incidents} incidents`;
  const times = outages === incidents ? '' : ` with ${outages} outages`;
  return `${count}${times}, ${formatDuration(downSeconds)} down`;
}

/** Returns a text like `Outages on 4 of 90 days, 1 h 3 min down, summed over all checks`. */
export function accountDaysText(days: readonly AccountDay[]): string {
  const bad = days.filter(({ incidents, downSeconds }) => incidents > 0 || (downSeconds ?? 0) > 0);
  const known = days.filter(({ downSeconds }) => downSeconds !== null).length;
  const length = known === 1 ? '1 day' : `${known} days`;
  if (bad.length === 0) return `No outages in ${length}`;
  const seconds = bad.reduce((sum, { downSeconds }) => sum + (downSeconds ?? 0), 0);
  const part = bad.length === known ? length : `${bad.length} of ${length}`;
  return `Outages on ${part}, ${formatDuration(seconds)} down, summed over all checks`;
}
