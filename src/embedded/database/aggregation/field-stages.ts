// $project, $addFields, $unset and $replaceRoot: stages that change one document at a time.
import { DatabaseError } from '../errors';
import { mapWalk } from '../planner/slices';
import { type Projector, parseProjection } from '../query/projection';
import { changeAt } from '../update/document-paths';
import {
  type BsonDocument,
  cloneDocument,
  isArray,
  isDocument,
  numberOf,
} from '../values/bson-values';
import { splitPath } from '../values/paths';
import { compileExpression, type Expression, isExpressionOperator } from './expressions';
import type { Stage } from './stage-types';

interface ComputedField {
  readonly parts: readonly string[];
  readonly value: Expression;
}

function mapping(computes: boolean, project: Projector): Stage {
  return { computes, apply: async (documents) => mapWalk(documents, project) };
}

/** $project: inclusion or exclusion, and computed fields beside an inclusion. */
export function parseProject(operand: unknown): Stage {
  if (!isDocument(operand) || Object.keys(operand).length === 0) {
    throw new DatabaseError(
      51272,
      'Invalid $project :: projection specification must have at least one field',
    );
  }
  const plain: BsonDocument = {};
  const computed: ComputedField[] = [];
  split(operand, '', { plain, computed });
  if (computed.length === 0)
    return mapping(false, parseProjection(plain) ?? ((document) => document));
  const excludesOther = Object.keys(plain).some((path) => path !== '_id' && !isWanted(plain[path]));
  if (excludesOther) {
    throw new DatabaseError(31252, 'Cannot use an expression in an exclusion projection');
  }
  return mapping(true, computing(plain, computed));
}

// Only the computed fields and what is included beside them stay; `_id` stays unless it is excluded.
function computing(plain: BsonDocument, computed: readonly ComputedField[]): Projector {
  const keepsId = plain['_id'] === undefined || isWanted(plain['_id']);
  const paths = Object.keys(plain).filter((path) => path !== '_id' && isWanted(plain[path]));
  const wanted = Object.fromEntries(
    [...paths, ...(keepsId ? ['_id'] : [])].map((path) => [path, true]),
  );
  const include =
    Object.keys(wanted).length === 0
      ? () => ({})
      : parseProjection(keepsId ? wanted : { ...wanted, _id: false });
  return (document) => setComputed(cloneDocument(include?.(document) ?? {}), document, computed);
}

interface Split {
  readonly plain: BsonDocument;
  readonly computed: ComputedField[];
}

function split(specification: BsonDocument, prefix: string, parts: Split): void {
  for (const field of Object.keys(specification)) {
    const path = prefix + field;
    const wish = specification[field];
    if (typeof wish === 'boolean' || numberOf(wish) !== undefined) parts.plain[path] = wish;
    else if (isDocument(wish) && !isOperator(wish)) split(wish, `${path}.`, parts);
    else {
      if (isDocument(wish)) assertKnown(wish);
      parts.computed.push({ parts: splitPath(path), value: compileExpression(wish) });
    }
  }
}

// $project has a code of its own for what it does not know.
function assertKnown(wish: BsonDocument): void {
  const name = Object.keys(wish)[0];
  if (name === undefined || isExpressionOperator(name)) return;
  throw new DatabaseError(31325, `Invalid $project :: caused by :: Unknown expression ${name}`);
}

function isOperator(value: BsonDocument): boolean {
  const first = Object.keys(value)[0];
  return first === undefined || first.startsWith('$');
}

function isWanted(wish: unknown): boolean {
  return wish === true || (numberOf(wish) ?? 0) !== 0;
}

function setComputed(
  result: BsonDocument,
  document: BsonDocument,
  computed: readonly ComputedField[],
): BsonDocument {
  for (const { parts, value } of computed) {
    const found = value(document);
    if (found !== undefined) changeAt(result, parts, () => found);
  }
  return result;
}

/** $addFields and $set: the document with computed fields. */
export function parseAddFields(operand: unknown): Stage {
  if (!isDocument(operand)) {
    throw new DatabaseError(40272, '$addFields specification stage must be an object');
  }
  const computed: ComputedField[] = [];
  collectFields(operand, '', computed);
  return mapping(true, (document) => setComputed(cloneDocument(document), document, computed));
}

function collectFields(
  specification: BsonDocument,
  prefix: string,
  computed: ComputedField[],
): void {
  for (const field of Object.keys(specification)) {
    const wish = specification[field];
    if (isDocument(wish) && !isOperator(wish)) collectFields(wish, `${prefix}${field}.`, computed);
    else computed.push({ parts: splitPath(prefix + field), value: compileExpression(wish) });
  }
}

/** $unset: the document without some fields. */
export function parseUnset(operand: unknown): Stage {
  const paths = isArray(operand) ? operand : [operand];
  if (paths.length === 0 || !paths.every((path) => typeof path === 'string' && path !== '')) {
    throw new DatabaseError(31002, '$unset specification must be a string or an array of strings');
  }
  const projection = Object.fromEntries(paths.map((path) => [String(path), false]));
  return mapping(false, parseProjection(projection) ?? ((document) => document));
}

/** $replaceRoot: another document in the place of each. */
export function parseReplaceRoot(operand: unknown): Stage {
  const newRoot = isDocument(operand) ? operand['newRoot'] : undefined;
  if (newRoot === undefined)
    throw new DatabaseError(40231, 'no newRoot specified for the $replaceRoot stage');
  const root = compileExpression(newRoot);
  return mapping(true, (document) => {
    const value = root(document);
    if (isDocument(value)) return value;
    throw new DatabaseError(40228, "'newRoot' expression must evaluate to an object");
  });
}
