/**
 * Messages for people about problems of a field. Each message follows the name of the field, for example "must have at
 * most 200 characters".
 */
import { z } from 'zod';
import { findNearestWord } from '../domain/text/nearest-word';

type Raw = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL',
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  safeint: 'a whole number',
};

/** Returns a message for every issue whose schema has no message. */
export function buildPlainMessage(issue: Raw): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${TYPES[issue.expected] ?? 'valid'}`;
    case 'too_small':
      return boundWords(issue.origin, 'least', Number(issue.minimum));
    case 'too_big':
      return boundWords(issue.origin, 'most', Number(issue.maximum));
    case 'invalid_format':
      return formatWords(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : choiceWords(issue);
    case 'unrecognized_keys':
      return unknownFieldMessages(issue).join(FIELD_BREAK);
    case 'invalid_union':
      return Array.isArray(issue.options) ? `must be ${joinWords(issue.options)}` : 'is not valid';
    case 'custom':
    case 'invalid_key':
    case 'invalid_element':
      return 'is not valid';
  }
}

/** The character between the messages of unknown fields, which form a single issue. */
export const FIELD_BREAK = '\n';

/**
 * Maximum number of unknown fields that get a suggestion. A body with more unknown fields does not contain mere typos.
 */
const MEANT_MAX = 20;

function unknownFieldMessages({
  keys,
  inst,
}: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>) {
  const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  return keys.map((key, index) => {
    const meant = index < MEANT_MAX ? findNearestWord(key, known) : null;
    return `is not a known field${meant === null ? '' : ` (did you mean ${meant}?)`}`;
  });
}

const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
  object: ['entry', 'entries'],
};

function boundWords(origin: string, side: 'least' | 'most', bound: number): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be at ${side} ${bound}`;
  if (side === 'least' && bound === 1) return 'must not be empty';
  return `must have at ${side} ${bound} ${bound === 1 ? unit[0] : unit[1]}`;
}

function formatWords(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  if (issue.format === 'starts_with') return `must start with ${String(issue['prefix'])}`;
  if (issue.format === 'ends_with') return `must end with ${String(issue['suffix'])}`;
  const format = FORMATS[issue.format];
  return format === undefined ? 'has the wrong format' : `must be ${format}`;
}

/** A list of at least this many choices would hide the right choice, so the message names only the nearest choice. */
const CHOICES_LONG = 10;

function choiceWords({ input, values }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidValue>): string {
  const isLong = values.length >= CHOICES_LONG && typeof input === 'string';
  const meant = isLong ? findNearestWord(input, values.map(String)) : null;
  return meant === null
    ? `must be ${joinWords(values)}`
    : `is not a known value (did you mean ${meant}?)`;
}

function joinWords(values: readonly unknown[]): string {
  const words = values.filter((value) => value !== undefined).map(String);
  return words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`;
}
