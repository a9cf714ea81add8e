/** The changes of an audit event, field by field and in one line. Pure. */

export interface FieldChange {
  readonly name: string;
  /** JSON; null for a field that did not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Fields of `before`, then fields only in `after`; equal fields are left out. If `before` or `after` is not an object,
 * it becomes a field named `value`.
 */
export function fieldChanges(before: unknown, after: unknown): readonly FieldChange[] {
  const [was, is] = [readFields(before), readFields(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names
    .map((name) => ({ name, before: formatValue(was[name]), after: formatValue(is[name]) }))
    .filter((change) => change.before !== change.after);
}

/** Fields that the service counts by itself. */
const COUNTED = new Set(['version', 'revision', 'updatedAt']);
const UNITS: Readonly<Record<string, string>> = { interval: ' s', timeoutMs: ' ms' };
const SHORT_LENGTH = 24;
const VALUES_MAX = 2;
const NAMES_MAX = 2;

/**
 * `interval 60 s → 30 s` for up to two short values, else `url, interval +3`. null for an object that was created or
 * deleted, and when no field of interest changed.
 */
export function summariseChanges(before: unknown, after: unknown): string | null {
  if (isAbsent(before) || isAbsent(after)) return null;
  const changes = fieldChanges(before, after).filter(({ name }) => !COUNTED.has(name));
  if (changes.length === 0) return null;
  if (changes.length <= VALUES_MAX && changes.every(isShort)) {
    return changes
      .map(
        (change) => `${change.name} ${withUnit(change, 'before')} → ${withUnit(change, 'after')}`,
      )
      .join(', ');
  }
  const names = changes.slice(0, NAMES_MAX).map(({ name }) => name);
  const more = changes.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` +${more}` : ''}`;
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
  const text = sides[side];
  if (text === null || text === 'null' || text === '') return 'none';
  return /^\d+$/.test(text) ? `${text}${UNITS[name] ?? ''}` : text;
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
