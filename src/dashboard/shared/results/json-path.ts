/** The JSON path of a picked node. Pure. */
import { quoteName } from '../../../domain/assertions/json-path-name';
import { findJsonPathProblem } from '../../../domain/assertions/json-path-syntax';

export type Key = string | number;

/** The path of a node. If Keepwatch accepts no path to the node, `problem` is the reason. */
export type NodePath =
  | { readonly path: string; readonly problem: null }
  | { readonly path: null; readonly problem: string };

/** Builds the path: `['data', 0, 'odd name']` → `$.data[0]['odd name']`. */
export function formatJsonPath(keys: readonly Key[]): NodePath {
  const path = keys.reduce<string>((before, key) => `${before}${formatPart(key)}`, '$');
  const problem = findJsonPathProblem(path);
  return problem === null ? { path, problem } : { path: null, problem };
}

function formatPart(key: Key): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${quoteName(key)}]`;
}
