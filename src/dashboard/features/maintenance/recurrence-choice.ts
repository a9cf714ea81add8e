/** Simple choices of recurrence, and the equivalent RFC 5545 rules. Pure. */
import { DAY_WORDS, REPEAT_WORDS } from './strings';

export type Repeat = keyof typeof REPEAT_WORDS;
export type Day = keyof typeof DAY_WORDS;

export interface RecurrenceChoice {
  readonly repeat: Repeat;
  readonly days: readonly Day[];
  /** The text of a custom rule. */
  readonly rule: string;
}

export const DAYS = Object.keys(DAY_WORDS).filter(isDay);

export function isDay(text: string): text is Day {
  return Object.hasOwn(DAY_WORDS, text);
}

export function isRepeat(text: string): text is Repeat {
  return Object.hasOwn(REPEAT_WORDS, text);
}

/**
 * Builds the rule. null means a window that does not repeat. A weekly window without days repeats on the weekday of the
 * start.
 */
export function formatRule({ repeat, days, rule }: RecurrenceChoice): string | null {
  switch (repeat) {
    case 'once':
      return null;
    case 'daily':
      return 'FREQ=DAILY';
    case 'weekly': {
      const inOrder = DAYS.filter((day) => days.includes(day));
      return inOrder.length === 0 ? 'FREQ=WEEKLY' : `FREQ=WEEKLY;BYDAY=${inOrder.join(',')}`;
    }
    case 'monthly':
      return 'FREQ=MONTHLY';
    case 'rule':
      return rule;
  }
}

/**
 * Returns the simple choice that is equivalent to the rule. Any other rule becomes a custom choice with the text of the
 * rule.
 */
export function readChoice(rule: string | null): RecurrenceChoice {
  if (rule === null) return { repeat: 'once', days: [], rule: '' };
  if (rule === 'FREQ=DAILY') return { repeat: 'daily', days: [], rule };
  if (rule === 'FREQ=MONTHLY') return { repeat: 'monthly', days: [], rule };
  const weekly = /^FREQ=WEEKLY(?:;BYDAY=([A-Z,]+))?$/.exec(rule);
  const days = (weekly?.[1] ?? '').split(',').filter((day) => day !== '');
  if (weekly !== null && days.every(isDay))
    return { repeat: 'weekly', days: days.filter(isDay), rule };
  return { repeat: 'rule', days: [], rule };
}

export function recurrenceWords(rule: string | null): string {
  const { repeat, days } = readChoice(rule);
  if (repeat === 'rule') return rule ?? '';
  const on = days.length === 0 ? '' : ` on ${days.map((day) => DAY_WORDS[day]).join(', ')}`;
  return `${REPEAT_WORDS[repeat]}${on}`;
}
