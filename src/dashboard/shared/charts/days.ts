/** Turns uptime buckets into the days of a strip, each with a text. Pure. */
import type { Uptime } from '../data/api-types';
import { formatDuration, percent } from '../text/time-text';

type Bucket = Uptime['buckets'][number];

/** `brief` is a day that was down for less than an hour in all. `none` is a day without data. */
export type DayTone = 'up' | 'brief' | 'down' | 'none';

const BRIEF_SECONDS = 3_600;

/** Returns the tone of a day by its downtime. null means that nothing was observed. All strips of days use this rule. */
export function chooseDayTone(downSeconds: number | null): DayTone {
  if (downSeconds === null) return 'none';
  if (downSeconds === 0) return 'up';
  return downSeconds < BRIEF_SECONDS ? 'brief' : 'down';
}

const TONE_WORDS: Readonly<Record<DayTone, string>> = {
  up: 'No downtime',
  brief: 'Down for less than an hour',
  down: 'Down for an hour or more',
  none: 'No data',
};

interface LegendEntry {
  readonly tone: DayTone;
  readonly words: string;
}

/** Returns the legend of a strip of days. Days without data are explained only if there are some. */
export function listLegend(tones: readonly DayTone[]): readonly LegendEntry[] {
  const shown = (['up', 'brief', 'down', 'none'] as const).filter(
    (tone) => tone !== 'none' || tones.includes(tone),
  );
  return shown.map((tone) => ({ tone, words: TONE_WORDS[tone] }));
}

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
    tone: chooseDayTone(availability === null ? null : seconds.down),
  }));
}

/** True if the check was down on that day for any length of time. */
export function hasDowntime({ tone }: Day): boolean {
  return tone === 'brief' || tone === 'down';
}

/** Describes a day, like `99.931% up, down 1 min`. The text does not contain the date. */
export function dayText({ availability, downSeconds }: Day): string {
  if (availability === null) return 'no data';
  const down = downSeconds === 0 ? '' : `, down ${formatDuration(downSeconds)}`;
  return `${percent(availability)} up${down}`;
}

/** Summarizes the strip, like `Last 90 days: downtime on 2 days, 8 days without data`. */
export function stripText(days: readonly Day[]): string {
  const words = (count: number) => (count === 1 ? '1 day' : `${count} days`);
  const down = days.filter(hasDowntime).length;
  const none = days.filter(({ tone }) => tone === 'none').length;
  const downtime = down === 0 ? 'no downtime' : `downtime on ${words(down)}`;
  const gaps = none === 0 ? '' : `, ${words(none)} without data`;
  return `Last ${days.length} days: ${downtime}${gaps}`;
}
