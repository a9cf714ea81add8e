// The expressions that $group takes: constants, paths of fields, and documents and lists of them.
// Every operator is refused: what can't be evaluated exactly as MongoDB does is not evaluated.
import { DatabaseError } from '../errors';
import { type BsonDocument, getField, isArray, isDocument, setField } from '../values/bson-values';
import { splitPath } from '../values/paths';

/** A compiled expression. */
export interface Expression {
  /** The value for a document; undefined where it is missing. */
  readonly value: (document: BsonDocument) => unknown;
  /** The top-level fields that it reads. */
  readonly fields: readonly string[];
}

// Variables that MongoDB has and this database hasn't; every other name is unknown to both.
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

/** Compiles an expression; 168 for operators, 17276 for unknown variables. */
export function compileExpression(sent: unknown): Expression {
  if (typeof sent === 'string' && sent.startsWith('$')) return compilePath(sent);
  if (isArray(sent)) return compileList(sent);
  if (isDocument(sent)) return compileDocument(sent);
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

function variableRefused(name: string): DatabaseError {
  return SYSTEM_VARIABLES.has(name)
    ? new DatabaseError(168, `The embedded database has no variable $$${name}`)
    : new DatabaseError(17276, `Use of undefined variable: ${name}`);
}

// In an expression a path goes through arrays element by element and never by position.
function readField(value: unknown, parts: readonly string[], depth: number): unknown {
  if (depth === parts.length) return value;
  if (isArray(value)) {
    return value
      .filter((item) => isDocument(item) || isArray(item))
      .map((item) => readField(item, parts, depth))
      .filter((item) => item !== undefined);
  }
  if (!isDocument(value)) return undefined;
  return readField(getField(value, parts[depth] ?? ''), parts, depth + 1);
}

function compileList(items: readonly unknown[]): Expression {
  const compiled = items.map(compileExpression);
  return {
    value: (document) => compiled.map((one) => one.value(document) ?? null),
    fields: compiled.flatMap((one) => one.fields),
  };
}

function compileDocument(sent: BsonDocument): Expression {
  const names = Object.keys(sent);
  const operator = names.find((name) => name.startsWith('$'));
  if (operator !== undefined && names.length > 1) {
    throw new DatabaseError(
      15983,
      `An object representing an expression must have exactly one field: ${names.join(', ')}`,
    );
  }
  if (operator !== undefined) {
    throw new DatabaseError(168, `Unrecognized expression '${operator}'`);
  }
  if (names.some((name) => name.includes('.'))) {
    throw new DatabaseError(16412, "FieldPath field names may not contain '.'.");
  }
  const compiled = names.map((name) => ({ name, expression: compileExpression(sent[name]) }));
  return {
    value: (document) => {
      const result: BsonDocument = {};
      for (const { name, expression } of compiled) {
        const value = expression.value(document);
        if (value !== undefined) setField(result, name, value);
      }
      return result;
    },
    fields: compiled.flatMap((one) => one.expression.fields),
  };
}
