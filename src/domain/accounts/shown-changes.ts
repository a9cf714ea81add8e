/**
 * Finds the differences between two definitions and formats them for people. Secret values are masked, and long values
 * are left out. Pure.
 */

import { type FieldChange, findFieldChanges } from '../definitions/field-changes';
import { maskSecrets } from './audit-change';

const VALUE_MAX = 2_000;
const TOO_LONG = '(too long to show)';
/** Matches the path of a header. Names of headers may contain dots. */
const HEADER = /(?:^|\.)headers\.(.+)$/;
const SECRET = { before: '(secret)', after: '(another secret)' } as const;

/** Lists the changes in the order of the fields. Empty if the definitions are equal. */
export function findShownChanges(before: unknown, after: unknown): readonly FieldChange[] {
  return findFieldChanges(before, after).map(toShown);
}

function toShown({ path, before, after }: FieldChange): FieldChange {
  const [was, is] = [toShownValue(path, before), toShownValue(path, after)];
  const isHidden = JSON.stringify(was) === JSON.stringify(is);
  return isHidden ? { path, ...SECRET } : { path, before: was, after: is };
}

function toShownValue(path: string, value: unknown): unknown {
  const name = HEADER.exec(path)?.[1] ?? path.slice(path.lastIndexOf('.') + 1);
  const shown = Object.values(maskSecrets({ [name]: value }))[0] ?? null;
  return JSON.stringify(shown).length > VALUE_MAX ? TOO_LONG : shown;
}
