/** The changes of an audit event, field by field. Pure. */

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

function readFields(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return { value };
  return { ...value };
}

function formatValue(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
