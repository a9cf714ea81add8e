/** Shows times and lengths in words: relative times in the text, and the absolute time with its zone on hover. */
import { useEffect, useState } from 'react';
import { NEVER } from './strings';
import {
  ABSOLUTE,
  absolute,
  clockSeconds,
  nextWords,
  PLANNED,
  relative,
  shortDay,
} from './time-text';

export {
  absolute,
  everyTitle,
  everyWords,
  formatDuration,
  milliseconds,
  percent,
  shortDay,
} from './time-text';

const TICK_MS = 10_000;

/** Shows a time like `3 min ago`, which is updated every ten seconds. */
export function RelativeTime({ at }: { readonly at: string | null }) {
  useTick();
  if (at === null) return <span>{NEVER}</span>;
  return (
    <time dateTime={at} title={absolute(at)}>
      {relative(Date.parse(at) - Date.now())}
    </time>
  );
}

/**
 * Shows the time of day, like `16:05:09`, preceded by the day unless it is today. Seconds are needed, because rows of a
 * list may be only seconds apart.
 */
export function ClockTime({ at }: { readonly at: string }) {
  const isToday = shortDay(at) === shortDay(new Date().toISOString());
  return (
    <time dateTime={at} title={absolute(at)}>
      {isToday ? clockSeconds(at) : `${shortDay(at)}, ${clockSeconds(at)}`}
    </time>
  );
}

/** Shows a time like `next in 12 s` or `due now`, which is updated every ten seconds. */
export function NextTime({ at }: { readonly at: string }) {
  useTick();
  return (
    <time dateTime={at} title={absolute(at)}>
      {nextWords(Date.parse(at) - Date.now())}
    </time>
  );
}

export function AbsoluteTime({ at }: { readonly at: string | null }) {
  if (at === null) return <span>{NEVER}</span>;
  return (
    <time dateTime={at} title={at}>
      {ABSOLUTE.format(new Date(at))}
    </time>
  );
}

/** Shows a planned time to the minute, because plans have no seconds. */
export function PlannedTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={absolute(at)}>
      {PLANNED.format(new Date(at))}
    </time>
  );
}

/** Renders the component again every ten seconds. */
function useTick(): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
}
