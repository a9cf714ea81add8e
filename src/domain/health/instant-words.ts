/** Formats an instant in the same way for all sentences and messages. Pure. */

/**
 * How the start of a problem is written. `short`: time and age. `local`: date, time and age, because the channel shows
 * the instant in the time zone of each reader. `record`: date and time, because people read the text later.
 */
export type InstantStyle = 'short' | 'local' | 'record';

/**
 * Returns a text like `2026-01-05 12:00:00 UTC`. The text names the time zone, because the members of a team may be in
 * different time zones.
 */
export function formatInstant(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const INSTANT = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b/g;

/** Replaces every instant that has the form of `formatInstant`. Leaves out days and times that do not exist. */
export function replaceInstants(
  text: string,
  replace: (words: string, atMs: number) => string,
): string {
  return text.replaceAll(INSTANT, (words: string, day: string, time: string) => {
    const atMs = Date.parse(`${day}T${time}Z`);
    return Number.isNaN(atMs) ? words : replace(words, atMs);
  });
}

/** From this age on, a time without its date would be ambiguous. */
const DATED_FROM_MS = 20 * 3_600_000;

/** Returns a text like `12:00 UTC`, or `2026-01-05 12:00 UTC` if the instant is not recent. */
export function formatShortInstant(atMs: number, nowMs: number): string {
  const [day, time] = new Date(atMs).toISOString().slice(0, 16).split('T');
  return Math.abs(nowMs - atMs) < DATED_FROM_MS ? `${time} UTC` : `${day} ${time} UTC`;
}
