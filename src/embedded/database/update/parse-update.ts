// Reads an update as it was sent, and refuses with MongoDB's codes all that is not supported.
import { badValue, DatabaseError, failedToParse } from '../errors';
import { compileElement } from '../query/filter-parser';
import {
  type BsonDocument,
  isArray,
  isDocument,
  numberOf,
  typeNameOf,
} from '../values/bson-values';
import { compareStrings } from '../values/compare';
import { isIndexPart } from '../values/paths';
import type { ParsedUpdate, UpdateAction, UpdateOperator } from './update-types';

type OperandCheck = (path: string, operand: unknown) => void;

const OPERAND_CHECKS: Readonly<Record<UpdateOperator, OperandCheck>> = {
  $set: () => {},
  $setOnInsert: () => {},
  $unset: () => {},
  $min: () => {},
  $max: () => {},
  $inc: (path, operand) => assertNumber('increment', path, operand),
  $mul: (path, operand) => assertNumber('multiply', path, operand),
  $rename: assertRename,
  $currentDate: assertDateKind,
  $push: assertPush,
  $addToSet: assertAddToSet,
  $pull: () => {},
  $pullAll: (_path, operand) => {
    if (!isArray(operand)) throw badValue('$pullAll requires an array argument');
  },
  $pop: assertPop,
};

/** The update operators that there are; every other one is refused. */
export const UPDATE_OPERATORS: readonly string[] = Object.keys(OPERAND_CHECKS);

function isUpdateOperator(name: string): name is UpdateOperator {
  return Object.hasOwn(OPERAND_CHECKS, name);
}

/** Reads an update and its array filters. */
export function parseUpdate(update: unknown, arrayFilters: unknown): ParsedUpdate {
  if (isArray(update)) {
    throw new DatabaseError(238, 'The embedded database has no updates by aggregation pipeline');
  }
  if (!isDocument(update)) {
    throw failedToParse('Update argument must be either an object or an array');
  }
  const names = Object.keys(update);
  if (names[0]?.startsWith('$') !== true) return replacement(update);
  const actions = names.flatMap((name) => parseOperator(name, update[name]));
  assertNoConflict(actions);
  const filters = parseArrayFilters(arrayFilters);
  assertFiltersUsed(filters, actions);
  return { kind: 'actions', actions: actions.sort(byPath), arrayFilters: filters };
}

function replacement(document: BsonDocument): ParsedUpdate {
  const dollar = Object.keys(document).find((name) => name.startsWith('$'));
  if (dollar) {
    throw new DatabaseError(
      52,
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  return { kind: 'replacement', document };
}

function parseOperator(name: string, operand: unknown): UpdateAction[] {
  if (!isUpdateOperator(name)) {
    throw failedToParse(
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDocument(operand)) {
    throw failedToParse(
      `Modifiers operate on fields but we found type ${typeNameOf(operand)} instead. For example: {$mod: {<field>: ...}} not {${name}: ...}`,
    );
  }
  return Object.keys(operand).map((path) => parseAction(name, path, operand[path]));
}

function parseAction(operator: UpdateOperator, path: string, operand: unknown): UpdateAction {
  const parts = parsePath(path);
  OPERAND_CHECKS[operator](path, operand);
  return { operator, parts, path, operand };
}

function parsePath(path: string): string[] {
  if (path === '') throw new DatabaseError(56, 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new DatabaseError(
      56,
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  if (parts[0] === '$' || parts[0]?.startsWith('$[')) {
    throw badValue(
      `Cannot have array filter identifier or positional operator at the start of path '${path}'`,
    );
  }
  const dollar = parts.find((part) => part.startsWith('$') && !isPositional(part));
  if (dollar && dollar !== '$ref' && dollar !== '$id' && dollar !== '$db') {
    throw new DatabaseError(
      52,
      `The dollar ($) prefixed field '${dollar}' in '${path}' is not valid for storage.`,
    );
  }
  return parts;
}

function isPositional(part: string): boolean {
  return part === '$' || (part.startsWith('$[') && part.endsWith(']'));
}

function assertNumber(verb: string, path: string, operand: unknown): void {
  if (numberOf(operand) !== undefined) return;
  throw new DatabaseError(
    14,
    `Cannot ${verb} with non-numeric argument: {${path}: ${String(operand)}}`,
  );
}

function assertRename(path: string, operand: unknown): void {
  if (typeof operand !== 'string') {
    throw badValue(`The 'to' field for $rename must be a string: ${path}`);
  }
  if (path.split('.').some(isPositional) || operand.split('.').some(isPositional)) {
    throw badValue(`The source and destination of $rename may not be dynamic: ${path}`);
  }
  if (operand === path) {
    throw badValue(`The source and target field for $rename must differ: ${path}: "${operand}"`);
  }
  parsePath(operand);
}

function assertDateKind(path: string, operand: unknown): void {
  if (typeof operand === 'boolean') return;
  const kind = isDocument(operand) ? operand['$type'] : undefined;
  if (kind === 'date' || kind === 'timestamp') return;
  throw badValue(
    `${path}: $currentDate takes true or {$type: "date"} or {$type: "timestamp"}, no ${typeNameOf(operand)}`,
  );
}

const PUSH_FIELDS: ReadonlySet<string> = new Set(['$each', '$slice', '$sort', '$position']);

function assertPush(_path: string, operand: unknown): void {
  if (!isDocument(operand) || !Object.hasOwn(operand, '$each')) return;
  const unknown = Object.keys(operand).find((name) => !PUSH_FIELDS.has(name));
  if (unknown) throw badValue(`Unrecognized clause in $push: ${unknown}`);
  if (!isArray(operand['$each'])) {
    throw badValue(
      `The argument to $each in $push must be an array but it was of type: ${typeNameOf(operand['$each'])}`,
    );
  }
  assertInteger('$slice', operand['$slice']);
  assertInteger('$position', operand['$position']);
  assertPushSort(operand['$sort']);
}

function assertInteger(name: string, value: unknown): void {
  if (value === undefined || Number.isInteger(numberOf(value))) return;
  throw badValue(
    `The value for ${name} must be an integer value but was given type: ${typeNameOf(value)}`,
  );
}

function assertPushSort(sort: unknown): void {
  if (sort === undefined) return;
  const directions = isDocument(sort) ? Object.values(sort) : [sort];
  const isValid = (value: unknown) => [1, -1].includes(numberOf(value) ?? 0);
  if (directions.length > 0 && directions.every(isValid)) return;
  throw badValue('The $sort element value must be either 1 or -1');
}

function assertAddToSet(_path: string, operand: unknown): void {
  if (!isDocument(operand) || Object.keys(operand)[0] !== '$each') return;
  if (!isArray(operand['$each'])) {
    throw new DatabaseError(
      14,
      `The argument to $each in $addToSet must be an array but it was of type ${typeNameOf(operand['$each'])}`,
    );
  }
  const extra = Object.keys(operand)[1];
  if (extra) throw badValue(`Found unexpected fields after $each in $addToSet: ${extra}`);
}

function assertPop(path: string, operand: unknown): void {
  const number = numberOf(operand);
  if (number === 1 || number === -1) return;
  throw failedToParse(`$pop expects 1 or -1, found: ${path}: ${String(operand)}`);
}

function assertNoConflict(actions: readonly UpdateAction[]): void {
  const paths = actions.flatMap((action) =>
    action.operator === '$rename' ? [action.path, String(action.operand)] : [action.path],
  );
  const sorted = paths.map((path) => `${path}.`).sort();
  for (let i = 1; i < sorted.length; i++) {
    const before = sorted[i - 1] ?? '';
    const path = sorted[i] ?? '';
    if (!path.startsWith(before)) continue;
    const shorter = before.slice(0, -1);
    throw new DatabaseError(
      40,
      `Updating the path '${path.slice(0, -1)}' would create a conflict at '${shorter}'`,
    );
  }
}

function parseArrayFilters(value: unknown): Map<string, (item: unknown) => boolean> {
  const filters = new Map<string, (item: unknown) => boolean>();
  if (value === undefined || value === null) return filters;
  if (!isArray(value)) throw new DatabaseError(14, 'arrayFilters must be an array');
  for (const filter of value) {
    if (!isDocument(filter)) throw new DatabaseError(14, 'arrayFilters entries must be objects');
    const { name, matches } = parseArrayFilter(filter);
    if (filters.has(name)) {
      throw failedToParse(
        `Found multiple array filters with the same top-level field name ${name}`,
      );
    }
    filters.set(name, matches);
  }
  return filters;
}

function parseArrayFilter(filter: BsonDocument): {
  name: string;
  matches: (item: unknown) => boolean;
} {
  const fields = Object.keys(filter);
  const name = fields[0]?.split('.')[0];
  if (!name)
    throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters');
  if (name.startsWith('$') || fields.some((field) => field.split('.')[0] !== name)) {
    throw failedToParse('The embedded database takes array filters on one plain field name only');
  }
  const matches = compileElement({ $and: [filter] });
  return { name, matches: (item) => matches({ [name]: item }) };
}

function assertFiltersUsed(
  filters: ReadonlyMap<string, unknown>,
  actions: readonly UpdateAction[],
): void {
  const used = new Set(actions.flatMap((action) => action.parts.map(filterName)));
  for (const name of filters.keys()) {
    if (!used.has(name)) {
      throw failedToParse(`The array filter for identifier '${name}' was not used in the update`);
    }
  }
  for (const name of used) {
    if (name && !filters.has(name)) {
      throw badValue(`No array filter found for identifier '${name}'`);
    }
  }
}

/** The name inside `$[name]`; undefined for every other part, and for `$[]`. */
export function filterName(part: string): string | undefined {
  return part.startsWith('$[') && part.length > 3 ? part.slice(2, -1) : undefined;
}

// New fields appear in the order of their names, numbers by value, as in MongoDB.
function byPath(a: UpdateAction, b: UpdateAction): number {
  const length = Math.min(a.parts.length, b.parts.length);
  for (let i = 0; i < length; i++) {
    const order = compareParts(a.parts[i] ?? '', b.parts[i] ?? '');
    if (order !== 0) return order;
  }
  return a.parts.length - b.parts.length;
}

function compareParts(a: string, b: string): number {
  return isIndexPart(a) && isIndexPart(b) ? Number(a) - Number(b) : compareStrings(a, b);
}
