/** Describes the changes of an audit event, field by field and in one line. Pure. */
import { readList, readText } from '../../../../schemas/loose';
import type { AuditEvent } from '../../../shared/data/api-types';

export interface FieldChange {
  readonly name: string;
  /** The value as JSON. null for a field that did not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Lists the changed fields. Fields of `before` come first, followed by fields that only `after` has. A `before` or
 * `after` that is not an object becomes a field named `value`.
 */
export function fieldChanges(before: unknown, after: unknown): readonly FieldChange[] {
  const [was, is] = [readFields(before), readFields(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  // If the object was created or deleted, its empty fields are not listed as changes.
  const isWhole = isAbsent(before) !== isAbsent(after);
  return names
    .filter((name) => !isWhole || !isAbsent(was[name] ?? is[name]))
    .map((name) => ({ name, before: formatValue(was[name]), after: formatValue(is[name]) }))
    .filter((change) => change.before !== change.after);
}

/**
 * Matches fields that change only because other fields change: versions, counts, instants, actors, and the events of an
 * incident.
 */
const DERIVED =
  /^(?:version|revision|groupKey|episodes|timeline|nextOccurrences)$|(?:At|By|Count)$/;
/** Words that are written differently than in the name of a field. */
const SPELLINGS: Readonly<Record<string, string>> = {
  api: 'API',
  dns: 'DNS',
  http: 'HTTP',
  id: 'ID',
  ids: 'IDs',
  ip: 'IP',
  tls: 'TLS',
  url: 'URL',
};
const UNITS: Readonly<Record<string, string>> = { interval: ' s', Seconds: ' s', Ms: ' ms' };
const UNIT = /(?:Ms|Seconds)$/;
const VALUE_WORDS: Readonly<Record<string, string>> = {
  '': 'none',
  null: 'none',
  true: 'on',
  false: 'off',
};
const SHORT_LENGTH = 24;
const SHOWN_MAX = 2;
const NOTE_LENGTH = 120;

/**
 * Converts the name of a field to words. `degradedAboveMs` becomes `Degraded above`, because the unit is shown with the
 * value.
 */
export function fieldWords(name: string): string {
  const words = name
    .replace(UNIT, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .split(' ')
    .map((word) => SPELLINGS[word] ?? word)
    .join(' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Verbs of actions that already say how the field changed. */
const SAID_BY: Readonly<Record<string, readonly string[]>> = {
  acknowledge: ['state'],
  unacknowledge: ['state'],
  pause: ['state', 'enabled'],
  resume: ['state', 'enabled'],
  end: ['state'],
};

/**
 * Summarizes what an event changed, without what its action already says. An added note is quoted. null if there is
 * nothing to add.
 */
export function summariseEvent({ action, before, after }: Deed): string | null {
  const verb = action.split('.').at(-1) ?? '';
  const note = findAddedNote(before, after);
  const said = [...(SAID_BY[verb] ?? []), ...(note === null ? [] : ['notes'])];
  const changes = summariseChanges(before, after, said);
  const quoted = note === null ? null : `${verb === 'notes' ? '' : 'Added note '}“${note}”`;
  return [changes, quoted].filter((part) => part !== null).join(', ') || null;
}

type Deed = Pick<AuditEvent, 'action' | 'before' | 'after'>;

/** Returns the start of the note that the event added. null if it added none. */
function findAddedNote(before: unknown, after: unknown): string | null {
  const was = readList(readFields(before)['notes']);
  const is = readList(readFields(after)['notes']);
  const text = is.length > was.length ? readText(readFields(is.at(-1))['text']).trim() : '';
  if (text === '') return null;
  return text.length > NOTE_LENGTH ? `${text.slice(0, NOTE_LENGTH).trimEnd()}…` : text;
}

/**
 * Summarizes one or two changes like `Interval 60 s → 30 s`. If there are more, shows only the first, with a text like
 * `3 more changes`. Leaves out derived fields and those in `said`. null means that the object was created or deleted, or that only derived
 * fields changed.
 */
export function summariseChanges(
  before: unknown,
  after: unknown,
  said: readonly string[] = [],
): string | null {
  if (isAbsent(before) || isAbsent(after)) return null;
  const changes = fieldChanges(before, after).filter(
    ({ name }) => !DERIVED.test(name) && !said.includes(name),
  );
  if (changes.length === 0) return null;
  const shown = changes.length <= SHOWN_MAX ? changes : changes.slice(0, 1);
  const more = changes.length - shown.length;
  return [...shown.map(changeWords), ...(more > 0 ? [`${more} more changes`] : [])].join(', ');
}

function changeWords(change: FieldChange): string {
  const words = fieldWords(change.name);
  if (!isShort(change)) return `${words} changed`;
  return `${words} ${withUnit(change, 'before')} → ${withUnit(change, 'after')}`;
}

function isAbsent(side: unknown): boolean {
  return side === null || side === undefined;
}

function isShort({ before, after }: FieldChange): boolean {
  return [before, after].every((text) => text === null || isShortText(text));
}

function isShortText(text: string): boolean {
  return text.length <= SHORT_LENGTH && !/[\n{[]/.test(text);
}

function withUnit({ name, ...sides }: FieldChange, side: 'before' | 'after'): string {
  const text = sides[side] ?? '';
  const unit = UNITS[name] ?? UNITS[UNIT.exec(name)?.[0] ?? ''] ?? '';
  return /^\d+$/.test(text) ? `${text}${unit}` : (VALUE_WORDS[text] ?? text);
}

const CUT_LENGTH = 160;
const CUT_LINES = 5;

/** True if `cutOff` shortens the value. */
export function isLong(text: string | null): boolean {
  return cutOff(text).endsWith('…');
}

/** Keeps at most five lines and 160 characters of a value. Returns `–` for a field that does not exist. */
export function cutOff(text: string | null): string {
  if (text === null) return '–';
  const lines = text.split('\n').slice(0, CUT_LINES).join('\n').slice(0, CUT_LENGTH);
  return lines.length < text.length ? `${lines.trimEnd()}…` : text;
}

function readFields(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return { value };
  return { ...value };
}

function formatValue(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
