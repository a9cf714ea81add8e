// Parses an update that a client has sent. Rejects all unsupported operators with MongoDB's error codes.
import { badValue, DatabaseError, failedToParse } from '../errors';
import { type BsonDocument, isArray, isDocument, nameType, toNumber } from '../values/bson-values';
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
  $inc: assertNumber,
  $push: assertPush,
};

/** The supported update operators. All others are rejected. */
export const UPDATE_OPERATORS: readonly string[] = Object.keys(OPERAND_CHECKS);

function isUpdateOperator(name: string): name is UpdateOperator {
  return Object.hasOwn(OPERAND_CHECKS, name);
}

export function parseUpdate(update: unknown): ParsedUpdate {
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
  return { kind: 'actions', actions: actions.sort(byPath) };
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
      `Modifiers operate on fields but we found type ${nameType(operand)} instead. For example: {$mod: {<field>: ...}} not {${name}: ...}`,
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
  if (parts.some(isPositional)) {
    throw new DatabaseError(238, `The embedded database has no positional paths: ${path}`);
  }
  const dollar = parts.find((part) => part.startsWith('$'));
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

function assertNumber(path: string, operand: unknown): void {
  if (toNumber(operand) !== undefined) return;
  throw new DatabaseError(
    14,
    `Cannot increment with non-numeric argument: {${path}: ${String(operand)}}`,
  );
}

/** The supported modifiers of $push. All others are rejected. */
export const PUSH_MODIFIERS: readonly string[] = ['$each', '$slice'];

function assertPush(_path: string, operand: unknown): void {
  if (!isDocument(operand) || !Object.hasOwn(operand, '$each')) return;
  const unknown = Object.keys(operand).find((name) => !PUSH_MODIFIERS.includes(name));
  if (unknown) throw badValue(`Unrecognized clause in $push: ${unknown}`);
  if (!isArray(operand['$each'])) {
    throw badValue(
      `The argument to $each in $push must be an array but it was of type: ${nameType(operand['$each'])}`,
    );
  }
  const slice = operand['$slice'];
  if (slice === undefined || Number.isInteger(toNumber(slice))) return;
  throw badValue(
    `The value for $slice must be an integer value but was given type: ${nameType(slice)}`,
  );
}

function assertNoConflict(actions: readonly UpdateAction[]): void {
  const sorted = actions.map(({ path }) => `${path}.`).sort();
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

// Compares two new fields by name, and numeric names by value. As in MongoDB, new fields are added in this order.
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
