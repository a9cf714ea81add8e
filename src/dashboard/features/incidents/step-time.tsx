/** Times in a list. The day is shown only where it changes. */

import { AbsoluteTime } from '../../shared/text/time';
import {
  absolute,
  calendarDay,
  clockSeconds,
  relative,
  shortMoment,
} from '../../shared/text/time-text';

/** Shows the time of day, like `16:05:09`. The tooltip contains the full time. */
export function ClockTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={absolute(at)}>
      {clockSeconds(at)}
    </time>
  );
}

interface ShortTimeProps {
  readonly at: string;
  readonly nowMs: number;
}

/** Shows a time like `7 Nov, 00:56`. The tooltip contains the full time, and how long ago it was. */
export function ShortTime({ at, nowMs }: ShortTimeProps) {
  return (
    <time dateTime={at} title={`${relative(Date.parse(at) - nowMs)}, ${absolute(at)}`}>
      {shortMoment(at, nowMs)}
    </time>
  );
}

interface StepTimeProps {
  readonly at: string;
  /** The time of the previous entry. undefined for the first entry. */
  readonly before: string | undefined;
}

/** Shows the full time for the first entry of each day, and the time of day for the others. */
export function StepTime({ at, before }: StepTimeProps) {
  const isSameDay = before !== undefined && calendarDay(before) === calendarDay(at);
  return isSameDay ? <ClockTime at={at} /> : <AbsoluteTime at={at} />;
}
