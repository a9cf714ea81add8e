// The expressions that $group supports: constants and field paths. Other expressions are rejected,
// because their results might differ from MongoDB.
import { DatabaseError } from '../errors';
import { type BsonDocument, getField, isArray, isDocument } from '../values/bson-values';
import { splitPath } from '../values/paths';

export interface Expression {
  /** Returns the value for a document. undefined if the value is missing. */
  readonly value: (document: BsonDocument) => unknown;
  /** The top-level fields that the expression reads. */
  readonly fields: readonly string[];
}

// Variables that MongoDB has and this database does not support.
const SYSTEM_VARIABLES: ReadonlySet<string> = new Set([
  'ROOT',
  'CURRENT',
  'REMOVE',
  'NOW',
  'CLUSTER_TIME',
  'DESCEND',
  'PRUNE',
  'KEEP',
  'SEARCH_META',
  'USER_ROLES',
  'JS_SCOPE',
  'IS_MR',
]);

/**
 * Compiles an expression. Throws error 168 for operators, 17276 for unknown variables, and 238 for arrays and
 * documents.
 */
export function compileExpression(sent: unknown): Expression {
  if (typeof sent === 'string' && sent.startsWith('$')) return compilePath(sent);
  if (isArray(sent)) throw new DatabaseError(238, 'The embedded database cannot group by a list');
  if (isDocument(sent)) throw documentRefused(sent);
  return { value: () => sent, fields: [] };
}

function compilePath(text: string): Expression {
  if (text.startsWith('$$')) throw variableRefused(text.slice(2).split('.')[0] ?? '');
  const parts = splitPath(text.slice(1));
  if (text === '$') throw new DatabaseError(16872, "'$' by itself is not a valid FieldPath");
  if (parts.at(-1) === '') throw new DatabaseError(40353, "FieldPath must not end with a '.'.");
  if (parts.includes('')) {
    throw new DatabaseError(15998, 'FieldPath field names may not be empty strings.');
  }
  if (parts.some((part) => part.startsWith('$'))) {
    throw new DatabaseError(16410, "FieldPath field names may not start with '$'.");
  }
  if (text.includes('\0')) {
    throw new DatabaseError(16411, "FieldPath field names may not contain '\0'.");
  }
  return { value: (document) => readField(document, parts, 0), fields: parts.slice(0, 1) };
}

function documentRefused(sent: BsonDocument): DatabaseError {
  const operator = Object.keys(sent).find((name) => name.startsWith('$'));
  return operator === undefined
    ? new DatabaseError(238, 'The embedded database cannot group by a document')
    : new DatabaseError(168, `Unrecognized expression '${operator}'`);
}

function variableRefused(name: string): DatabaseError {
  return SYSTEM_VARIABLES.has(name)
    ? new DatabaseError(168, `The embedded database has no variable $$${name}`)
    : new DatabaseError(17276, `Use of undefined variable: ${name}`);
}

// Reads a field by its path. In an array, the path continues in each document. A number in the path never selects an
// array element.
function readField(value: unknown, parts: readonly string[], depth: number): unknown {
  if (depth === parts.length) return value;
  if (isArray(value)) {
    return value
      .filter(isDocument)
      .map((item) => readField(item, parts, depth))
      .filter((item) => item !== undefined);
  }
  if (!isDocument(value)) return undefined;
  return readField(getField(value, parts[depth] ?? ''), parts, depth + 1);
}
