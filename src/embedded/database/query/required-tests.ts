// Finds the tests of a filter that must all pass, and the fields that a filter reads. Pure.
import { splitPath } from '../values/paths';
import type { FilterNode, PathNode } from './filter-types';

/** Returns the tests that must all pass. `$and` is flattened. */
export function requiredTests(node: FilterNode): PathNode[] {
  if (node.kind === 'path') return [node];
  return node.kind === '$and' ? node.nodes.flatMap(requiredTests) : [];
}

/** Returns the fields that an upsert copies from its filter: those that must equal a given value. */
export function equalities(node: FilterNode): { path: string; value: unknown }[] {
  return requiredTests(node)
    .filter((test) => test.operator === '$eq')
    .map((test) => ({ path: test.path, value: test.operand }));
}

/** Returns the top-level fields that decide whether a document is selected. */
export function testedFields(node: FilterNode): ReadonlySet<string> {
  const paths =
    node.kind === 'path'
      ? [splitPath(node.path)[0] ?? '']
      : node.nodes.flatMap((one) => [...testedFields(one)]);
  return new Set(paths);
}
