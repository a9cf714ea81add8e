// Decides whether a partial index contains every document that a filter selects. In doubt, the answer is no.
import { parseFilter } from '../query/filter-parser';
import type { FilterNode, PathNode } from '../query/filter-types';
import { listRequiredTests } from '../query/required-tests';
import { type BsonDocument, isArray } from '../values/bson-values';
import { compareValues } from '../values/compare';
import { listRequiredNodes } from './bounds';

/** True only if every document that the filter selects also matches `rule`, the filter of a partial index. */
export function isImplied(rule: BsonDocument, filter: FilterNode): boolean {
  const given = listRequiredTests(filter);
  return listRequiredNodes(parseFilter(rule)).every(
    (needed) => needed.kind === 'path' && given.some((node) => implies(node, needed)),
  );
}

function implies(given: PathNode, needed: PathNode): boolean {
  if (given.path !== needed.path) return false;
  if (given.operator === needed.operator && compareValues(given.operand, needed.operand) === 0) {
    return true;
  }
  if (given.operator === '$eq') return isScalar(given.operand) && needed.test(given.operand, false);
  if (given.operator === '$in' && isArray(given.operand)) {
    return given.operand.every((item) => isScalar(item) && needed.test(item, false));
  }
  return isNarrower(given, needed);
}

function isScalar(value: unknown): boolean {
  return value !== null && value !== undefined && !isArray(value);
}

const UPWARD: ReadonlySet<string> = new Set(['$gt', '$gte']);
const DOWNWARD: ReadonlySet<string> = new Set(['$lt', '$lte']);

function isNarrower(given: PathNode, needed: PathNode): boolean {
  const isRange = UPWARD.has(given.operator) || DOWNWARD.has(given.operator);
  if (!isRange || !isScalar(given.operand)) return false;
  if (needed.operator === '$exists') return needed.test(undefined, false);
  const sameWay =
    (UPWARD.has(given.operator) && UPWARD.has(needed.operator)) ||
    (DOWNWARD.has(given.operator) && DOWNWARD.has(needed.operator));
  if (!sameWay) return false;
  // If the bound itself matches the rule, all values beyond the bound match the rule, too.
  return needed.test(given.operand, false);
}
