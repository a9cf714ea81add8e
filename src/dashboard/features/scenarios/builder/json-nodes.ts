/**
 * Extracts a value from a JSON response by a path, and suggests a variable name for a picked value. Evaluates only
 * names, positions and `*`; other paths are left to the probe.
 */

import { parseJson } from '../../../../contracts/json';
import { readQuotedName } from '../../../../domain/assertions/json-path-name';
import { findJsonPathProblem } from '../../../../domain/assertions/json-path-syntax';
import { cutText } from '../../../../domain/text/cut-text';

export type Extracted =
  | { readonly kind: 'found'; readonly value: unknown; readonly count: number }
  | { readonly kind: 'nothing' }
  /** The path cannot be evaluated here: it has filters, slices or `..`, or it is invalid. */
  | { readonly kind: 'unknown' };

/**
 * Returns the first value that the path matches, and the number of matches. The kind is `nothing` if there is no match.
 */
export function extractFrom(root: unknown, path: string): Extracted {
  const parts = parsePath(path);
  if (parts === null) return { kind: 'unknown' };
  const found = parts.reduce<readonly unknown[]>(
    (nodes, part) => nodes.flatMap((node) => childrenAt(node, part)),
    [root],
  );
  if (found.length === 0) return { kind: 'nothing' };
  return { kind: 'found', value: found[0], count: found.length };
}

type Part = string | number | { readonly all: true };

const NAME = /^\.([\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*)/u;
const ALL = /^(?:\.\*|\[\s*\*\s*\])/;
const POSITION = /^\[\s*(-?\d+)\s*\]/;
const BRACKET = /^\[\s*(?=['"])/;

function parsePath(path: string): readonly Part[] | null {
  if (!path.startsWith('$') || findJsonPathProblem(path) !== null) return null;
  const parts: Part[] = [];
  let rest = path.slice(1);
  while (rest !== '') {
    const next = nextPart(rest);
    if (next === null) return null;
    parts.push(next.part);
    rest = next.rest;
  }
  return parts;
}

function nextPart(text: string): { readonly part: Part; readonly rest: string } | null {
  const all = ALL.exec(text);
  if (all !== null) return { part: { all: true }, rest: text.slice(all[0].length) };
  const name = NAME.exec(text);
  if (name !== null) return { part: name[1] ?? '', rest: text.slice(name[0].length) };
  const position = POSITION.exec(text);
  if (position !== null) return { part: Number(position[1]), rest: text.slice(position[0].length) };
  const bracket = BRACKET.exec(text);
  if (bracket === null) return null;
  const quoted = readQuotedName(text.slice(bracket[0].length));
  const rest = quoted.ok ? quoted.rest.trimStart() : '';
  return quoted.ok && rest.startsWith(']') ? { part: quoted.name, rest: rest.slice(1) } : null;
}

function childrenAt(node: unknown, part: Part): readonly unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  if (typeof part === 'object') return Object.values(node);
  if (typeof part === 'number') {
    if (!Array.isArray(node)) return [];
    const at = part < 0 ? node.length + part : part;
    return at >= 0 && at < node.length ? [node[at]] : [];
  }
  if (Array.isArray(node)) return [];
  const entry = Object.entries(node).find(([name]) => name === part);
  return entry === undefined ? [] : [entry[1]];
}

/** Suggests a variable name in camel case that is not in use. */
export function variableFor(path: string, taken: readonly string[]): string {
  const last = (parsePath(path) ?? []).findLast((part) => typeof part === 'string') ?? 'value';
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

/** Returns the value as text that is short enough for one line. */
export function preview(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return cutText(text, 121);
}

/** Parses the response as JSON. undefined when it is not JSON, or was cut off. */
export function parseResponse(text: string | null): { readonly json: unknown } | undefined {
  const json = parseJson(text ?? '');
  return json === undefined ? undefined : { json };
}
