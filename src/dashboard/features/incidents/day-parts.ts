/** Groups entries by day, so that a list shows each day only once. Pure. */
import { calendarDay, ZONE } from '../../shared/text/time-text';

/** Formats the day with the time zone, for example `Sunday 29 Nov 2026 (Europe/Berlin)`. */
function dayWithZone(at: string): string {
  return `${calendarDay(at)} (${ZONE})`;
}

interface DayPart<Entry> {
  readonly day: string;
  readonly entries: readonly Entry[];
}

/** Groups entries by day in local time. The entries keep their order. */
export function groupByDay<Entry>(
  entries: readonly Entry[],
  readTime: (entry: Entry) => string,
): readonly DayPart<Entry>[] {
  const days = new Map<string, Entry[]>();
  for (const entry of entries) {
    const day = dayWithZone(readTime(entry));
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].map(([day, own]) => ({ day, entries: own }));
}
