// The stages of a pipeline after its first $match, $sort, $skip and $limit, which the planner answers.
// Each stage takes documents and gives documents; only $sort and $group hold many at once.
import { DatabaseError } from '../errors';
import { cut, Sorter } from '../planner/results';
import { forEachSliced, type Walk } from '../planner/slices';
import { parseFilter } from '../query/filter-parser';
import { compileNode } from '../query/matcher';
import { parseSort, sortKeyOf } from '../query/sort';
import { type BsonDocument, isDocument, numberOf, sizeOfDocument } from '../values/bson-values';
import { parseAddFields, parseProject, parseReplaceRoot, parseUnset } from './field-stages';
import { parseGroup } from './group';
import type { Stage } from './stage-types';
import { parseUnwind } from './unwind';

type StageParser = (operand: unknown) => Stage;

const PARSERS: Readonly<Record<string, StageParser>> = {
  $match: parseMatch,
  $sort: parseSortStage,
  $limit: (operand) => streaming((documents) => cut(documents, 0, limitOf(operand))),
  $skip: (operand) => {
    const skip = skipOf(operand);
    return streaming((documents) => cut(documents, skip, Number.POSITIVE_INFINITY));
  },
  $count: parseCount,
  $group: parseGroup,
  $unwind: parseUnwind,
  $project: parseProject,
  $addFields: parseAddFields,
  $set: parseAddFields,
  $unset: parseUnset,
  $replaceRoot: parseReplaceRoot,
  $replaceWith: (operand) => parseReplaceRoot({ newRoot: operand }),
};

/** Name and operand of a stage as it was sent. */
export interface SentStage {
  readonly name: string;
  readonly operand: unknown;
}

/** Splits a stage; refuses anything but one known name with 40323 and 40324. */
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
  if (!Object.hasOwn(PARSERS, name)) {
    throw new DatabaseError(40324, `Unrecognized pipeline stage name: '${name}'`);
  }
  return { name, operand: sent[name] };
}

/** The stage, ready to run; throws for operands that it cannot take. */
export function parseStage({ name, operand }: SentStage): Stage {
  const parse = PARSERS[name];
  if (!parse) throw new DatabaseError(40324, `Unrecognized pipeline stage name: '${name}'`);
  return parse(operand);
}

function streaming(apply: (documents: Walk<BsonDocument>) => Walk<BsonDocument>): Stage {
  return { computes: false, apply: async (documents) => apply(documents) };
}

function parseMatch(operand: unknown): Stage {
  if (!isDocument(operand))
    throw new DatabaseError(15959, 'the match filter must be an expression in an object');
  const matches = compileNode(parseFilter(operand));
  return streaming((documents) => selected(documents, matches));
}

function* selected(
  documents: Walk<BsonDocument>,
  matches: (document: BsonDocument) => boolean,
): Generator<BsonDocument | undefined> {
  for (const document of documents) {
    yield document && matches(document) ? document : undefined;
  }
}

function parseSortStage(operand: unknown): Stage {
  const fields = parseSort(operand);
  if (fields.length === 0)
    throw new DatabaseError(15976, '$sort stage must have at least one sort key');
  return {
    computes: false,
    apply: async (documents) => {
      const sorter = new Sorter<BsonDocument>(Number.MAX_SAFE_INTEGER);
      await forEachSliced(documents, (document) => {
        const key = sortKeyOf(fields, document);
        sorter.add({ key, item: document, bytes: key.length + sizeOfDocument(document) });
      });
      return sorter.finish();
    },
  };
}

/** The operand of $limit. */
export function limitOf(operand: unknown): number {
  const limit = numberOf(operand);
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

/** The operand of $skip. */
export function skipOf(operand: unknown): number {
  const skip = numberOf(operand);
  if (skip !== undefined && Number.isInteger(skip) && skip >= 0) return skip;
  throw new DatabaseError(
    5107200,
    'invalid argument to $skip stage: Expected a non-negative number',
  );
}

function parseCount(operand: unknown): Stage {
  if (typeof operand !== 'string')
    throw new DatabaseError(40156, 'the count field must be a non-empty string');
  if (operand === '') throw new DatabaseError(40157, 'the count field must be a non-empty string');
  if (operand.startsWith('$'))
    throw new DatabaseError(40158, 'the count field cannot be a $-prefixed path');
  if (operand.includes('.')) throw new DatabaseError(40160, "the count field cannot contain '.'");
  return {
    computes: false,
    apply: async (documents) => {
      let count = 0;
      await forEachSliced(documents, () => {
        count += 1;
      });
      return count === 0 ? [] : [{ [operand]: count }];
    },
  };
}
