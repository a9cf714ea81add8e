/** Compares two JSON values, field by field, for people who read a plan. Pure. */
import { isRecord } from '../../contracts/json';

export interface FieldChange {
  /** Like `steps[1].url`; empty for the whole value. */
  readonly path: string;
  /** null for what is absent. */
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Each difference once, at the deepest path that names it, in the order of the fields. Lists of
 * different lengths differ as a whole: what moved and what is new cannot be told apart. null is
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
