/** The hours of a week as cells of a heatmap, in the browser's time zone. Pure. */
import type { Uptime } from '../data/api-types';
import { formatDuration, milliseconds } from '../text/time-text';

type Bucket = Uptime['buckets'][number];

export interface HeatCell {
  readonly hour: number;
  readonly p95Ms: number | null;
  readonly downSeconds: number;
}

interface HeatRow {
  /** The day, like `Mon 2 Mar`. */
  readonly day: string;
  /** 24 cells, one per hour. */
  readonly cells: readonly HeatCell[];
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** Returns one row per day, the oldest first. When clocks change, buckets of the same hour become one cell. */
export function heatRows(buckets: readonly Bucket[]): readonly HeatRow[] {
  const days = new Map<string, Map<number, HeatCell>>();
  for (const { from, responseTimeMs, seconds } of buckets) {
    const at = new Date(from);
    const day = DAY.format(at);
    const hours = days.get(day) ?? new Map<number, HeatCell>();
    const hour = at.getHours();
    const other = hours.get(hour);
    const times = [responseTimeMs.p95, other?.p95Ms ?? null].filter((ms) => ms !== null);
    hours.set(hour, {
      hour,
      p95Ms: times.length === 0 ? null : Math.max(...times),
      downSeconds: seconds.down + (other?.downSeconds ?? 0),
    });
    days.set(day, hours);
  }
  return [...days].map(([day, hours]) => ({
    day,
    cells: Array.from(
      { length: 24 },
      (_, hour) => hours.get(hour) ?? { hour, p95Ms: null, downSeconds: 0 },
    ),
  }));
}

/** True if the hour has neither response times nor downtime. */
export function isEmptyCell({ p95Ms, downSeconds }: HeatCell): boolean {
  return p95Ms === null && downSeconds === 0;
}

/** Describes a cell, like `Mon 2 Mar 14:00: p95 120 ms, down 5 min`. */
export function cellText(day: string, { hour, p95Ms, downSeconds }: HeatCell): string {
  const down = downSeconds === 0 ? '' : `, down ${formatDuration(downSeconds)}`;
  const time = `${String(hour).padStart(2, '0')}:00`;
  if (p95Ms === null && downSeconds === 0) return `${day} ${time}: no data`;
  return `${day} ${time}: p95 ${milliseconds(p95Ms)}${down}`;
}

/** Summarizes all rows in one sentence. */
export function heatText(rows: readonly HeatRow[]): string {
  const cells = rows.flatMap(({ day, cells: own }) => own.map((cell) => ({ day, cell })));
  const slowest = cells
    .filter(({ cell }) => cell.p95Ms !== null)
    .toSorted((left, right) => (right.cell.p95Ms ?? 0) - (left.cell.p95Ms ?? 0))[0];
  const down = cells.filter(({ cell }) => cell.downSeconds > 0).length;
  const slow = slowest === undefined ? '' : ` Slowest: ${cellText(slowest.day, slowest.cell)}.`;
  return `Last 7 days by hour: downtime in ${down === 1 ? '1 hour' : `${down} hours`}.${slow}`;
}
