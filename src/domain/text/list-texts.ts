/** Finds the texts in a JSON value. Pure. */
import type { JsonValue } from '../../contracts/definition';
import { formatJsonText } from '../../contracts/json';

/** Returns the strings and numbers at any depth. */
export function listTexts(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [formatJsonText(value)];
  if (typeof value === 'number') return [JSON.stringify(value)];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(listTexts);
}
