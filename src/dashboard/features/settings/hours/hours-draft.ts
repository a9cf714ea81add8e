/** The draft of hours in their form: rows for the times of the week, holidays as text. Pure. */
import type { Weekday } from '../../../../contracts/escalation';
import type { Hours } from '../../../shared/data/api-types';
import { newRowId } from '../../../shared/form/assertions/assertion-draft';
import { OWN_ZONE } from '../../../shared/form/fields/time-zones';
import { DAY_WORDS } from '../policies/strings';

export interface TimeRow {
  readonly rowId: string;
  readonly days: readonly Weekday[];
  readonly from: string;
  /** The end of the period. The end of a day is `00:00`, because time inputs do not accept `24:00`. */
  readonly to: string;
}

export interface HoursDraft {
  readonly key: string;
  readonly name: string;
  readonly timeZone: string;
  readonly weekly: readonly TimeRow[];
  /** Dates and recurrence rules (RFC 5545), as text. */
  readonly holidays: readonly string[];
}

const WORKDAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri'];
const WEEKDAYS: readonly Weekday[] = [...WORKDAYS, 'sat', 'sun'];
const MIDNIGHT = '00:00';
const END_OF_DAY = '24:00';

export function newTime(days: readonly Weekday[] = []): TimeRow {
  return { rowId: newRowId(), days, from: '09:00', to: '18:00' };
}

export function createDraft(hours: Hours | null): HoursDraft {
  if (hours === null)
    return { key: '', name: '', timeZone: OWN_ZONE, weekly: [newTime(WORKDAYS)], holidays: [] };
  const { key, name, timeZone, weekly, holidays } = hours;
  const rows = weekly.map(({ days, from, to }) => ({
    rowId: newRowId(),
    days,
    from,
    to: to === END_OF_DAY ? MIDNIGHT : to,
  }));
  const texts = holidays.map((day) => (typeof day === 'string' ? day : day.rrule));
  return { key, name, timeZone, weekly: rows, holidays: texts };
}

export function buildBody({ key, name, timeZone, weekly, holidays }: HoursDraft) {
  return {
    key,
    name,
    timeZone,
    weekly: weekly.map(({ days, from, to }) => ({
      days,
      from,
      to: to === MIDNIGHT ? END_OF_DAY : to,
    })),
    holidays: holidays.map((text) => (text.includes('=') ? { rrule: text } : text)),
  };
}

/** Formats the times like `Mon–Fri 09:00–18:00`. */
export function timeWords({ days, from, to }: Hours['weekly'][number]): string {
  return `${dayWords(days)} ${from}–${to}`;
}

/** Formats days. Three or more days in a row become a range. */
function dayWords(days: readonly Weekday[]): string {
  const [first, second, ...others] = WEEKDAYS.filter((day) => days.includes(day));
  if (first === undefined) return '';
  if (second === undefined) return shortDay(first);
  const last = others.at(-1) ?? second;
  const isRange = WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) === days.length - 1;
  if (isRange && others.length > 0) return `${shortDay(first)}–${shortDay(last)}`;
  return [first, second, ...others].map(shortDay).join(', ');
}

function shortDay(day: Weekday): string {
  return DAY_WORDS[day].slice(0, 3);
}
