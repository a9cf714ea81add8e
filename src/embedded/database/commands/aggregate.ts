// aggregate: the beginning of a pipeline is planned like a find, the rest runs stage by stage.
import { promote } from '../aggregation/expressions';
import type { Stage } from '../aggregation/stage-types';
import { limitOf, parseStage, readStage, type SentStage, skipOf } from '../aggregation/stages';
import { DatabaseError, failedToParse } from '../errors';
import { choosePlan, type Plan } from '../planner/plan';
import { projectRows, type Wanted, wantedRows } from '../planner/results';
import type { Row } from '../planner/scan';
import { mapWalk, type Walk } from '../planner/slices';
import { parseFilter } from '../query/filter-parser';
import { parseSort, type SortField } from '../query/sort';
import {
  type BsonDocument,
  decodePromoted,
  encodeDocument,
  isArray,
  isDocument,
  numberOf,
} from '../values/bson-values';
import { encodeCursorAnswer } from '../wire/cursor-answer';
import {
  type Answer,
  assertSimpleCollation,
  type Command,
  type CommandCall,
  collectionName,
  countArgument,
  documentArgument,
} from './command';
import { countRows } from './read-commands';

const FIRST_BATCH_DEFAULT = 101;

const FIELDS = [
  'pipeline',
  'cursor',
  'explain',
  'allowDiskUse',
  'bypassDocumentValidation',
  'collation',
  'hint',
  'let',
];

/** The part of a pipeline that the planner answers, and the stages that are left. */
export interface PipelineHead {
  readonly filter: BsonDocument;
  readonly sort: readonly SortField[];
  readonly skip: number;
  readonly limit: number;
  readonly rest: readonly SentStage[];
}

/** Takes $match, $sort, $skip and $limit, in this order and each at most once, off the front. */
export function splitPipeline(pipeline: unknown): PipelineHead {
  if (!isArray(pipeline))
    throw new DatabaseError(14, "'pipeline' option must be specified as an array");
  const stages = pipeline.map(readStage);
  let at = 0;
  const take = (name: string): unknown => {
    const stage = stages[at];
    if (stage?.name !== name) return undefined;
    at += 1;
    return stage.operand;
  };
  const filters: BsonDocument[] = [];
  for (let match = take('$match'); match !== undefined; match = take('$match')) {
    filters.push(matchOf(match));
  }
  const sort = take('$sort');
  const skip = take('$skip');
  const limit = take('$limit');
  const only = filters[0];
  return {
    filter: filters.length > 1 ? { $and: filters } : (only ?? {}),
    sort: sort === undefined ? [] : sortOf(sort),
    skip: skip === undefined ? 0 : skipOf(skip),
    limit: limit === undefined ? 0 : limitOf(limit),
    rest: stages.slice(at),
  };
}

function matchOf(operand: unknown): BsonDocument {
  if (isDocument(operand)) return operand;
  throw new DatabaseError(15959, 'the match filter must be an expression in an object');
}

function sortOf(operand: unknown): SortField[] {
  const fields = parseSort(operand);
  if (fields.length === 0)
    throw new DatabaseError(15976, '$sort stage must have at least one sort key');
  return fields;
}

async function aggregate(call: CommandCall): Promise<Answer> {
  if (call.body['cursor'] === undefined) {
    throw failedToParse(
      "The 'cursor' option is required, except for aggregate with the explain argument",
    );
  }
  assertSimpleCollation(call.body['collation']);
  const name = collectionName(call);
  const head = splitPipeline(call.body['pipeline']);
  const stages = head.rest.map(parseStage);
  const documents = await runPipeline(call, head, stages);
  const namespace = `${call.database}.${name}`;
  const cursor = documentArgument(call, 'cursor');
  const batch = await call.services.cursors.open(documents, {
    namespace,
    connection: call.connection,
    size: countArgument({ ...call, body: cursor }, 'batchSize', FIRST_BATCH_DEFAULT),
    single: false,
  });
  return encodeCursorAnswer({ field: 'firstBatch', namespace, ...batch });
}

/** The plan for the head of a pipeline; undefined without a collection. */
export function planPipeline(call: CommandCall, head: PipelineHead): Plan | undefined {
  const filter = parseFilter(head.filter);
  const collection = call.services.catalog.find(call.database, collectionName(call));
  const hint = call.body['hint'];
  return collection && choosePlan({ collection, filter, sort: head.sort, hint });
}

async function runPipeline(
  call: CommandCall,
  head: PipelineHead,
  stages: readonly Stage[],
): Promise<Walk<Buffer>> {
  const plan = planPipeline(call, head);
  const wanted: Wanted = { sort: head.sort, skip: head.skip, limit: head.limit };
  if (!plan) return runStages([], stages);
  const counted = constantCount(head.rest[0]);
  if (counted) {
    const count = await countRows(call, plan, wanted);
    return runStages(count === 0 ? [] : [counted(count)], stages.slice(1));
  }
  const rows = await wantedRows(call.services.store, plan, wanted);
  if (stages.length === 0) return projectRows(rows, {});
  const computes = stages.some((stage) => stage.computes);
  return runStages(decodeRows(rows, computes), stages);
}

function decodeRows(rows: Walk<Row>, computes: boolean): Walk<BsonDocument> {
  return mapWalk(rows, (row) => (computes ? decodePromoted(row.bytes) : row.document));
}

async function runStages(
  documents: Walk<BsonDocument>,
  stages: readonly Stage[],
): Promise<Walk<Buffer>> {
  let current = documents;
  for (const stage of stages) current = await stage.apply(current);
  return mapWalk(current, encodeDocument);
}

// `{$group: {_id: 1, n: {$sum: 1}}}`, which is how drivers count, needs no document at all.
function constantCount(
  stage: SentStage | undefined,
): ((count: number) => BsonDocument) | undefined {
  if (stage?.name !== '$group' || !isDocument(stage.operand)) return undefined;
  const { _id: id, ...fields } = stage.operand;
  if (id !== null && numberOf(id) === undefined) return undefined;
  const factors = Object.entries(fields).map(([name, value]) => [name, sumFactor(value)] as const);
  if (factors.some(([, factor]) => factor === undefined)) return undefined;
  return (count) => ({
    _id: promote(id),
    ...Object.fromEntries(factors.map(([name, factor]) => [name, count * (factor ?? 0)])),
  });
}

function sumFactor(value: unknown): number | undefined {
  if (!isDocument(value) || Object.keys(value).length !== 1) return undefined;
  return numberOf(value['$sum']);
}

/** aggregate. */
export const AGGREGATE_COMMANDS: Readonly<Record<string, Command>> = {
  aggregate: { fields: FIELDS, run: aggregate },
};
