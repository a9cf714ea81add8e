// The tests that every document found by a filter has passed. Pure.
import type { FilterNode, PathNode } from './filter-types';

/** The tests that must all hold, ands opened. */
export function requiredTests(node: FilterNode): PathNode[] {
  if (node.kind === 'path') return [node];
  return node.kind === '$and' ? node.nodes.flatMap(requiredTests) : [];
}

/** The fields that an upsert takes over from its filter: those bound to one value. */
export function equalities(node: FilterNode): { path: string; value: unknown }[] {
  return requiredTests(node)
    .filter((test) => test.operator === '$eq')
    .map((test) => ({ path: test.path, value: test.operand }));
}
