// Which fields of a document are answered. Inclusion or exclusion, never both, as in MongoDB.
import { DatabaseError } from '../errors';
import {
  type BsonDocument,
  getField,
  hasField,
  isArray,
  isDocument,
  numberOf,
  setField,
} from '../values/bson-values';
import { splitPath } from '../values/paths';
import { compileElement } from './filter-parser';
import { isTruthy } from './value-tests';

/** The operators of a projection; every other one is refused. */
export const PROJECTION_OPERATORS: readonly string[] = ['$slice', '$elemMatch'];

/** Turns a document into the one to answer; the original is left alone. */
export type Projector = (document: BsonDocument) => BsonDocument;

interface Tree {
  readonly children: Map<string, Tree>;
  leaf: boolean;
}

type ArrayCut = (value: unknown) => unknown;

interface Parts {
  readonly included: string[];
  readonly excluded: string[];
  readonly slices: Map<string, ArrayCut>;
  readonly elements: Map<string, ArrayCut>;
  id: boolean | undefined;
}

/** The projector of a find projection; undefined when every field is wanted. */
export function parseProjection(value: unknown): Projector | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isDocument(value)) {
    throw new DatabaseError(14, 'Expected field projection to be of type object');
  }
  if (Object.keys(value).length === 0) return undefined;
  const parts: Parts = {
    included: [],
    excluded: [],
    slices: new Map(),
    elements: new Map(),
    id: undefined,
  };
  collect(parts, value, '');
  return build(parts);
}

/**
 * The top-level fields that a projection takes whole; undefined when it does anything else. Only of
 * one that parseProjection accepts.
 */
export function plainFieldsOf(value: unknown): ReadonlySet<string> | undefined {
  if (!isDocument(value)) return undefined;
  const { _id: id, ...others } = value;
  const names = Object.keys(others);
  const isPlain = names.every((name) => !name.includes('.') && isWanted(others[name]));
  if (names.length === 0 || !isPlain) return undefined;
  return new Set(id === undefined || isWanted(id) ? ['_id', ...names] : names);
}

function isWanted(wish: unknown): boolean {
  return !isDocument(wish) && isTruthy(wish);
}

function collect(parts: Parts, projection: BsonDocument, prefix: string): void {
  for (const field of Object.keys(projection)) {
    const path = prefix + field;
    const wish = projection[field];
    if (field.startsWith('$')) throw unknownExpression(field);
    if (isDocument(wish)) collectDocument(parts, path, wish);
    else addWish(parts, path, wish);
  }
}

function addWish(parts: Parts, path: string, wish: unknown): void {
  if (typeof wish !== 'boolean' && numberOf(wish) === undefined) {
    throw new DatabaseError(238, `The embedded database projects no computed field: ${path}`);
  }
  if (path.split('.').includes('$')) {
    throw new DatabaseError(238, 'The embedded database has no positional projection');
  }
  const wanted = isTruthy(wish);
  if (path === '_id') parts.id = wanted;
  else (wanted ? parts.included : parts.excluded).push(path);
}

function collectDocument(parts: Parts, path: string, wish: BsonDocument): void {
  const name = Object.keys(wish)[0] ?? '';
  if (!name.startsWith('$')) {
    collect(parts, wish, `${path}.`);
    return;
  }
  if (!PROJECTION_OPERATORS.includes(name)) throw unknownExpression(name);
  if (Object.keys(wish).length > 1) {
    throw new DatabaseError(31257, `Expression of '${path}' must have exactly one field`);
  }
  if (path.includes('.')) {
    throw name === '$slice'
      ? new DatabaseError(238, `The embedded database has no $slice inside documents: ${path}`)
      : new DatabaseError(31275, 'Cannot use $elemMatch projection on a nested field.');
  }
  if (name === '$slice') parts.slices.set(path, sliceCut(wish[name]));
  else parts.elements.set(path, elementCut(wish[name]));
}

function unknownExpression(name: string): DatabaseError {
  return new DatabaseError(31325, `Unknown expression ${name}`);
}

// A $slice alone excludes nothing, beside included fields it is one of them; $elemMatch always includes.
function build(parts: Parts): Projector {
  const { included, excluded, slices, elements } = parts;
  const names = [...slices.keys(), ...elements.keys()];
  const repeated = names.find((name) => [...included, ...excluded].includes(name));
  if (repeated !== undefined) throw collision(repeated);
  const includes = included.length > 0 || elements.size > 0;
  const mixed = includes ? excluded[0] : undefined;
  if (mixed !== undefined) {
    throw new DatabaseError(31254, `Cannot do exclusion on field ${mixed} in inclusion projection`);
  }
  const inclusive = includes || (parts.id === true && excluded.length === 0);
  if (inclusive) included.push(...slices.keys());
  if (inclusive && parts.id !== false) included.unshift('_id');
  if (!inclusive && parts.id === false) excluded.push('_id');
  const tree = treeOf(inclusive ? included : excluded);
  const select = inclusive
    ? (document: BsonDocument) => includeFields(document, tree)
    : exclude(tree);
  if (names.length === 0) return select;
  return (document) => withElements(withSlices(select(document), slices), document, elements);
}

function exclude(tree: Tree): Projector {
  return (document) => excludeFields(document, tree);
}

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = { children: new Map(), leaf: false };
  for (const path of paths) {
    let node = root;
    for (const part of splitPath(path)) {
      if (node.leaf) throw collision(path);
      const next: Tree = node.children.get(part) ?? { children: new Map(), leaf: false };
      node.children.set(part, next);
      node = next;
    }
    if (node.children.size > 0) throw collision(path);
    node.leaf = true;
  }
  return root;
}

function collision(path: string): DatabaseError {
  return new DatabaseError(31249, `Path collision at ${path}`);
}

function includeFields(document: BsonDocument, tree: Tree): BsonDocument {
  const result: BsonDocument = {};
  for (const field of Object.keys(document)) {
    const node = tree.children.get(field);
    if (!node) continue;
    const value = document[field];
    if (node.leaf) setField(result, field, value);
    else includeInside(result, field, includeValue(value, node));
  }
  return result;
}

function includeInside(result: BsonDocument, field: string, value: unknown): void {
  if (value !== undefined) setField(result, field, value);
}

function includeValue(value: unknown, tree: Tree): unknown {
  if (isDocument(value)) return includeFields(value, tree);
  if (!isArray(value)) return undefined;
  return value.map((item) => includeValue(item, tree)).filter((item) => item !== undefined);
}

function excludeFields(document: BsonDocument, tree: Tree): BsonDocument {
  const result: BsonDocument = {};
  for (const field of Object.keys(document)) {
    const node = tree.children.get(field);
    if (node?.leaf) continue;
    const value = document[field];
    setField(result, field, node ? excludeValue(value, node) : value);
  }
  return result;
}

function excludeValue(value: unknown, tree: Tree): unknown {
  if (isDocument(value)) return excludeFields(value, tree);
  return isArray(value) ? value.map((item) => excludeValue(item, tree)) : value;
}

function withSlices(document: BsonDocument, slices: Parts['slices']): BsonDocument {
  for (const [field, cut] of slices) {
    if (hasField(document, field)) setField(document, field, cut(getField(document, field)));
  }
  return document;
}

// The elements found come behind the other fields, in the order of the projection.
function withElements(
  selected: BsonDocument,
  document: BsonDocument,
  elements: Parts['elements'],
): BsonDocument {
  for (const [field, cut] of elements) {
    const found = cut(getField(document, field));
    if (found !== undefined) setField(selected, field, found);
  }
  return selected;
}

function sliceCut(operand: unknown): ArrayCut {
  const numbers = isArray(operand) ? operand.map(numberOf) : [numberOf(operand)];
  const [first, count] = numbers;
  const isValid = isArray(operand) ? numbers.length === 2 && !!count : first !== undefined;
  if (first === undefined || !isValid) {
    throw new DatabaseError(28667, 'Invalid $slice syntax: it takes a number, or skip and count');
  }
  if (numbers.length === 2 && (count ?? 0) < 0) {
    throw new DatabaseError(28729, 'The count of $slice must be positive');
  }
  return (value) => (isArray(value) ? slice(value, first, count) : value);
}

function slice(items: readonly unknown[], first: number, count: number | undefined): unknown[] {
  if (count === undefined) return first >= 0 ? items.slice(0, first) : items.slice(first);
  const start = first < 0 ? Math.max(0, items.length + first) : first;
  return items.slice(start, start + count);
}

function elementCut(operand: unknown): ArrayCut {
  if (!isDocument(operand)) {
    throw new DatabaseError(31274, 'elemMatch: Invalid argument, object required');
  }
  const matches = compileElement(operand);
  return (value) => {
    const found = isArray(value) ? value.find(matches) : undefined;
    return found === undefined ? undefined : [found];
  };
}
