// Chooses how to read a collection: by `_id`, by an index, or by a full scan. Pure.
import { DatabaseError } from '../errors';
import type { FilterNode } from '../query/filter-types';
import { listRequiredTests } from '../query/required-tests';
import type { SortField } from '../query/sort';
import {
  buildNumberRange,
  type Collection,
  encodePrefix,
  listReadyIndexes,
} from '../storage/catalog';
import type { IndexDefinition } from '../storage/index-definition';
import type { KeyRange } from '../storage/table';
import { type BsonDocument, isDocument } from '../values/bson-values';
import { compareValues } from '../values/compare';
import { successor } from '../values/key-encoding';
import { computeBounds, type FieldBounds, listRequiredNodes, toByteRun } from './bounds';
import { isImplied } from './implication';

export interface Plan {
  readonly collection: Collection;
  readonly filter: FilterNode;
  /** The index to scan. undefined for `_id` and for a full scan. */
  readonly index: IndexDefinition | undefined;
  /** The name of the plan in `explain`. */
  readonly stage: 'IDHACK' | 'CLUSTERED_IXSCAN' | 'IXSCAN' | 'COLLSCAN';
  /** Disjoint key ranges, in the order in which they are read. */
  readonly ranges: readonly KeyRange[];
  readonly reverse: boolean;
  /** True means that the ranges contain exactly the selected documents, so no document needs to be tested. */
  readonly exact: boolean;
  /** True if documents are read in the requested order. */
  readonly sorted: boolean;
  /** The bounds of each index field that the plan uses, for `explain`. */
  readonly bounds: readonly UsedBounds[];
}

/** The bounds of one field of the scanned index. */
export interface UsedBounds {
  readonly path: string;
  readonly bounds: FieldBounds;
}

export interface Question {
  readonly collection: Collection;
  readonly filter: FilterNode;
  readonly sort: readonly SortField[];
  /** The index that the client demands: by name, by key pattern, or `{$natural: ±1}` for a full scan. */
  readonly hint: unknown;
}

interface Candidate {
  readonly plan: Plan;
  readonly equalFields: number;
  readonly hasRange: boolean;
}

const RUNS_MAX = 4000;
const ID_FIELDS = [{ path: '_id', parts: ['_id'], descending: false }];

/**
 * Chooses the plan. The best index is that with the most fields limited to single values. Among equals, an index with a
 * bounded range wins, and then an index in the requested order.
 */
export function choosePlan(question: Question): Plan {
  const { collection, hint } = question;
  if (isNaturalHint(hint)) return fullScan(question, isNegative(hint));
  const hinted = findHinted(collection, hint);
  if (hinted === '_id_') return planById(question)?.plan ?? fullScan(question, false);
  if (hinted) return planByIndex(question, hinted, true)?.plan ?? fullScan(question, false);
  const candidates = [planById(question)];
  for (const index of listReadyIndexes(collection))
    candidates.push(planByIndex(question, index, false));
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    if (candidate && (!best || isBetter(candidate, best))) best = candidate;
  }
  return best?.plan ?? fullScan(question, false);
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (b.plan.stage === 'IDHACK') return false;
  if (a.equalFields !== b.equalFields) return a.equalFields > b.equalFields;
  if (a.hasRange !== b.hasRange) return a.hasRange;
  if (a.plan.sorted !== b.plan.sorted) return a.plan.sorted;
  return false;
}

function isNaturalHint(hint: unknown): hint is BsonDocument {
  return isDocument(hint) && Object.hasOwn(hint, '$natural');
}

function isNegative(hint: BsonDocument): boolean {
  return compareValues(hint['$natural'], 0) < 0;
}

function findHinted(collection: Collection, hint: unknown): IndexDefinition | '_id_' | undefined {
  if (hint === undefined || hint === null) return undefined;
  if (isDocument(hint) && Object.keys(hint).length === 0) return undefined;
  const isId = hint === '_id_' || compareValues(hint, { _id: 1 }) === 0;
  if (isId) return '_id_';
  const index = listReadyIndexes(collection).find(
    (one) => one.name === hint || (isDocument(hint) && compareValues(one.pattern, hint) === 0),
  );
  if (index) return index;
  throw new DatabaseError(
    2,
    'error processing query: planner returned error: hint provided does not correspond to an existing index',
  );
}

function fullScan(question: Question, reverse: boolean): Plan {
  const { collection, filter, sort } = question;
  return {
    collection,
    filter,
    index: undefined,
    stage: 'COLLSCAN',
    ranges: [buildNumberRange(collection.number)],
    reverse,
    exact: listRequiredNodes(filter).length === 0,
    sorted: sort.length === 0,
    bounds: [],
  };
}

interface Shape {
  readonly number: number;
  readonly index: IndexDefinition | undefined;
  readonly fields: readonly { readonly path: string; readonly descending: boolean }[];
  readonly multikey: boolean;
  readonly unique: boolean;
}

function planById(question: Question): Candidate | undefined {
  const shape: Shape = {
    number: question.collection.number,
    index: undefined,
    fields: ID_FIELDS,
    multikey: false,
    unique: true,
  };
  return planByShape(question, shape, false);
}

function planByIndex(
  question: Question,
  index: IndexDefinition,
  forced: boolean,
): Candidate | undefined {
  if (index.partialFilter && !isImplied(index.partialFilter, question.filter)) return undefined;
  return planByShape(
    question,
    {
      number: index.number,
      index,
      fields: index.fields,
      multikey: index.multikey,
      unique: index.unique,
    },
    forced,
  );
}

function planByShape(question: Question, shape: Shape, forced: boolean): Candidate | undefined {
  const used = usedBounds(question.filter, shape);
  const direction = chooseDirection(shape, used, question.sort);
  const usable = used.length > 0 || (direction !== undefined && question.sort.length > 0);
  if (!usable && !forced) return undefined;
  const reverse = direction === 'backward';
  const ranges = computeRanges(shape, used);
  const plan: Plan = {
    collection: question.collection,
    filter: question.filter,
    index: shape.index,
    stage: chooseStage(shape, used),
    ranges: reverse ? ranges.reverse() : ranges,
    reverse,
    exact: !shape.multikey && isCovered(question.filter, used),
    sorted: direction !== undefined,
    bounds: used,
  };
  const equalFields = used.filter((one) => one.bounds.kind === 'points').length;
  return { plan, equalFields, hasRange: used.some((one) => one.bounds.kind === 'range') };
}

function chooseStage(shape: Shape, used: readonly UsedBounds[]): Plan['stage'] {
  if (shape.index) return 'IXSCAN';
  const bounds = used[0]?.bounds;
  return bounds?.kind === 'points' && bounds.intervals.length === 1 ? 'IDHACK' : 'CLUSTERED_IXSCAN';
}

// Returns the bounds that the index can use, from its first field on: fields with single values, and then at most one
// field with a range.
function usedBounds(filter: FilterNode, shape: Shape): UsedBounds[] {
  const nodes = listRequiredTests(filter);
  const used: UsedBounds[] = [];
  let runs = 1;
  for (const field of fieldsToBind(shape)) {
    const own = nodes.filter((node) => node.path === field.path);
    const bounds = computeBounds(own, shape.multikey);
    runs *= bounds?.intervals.length ?? 1;
    if (!bounds || runs > RUNS_MAX) return used;
    used.push({ path: field.path, bounds });
    if (bounds.kind === 'range') return used;
  }
  return used;
}

// Returns the fields whose bounds can be used. In an index with arrays, this is only the first field if two fields may
// lie in the same array: different elements of the array may then match the two fields.
function fieldsToBind(shape: Shape): Shape['fields'] {
  if (!shape.multikey) return shape.fields;
  const roots = shape.fields.map((field) => field.path.split('.')[0]);
  return new Set(roots).size === roots.length ? shape.fields : shape.fields.slice(0, 1);
}

function computeRanges(shape: Shape, used: readonly UsedBounds[]): KeyRange[] {
  let runs: KeyRange[] = [buildNumberRange(shape.number)];
  let prefixes: Buffer[] = [encodePrefix(shape.number)];
  used.forEach(({ bounds }, position) => {
    const descending = shape.fields[position]?.descending === true;
    const pieces = bounds.intervals.map((interval) => toByteRun(interval, descending));
    runs = prefixes.flatMap((prefix) => pieces.map((piece) => joinRun(prefix, piece)));
    prefixes = runs.map((run) => run.start);
  });
  return runs.sort((a, b) => Buffer.compare(a.start, b.start));
}

function joinRun(prefix: Buffer, run: { start: Buffer; end: Buffer | undefined }): KeyRange {
  const end = run.end ? Buffer.concat([prefix, run.end]) : successor(prefix);
  return { start: Buffer.concat([prefix, run.start]), end: end ?? prefix };
}

function isCovered(filter: FilterNode, used: readonly UsedBounds[]): boolean {
  const covered = new Set<FilterNode>(used.flatMap((one) => one.bounds.covered));
  return listRequiredNodes(filter).every((node) => covered.has(node));
}

type Direction = 'forward' | 'backward';

// Chooses the direction in which a scan finds the documents in the requested order. undefined means that they must be
// sorted. A field with a single value does not affect the order. Entries with equal keys are ordered by `_id`.
function chooseDirection(
  shape: Shape,
  used: readonly UsedBounds[],
  sort: readonly SortField[],
): Direction | undefined {
  if (sort.length === 0) return 'forward';
  if (shape.multikey) return undefined;
  const constants = new Set(used.filter(isConstant).map((one) => one.path));
  const fields = shape.unique ? shape.fields : [...shape.fields, ...ID_FIELDS];
  const free = fields.filter((field) => !constants.has(field.path));
  let direction: Direction | undefined;
  let position = 0;
  for (const wanted of sort) {
    if (constants.has(wanted.path)) continue;
    const field = free[position++];
    if (field?.path !== wanted.path) return undefined;
    const needed = field.descending === wanted.descending ? 'forward' : 'backward';
    if (direction && direction !== needed) return undefined;
    direction = needed;
  }
  return direction ?? 'forward';
}

function isConstant(one: UsedBounds): boolean {
  return one.bounds.kind === 'points' && one.bounds.intervals.length === 1;
}
