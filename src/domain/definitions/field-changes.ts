/** Compares two JSON values field by field, so that people can read the differences in a plan. Pure. */
import { isRecord } from '../../contracts/json';

export interface FieldChange {
  /** The path of the field, for example `steps[1].url`. Empty for the whole value. */
  readonly path: string;
  /** null if the field is absent. */
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Returns each difference once, at its deepest path. Lists of different lengths differ as a whole. null counts as
 * absent.
 */
export function findFieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (Object.is(before ?? null, after ?? null)) return [];
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      findFieldChanges(before[name], after[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    const changed: readonly unknown[] = after;
    return before.flatMap((item, index) =>
      findFieldChanges(item, changed[index], `${path}[${index}]`),
    );
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, before: before ?? null, after: after ?? null }];
}
