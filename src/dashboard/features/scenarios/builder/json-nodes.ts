/** Extracts a value from a JSON response by a path, and suggests a variable name for a picked value. */

import type { JsonValue } from '../../../../contracts/definition';
import { parsedJson } from '../../../../contracts/json';
import { followPath, parseJsonPath } from '../../../../domain/assertions/json-path-syntax';
import { cutText } from '../../../../domain/text/cut-text';

export type Extracted =
  | { readonly kind: 'found'; readonly value: JsonValue; readonly count: number }
  | { readonly kind: 'nothing' }
  /** The path is invalid, or has `..` or lists, which may find too much for a page: it is left to the probe. */
  | { readonly kind: 'unknown' };

/** Extracts the first match of the path. */
export function extractFrom(root: JsonValue, path: string): Extracted {
  const parsed = parseJsonPath(path);
  if (!parsed.ok || parsed.segments.some(({ isDeep, isUnion }) => isDeep || isUnion === true))
    return { kind: 'unknown' };
  const [value, ...others] = followPath(parsed.segments, { json: root, exact: root });
  return value === undefined
    ? { kind: 'nothing' }
    : { kind: 'found', value, count: others.length + 1 };
}

/** A camel-case variable name that is not taken yet. */
export function variableFor(path: string, taken: readonly string[]): string {
  const parsed = parseJsonPath(path);
  const names = parsed.ok ? parsed.segments.flatMap(({ name = [] }) => name) : [];
  const last = names.at(-1) ?? 'value';
  const words = last.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const camel = words
    .map((word, at) => (at === 0 ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`))
    .join('');
  const base = /^[A-Za-z_]/.test(camel) ? camel.slice(0, 60) : `value${camel.slice(0, 50)}`;
  if (!taken.includes(base)) return base;
  let count = 2;
  while (taken.includes(`${base}${count}`)) count += 1;
  return `${base}${count}`;
}

/** The value as text, shortened to fit one line. */
export function preview(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return cutText(text, 121);
}

/** The response as JSON; undefined when it is not JSON, or was cut off. */
export function parseResponse(text: string | null): { readonly json: JsonValue } | undefined {
  const json = parsedJson(text ?? '');
  return json === undefined ? undefined : { json };
}
