// The stages of a pipeline that come after its leading $match, $sort, $skip and $limit. Each stage converts rows to
// rows. Only $sort and $group keep many rows in memory.
import { DatabaseError } from '../errors';
import type { Allowance } from '../planner/allowance';
import { cut } from '../planner/results';
import type { Row } from '../planner/row';
import { forEachSliced, type Walk } from '../planner/slices';
import { Sorter } from '../planner/sorter';
import { parseFilter } from '../query/filter-parser';
import { compileNode } from '../query/matcher';
import { parseSort, type SortField } from '../query/sort';
import { isDocument, toNumber } from '../values/bson-values';
import { groupRows, parseGroup } from './group';

export type Stage = (rows: Walk<Row>, allowance: Allowance) => Walk<Row> | Promise<Walk<Row>>;

const PARSERS: Readonly<Record<string, (operand: unknown) => Stage>> = {
  $match: parseMatch,
  $sort: parseSortStage,
  $limit: (operand) => {
    const limit = readLimit(operand);
    return (rows) => cut(rows, 0, limit);
  },
  $skip: (operand) => {
    const skip = readSkip(operand);
    return (rows) => cut(rows, skip, Number.POSITIVE_INFINITY);
  },
  $group: (operand) => {
    const grouping = parseGroup(operand);
    return (rows, allowance) => groupRows(rows, grouping, allowance);
  },
};

/** The supported stages. All others are rejected. */
export const STAGES: readonly string[] = Object.keys(PARSERS);

export interface SentStage {
  readonly name: string;
  readonly operand: unknown;
}

/** Reads a stage. Throws error 40323 unless the stage has exactly one name, and 40324 if the name is unknown. */
export function readStage(sent: unknown): SentStage {
  if (!isDocument(sent)) {
    throw new DatabaseError(14, "Each element of the 'pipeline' array must be an object");
  }
  const names = Object.keys(sent);
  const name = names[0];
  if (name === undefined || names.length !== 1) {
    throw new DatabaseError(
      40323,
      'A pipeline stage specification object must contain exactly one field.',
    );
  }
  if (!Object.hasOwn(PARSERS, name)) throw unknownStage(name);
  return { name, operand: sent[name] };
}

/** Compiles a stage. Throws if the operand is invalid. */
export function parseStage({ name, operand }: SentStage): Stage {
  const parse = PARSERS[name];
  if (!parse) throw unknownStage(name);
  return parse(operand);
}

function unknownStage(name: string): DatabaseError {
  return new DatabaseError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

function parseMatch(operand: unknown): Stage {
  if (!isDocument(operand))
    throw new DatabaseError(15959, 'the match filter must be an expression in an object');
  const matches = compileNode(parseFilter(operand));
  return function* selected(rows) {
    for (const row of rows) yield row && matches(row.document) ? row : undefined;
  };
}

function parseSortStage(operand: unknown): Stage {
  const fields = readSort(operand);
  return async (rows, allowance) => {
    const sorter = new Sorter(fields, Number.POSITIVE_INFINITY, allowance);
    await forEachSliced(rows, allowance, (row) => sorter.add(row));
    return sorter.finish();
  };
}

export function readSort(operand: unknown): SortField[] {
  const fields = parseSort(operand);
  if (fields.length === 0)
    throw new DatabaseError(15976, '$sort stage must have at least one sort key');
  return fields;
}

export function readLimit(operand: unknown): number {
  const limit = toNumber(operand);
  if (limit === undefined || !Number.isInteger(limit)) {
    throw new DatabaseError(5107201, 'invalid argument to $limit stage: Expected an integer');
  }
  if (limit < 0) {
    throw new DatabaseError(
      5107201,
      'invalid argument to $limit stage: Expected a non-negative number',
    );
  }
  if (limit === 0) throw new DatabaseError(15958, 'the limit must be positive');
  return limit;
}

export function readSkip(operand: unknown): number {
  const skip = toNumber(operand);
  if (skip !== undefined && Number.isInteger(skip) && skip >= 0) return skip;
  throw new DatabaseError(
    5107200,
    'invalid argument to $skip stage: Expected a non-negative number',
  );
}
