// Finds the tests of a filter that must all pass, and the fields that a filter reads. Pure.
import { splitPath } from '../values/paths';
import type { FilterNode, PathNode } from './filter-types';

/** Returns the tests that must all pass. `$and` is flattened. */
export function listRequiredTests(node: FilterNode): PathNode[] {
  if (node.kind === 'path') return [node];
  return node.kind === '$and' ? node.nodes.flatMap(listRequiredTests) : [];
}

/** Returns the fields that an upsert copies from its filter: those that must equal a given value. */
export function listEqualities(node: FilterNode): { path: string; value: unknown }[] {
  return listRequiredTests(node)
    .filter((test) => test.operator === '$eq')
    .map((test) => ({ path: test.path, value: test.operand }));
}

/** Returns the top-level fields that decide whether a document is selected. */
export function listTestedFields(node: FilterNode): ReadonlySet<string> {
  const paths =
    node.kind === 'path'
      ? [splitPath(node.path)[0] ?? '']
      : node.nodes.flatMap((one) => [...listTestedFields(one)]);
  return new Set(paths);
}
