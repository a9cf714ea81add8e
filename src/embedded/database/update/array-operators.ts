// $push, $addToSet, $pull, $pullAll and $pop: each takes the present value and answers the new one.
import { badValue, DatabaseError } from '../errors';
import { compilePullCondition } from '../query/filter-parser';
import { parseSort, sortKeyOf } from '../query/sort';
import { regexTest } from '../query/value-tests';
import { cloneValue, isArray, isDocument, numberOf, typeNameOf } from '../values/bson-values';
import { compareValues, regexPartsOf } from '../values/compare';

/** The array with the new elements, sorted and cut as the modifiers want it. */
export function push(path: string, current: unknown, operand: unknown): unknown[] {
  const items = arrayOrNew(current, () => {
    throw badValue(`The field '${path}' must be an array but is of type ${typeNameOf(current)}`);
  });
  if (!isDocument(operand) || !Object.hasOwn(operand, '$each'))
    return [...items, cloneValue(operand)];
  const each = operand['$each'];
  const added = isArray(each) ? each.map(cloneValue) : [];
  const position = numberOf(operand['$position']);
  const joined = [...items];
  joined.splice(position ?? joined.length, 0, ...added);
  sortItems(joined, operand['$sort']);
  return sliceItems(joined, numberOf(operand['$slice']));
}

function arrayOrNew(current: unknown, refuse: () => never): unknown[] {
  if (current === undefined) return [];
  return isArray(current) ? current : refuse();
}

function sortItems(items: unknown[], sort: unknown): void {
  if (sort === undefined) return;
  if (!isDocument(sort)) {
    const sign = numberOf(sort) ?? 1;
    items.sort((a, b) => compareValues(a, b) * sign);
    return;
  }
  const fields = parseSort(sort);
  const keyOf = (item: unknown) => sortKeyOf(fields, isDocument(item) ? item : {});
  items.sort((a, b) => Buffer.compare(keyOf(a), keyOf(b)));
}

function sliceItems(items: unknown[], count: number | undefined): unknown[] {
  if (count === undefined) return items;
  if (count === 0) return [];
  return count > 0 ? items.slice(0, count) : items.slice(count);
}

/** The array with those elements that it did not hold yet. */
export function addToSet(path: string, current: unknown, operand: unknown): unknown[] {
  const items = arrayOrNew(current, () => {
    throw badValue(
      `Cannot apply $addToSet to non-array field. Field named '${path}' has non-array type ${typeNameOf(current)}`,
    );
  });
  const each = isDocument(operand) ? operand['$each'] : undefined;
  const result = [...items];
  for (const item of isArray(each) ? each : [operand]) {
    if (!result.some((one) => compareValues(one, item) === 0)) result.push(cloneValue(item));
  }
  return result;
}

/** The array without the elements that meet the condition; a missing one stays missing. */
export function pull(current: unknown, condition: unknown): unknown {
  if (current === undefined) return undefined;
  if (!isArray(current)) throw badValue('Cannot apply $pull to a non-array value');
  const matches = pullCondition(condition);
  return current.filter((item) => !matches(item));
}

function pullCondition(condition: unknown): (item: unknown) => boolean {
  if (isDocument(condition)) return compilePullCondition(condition);
  if (regexPartsOf(condition)) {
    const test = regexTest(condition, undefined);
    return (item) => test(item, false);
  }
  return (item) => compareValues(item, condition) === 0;
}

/** The array without the listed values. */
export function pullAll(current: unknown, operand: unknown): unknown {
  if (current === undefined) return undefined;
  if (!isArray(current)) throw badValue('Cannot apply $pullAll to a non-array value');
  const values = isArray(operand) ? operand : [];
  return current.filter((item) => !values.some((value) => compareValues(item, value) === 0));
}

/** The array without its last element, or its first for -1. */
export function pop(path: string, current: unknown, operand: unknown): unknown {
  if (current === undefined) return undefined;
  if (!isArray(current)) {
    throw new DatabaseError(
      14,
      `Path '${path}' contains an element of non-array type '${typeNameOf(current)}'`,
    );
  }
  return numberOf(operand) === -1 ? current.slice(1) : current.slice(0, -1);
}
