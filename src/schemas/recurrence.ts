/**
 * The syntax of recurrence rules (RFC 5545 §3.3.10) for windows that recur daily or less often. Finds invalid rules. A
 * library interprets the valid ones.
 */

const DAY = '(?:MO|TU|WE|TH|FR|SA|SU)';
const FREQUENCIES = 'DAILY|WEEKLY|MONTHLY|YEARLY';

const NUMBER_PARTS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  INTERVAL: [1, 999],
  COUNT: [1, 1_000],
};

/**
 * Parts that are lists of numbers, with their limits. If the minimum is negative, negative numbers count from the end,
 * and 0 is not allowed.
 */
const LIST_PARTS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  BYHOUR: [0, 23],
  BYMINUTE: [0, 59],
  BYMONTH: [1, 12],
  BYMONTHDAY: [-31, 31],
  BYYEARDAY: [-366, 366],
  BYWEEKNO: [-53, 53],
  BYSETPOS: [-366, 366],
};

const TEXT_PARTS: Readonly<Record<string, readonly [pattern: RegExp, words: string]>> = {
  FREQ: [new RegExp(`^(?:${FREQUENCIES})$`), `must be one of ${FREQUENCIES}`],
  UNTIL: [/^\d{8}T\d{6}Z$/, 'must be a UTC time like 20261231T235959Z'],
  BYDAY: [
    new RegExp(`^(?:[+-]?[1-9]\\d?)?${DAY}(?:,(?:[+-]?[1-9]\\d?)?${DAY})*$`),
    'must be weekdays like MO,WE or -1SU',
  ],
  WKST: [new RegExp(`^${DAY}$`), 'must be a weekday like MO'],
};

/**
 * Maximum number of combinations of values in the BY… parts of a rule. Each combination is expensive for the library.
 */
const COMBINATIONS_MAX = 24;
/** The part that selects some of the occurrences that the other parts produce. */
const CHOOSING_PART = 'BYSETPOS';

/** Returns the first problem of a rule without its prefix `RRULE:`. null means that the rule is valid. */
export function findRuleProblem(rule: string): string | null {
  const parts = rule.split(';').map((part) => part.split('='));
  const names = parts.map(([name = '']) => name);
  if (!names.includes('FREQ')) return 'must have a FREQ';
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `has ${repeated} twice`;
  if (names.includes('COUNT') && names.includes('UNTIL')) return 'has both COUNT and UNTIL';
  for (const [name = '', value = '', ...rest] of parts) {
    const problem = rest.length > 0 ? 'is not name=value' : findPartProblem(name, value);
    if (problem !== null) return `${name || 'a part'} ${problem}`;
  }
  return findCombinationProblem(parts);
}

function findCombinationProblem(parts: readonly (readonly string[])[]): string | null {
  const combinations = parts
    .filter(([name = '']) => name.startsWith('BY') && name !== CHOOSING_PART)
    .reduce((product, [, value = '']) => product * value.split(',').length, 1);
  if (combinations <= COMBINATIONS_MAX) return null;
  return `has ${combinations} combinations of its BY… parts and may have at most ${COMBINATIONS_MAX}`;
}

function findPartProblem(name: string, value: string): string | null {
  const text = TEXT_PARTS[name];
  if (text !== undefined) return text[0].test(value) ? null : text[1];
  const number = NUMBER_PARTS[name];
  if (number !== undefined) return findNumberProblem(value, number);
  const list = LIST_PARTS[name];
  if (list === undefined) return 'is not a supported part of a rule';
  const problems = value.split(',').map((item) => findNumberProblem(item, list));
  return problems.find((problem) => problem !== null) ?? null;
}

function findNumberProblem(
  text: string,
  [min, max]: readonly [min: number, max: number],
): string | null {
  const number = /^[+-]?\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  const isCountedFromBothEnds = min < 0;
  const isFine = number >= min && number <= max && !(isCountedFromBothEnds && number === 0);
  if (isFine) return null;
  return isCountedFromBothEnds
    ? `must be from 1 to ${max} or from -1 to ${min}`
    : `must be from ${min} to ${max}`;
}
