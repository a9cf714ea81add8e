/** Turns uptime buckets into the days of a strip, each with a text. Pure. */
import type { Uptime } from '../data/api-types';
import { formatDuration, percent } from '../text/time-text';

type Bucket = Uptime['buckets'][number];
type DayTone = 'up' | 'degraded' | 'down' | 'none';

export interface Day {
  readonly from: string;
  readonly tone: DayTone;
  readonly availability: number | null;
  readonly downSeconds: number;
}

export function toDays(buckets: readonly Bucket[]): readonly Day[] {
  return buckets.map(({ from, availability, seconds }) => ({
    from,
    availability,
    downSeconds: seconds.down,
    tone: chooseTone(availability, seconds),
  }));
}

function chooseTone(availability: number | null, { down, degraded }: Bucket['seconds']): DayTone {
  if (availability === null) return 'none';
  if (down > 0) return 'down';
  return degraded > 0 ? 'degraded' : 'up';
}

/** Describes a day, like `99.931% up, down 1 min`. The text does not contain the date. */
export function dayText({ availability, downSeconds }: Day): string {
  if (availability === null) return 'no data';
  const down = downSeconds === 0 ? '' : `, down ${formatDuration(downSeconds)}`;
  return `${percent(availability)} up${down}`;
}

/** Summarizes the strip, like `Last 90 days: downtime on 2 days, 8 days without data`. */
export function stripText(days: readonly Day[]): string {
  const countOf = (tone: DayTone) => days.filter((day) => day.tone === tone).length;
  const words = (count: number) => (count === 1 ? '1 day' : `${count} days`);
  const [down, none] = [countOf('down'), countOf('none')];
  const downtime = down === 0 ? 'no downtime' : `downtime on ${words(down)}`;
  const gaps = none === 0 ? '' : `, ${words(none)} without data`;
  return `Last ${days.length} days: ${downtime}${gaps}`;
}
