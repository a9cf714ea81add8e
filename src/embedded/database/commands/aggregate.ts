// aggregate: the first stages of a pipeline are planned like a find. The remaining stages run one after the other.
import { Int32 } from 'bson';
import {
  parseStage,
  readLimit,
  readSkip,
  readSort,
  readStage,
  type SentStage,
  type Stage,
} from '../aggregation/stages';
import { DatabaseError, failedToParse } from '../errors';
import { choosePlan, type Plan } from '../planner/plan';
import { projectRows, readWantedRows } from '../planner/results';
import { Row } from '../planner/row';
import type { Walk } from '../planner/slices';
import { parseFilter } from '../query/filter-parser';
import type { SortField } from '../query/sort';
import { calculate } from '../values/arithmetic';
import {
  type BsonDocument,
  encodeDocument,
  isArray,
  isDocument,
  toNumber,
} from '../values/bson-values';
import { encodeCursorResponse } from '../wire/cursor-response';
import {
  assertSimpleCollation,
  type Command,
  type CommandCall,
  type CommandResponse,
  createReader,
  readCollectionName,
  readCount,
  readDocument,
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

/** A pipeline in two parts: the first stages, which the planner handles, and the remaining stages. */
export interface PipelineHead {
  readonly filter: BsonDocument;
  readonly sort: readonly SortField[];
  readonly skip: number;
  readonly limit: number;
  readonly rest: readonly SentStage[];
}

/** Splits off the leading $match stages, and then at most one $sort, $skip and $limit in this order. */
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
    filters.push(readMatch(match));
  }
  const sort = take('$sort');
  const skip = take('$skip');
  const limit = take('$limit');
  const only = filters[0];
  return {
    filter: filters.length > 1 ? { $and: filters } : (only ?? {}),
    sort: sort === undefined ? [] : readSort(sort),
    skip: skip === undefined ? 0 : readSkip(skip),
    limit: limit === undefined ? 0 : readLimit(limit),
    rest: stages.slice(at),
  };
}

function readMatch(operand: unknown): BsonDocument {
  if (isDocument(operand)) return operand;
  throw new DatabaseError(15959, 'the match filter must be an expression in an object');
}

async function aggregate(call: CommandCall): Promise<CommandResponse> {
  if (call.body['cursor'] === undefined) {
    throw failedToParse(
      "The 'cursor' option is required, except for aggregate with the explain argument",
    );
  }
  assertSimpleCollation(call.body['collation']);
  const name = readCollectionName(call);
  const head = splitPipeline(call.body['pipeline']);
  const stages = head.rest.map(parseStage);
  const rows = await runPipeline(call, head, stages);
  const namespace = `${call.database}.${name}`;
  const cursor = readDocument(call, 'cursor');
  const batch = await call.services.cursors.open(projectRows(rows, {}), {
    namespace,
    connection: call.connection,
    allowance: call.allowance,
    size: readCount({ ...call, body: cursor }, 'batchSize', FIRST_BATCH_DEFAULT),
    single: false,
  });
  return encodeCursorResponse({ field: 'firstBatch', namespace, ...batch });
}

/** Plans the first stages of a pipeline. undefined if the collection does not exist. */
export function planPipeline(call: CommandCall, head: PipelineHead): Plan | undefined {
  const filter = parseFilter(head.filter);
  const collection = call.services.catalog.find(call.database, readCollectionName(call));
  const hint = call.body['hint'];
  return collection && choosePlan({ collection, filter, sort: head.sort, hint });
}

async function runPipeline(
  call: CommandCall,
  head: PipelineHead,
  stages: readonly Stage[],
): Promise<Walk<Row>> {
  const plan = planPipeline(call, head);
  if (!plan) return runStages(call, [], stages);
  const counted = constantCount(head.rest[0]);
  if (!counted)
    return runStages(call, await readWantedRows(createReader(call), plan, head), stages);
  const count = await countRows(call, plan, head);
  const rows = count === 0 ? [] : [new Row(encodeDocument(counted(count)))];
  return runStages(call, rows, stages.slice(1));
}

async function runStages(
  call: CommandCall,
  rows: Walk<Row>,
  stages: readonly Stage[],
): Promise<Walk<Row>> {
  let current = rows;
  for (const stage of stages) current = await stage(current, call.allowance);
  return current;
}

// Recognises `{$group: {_id: 1, n: {$sum: 1}}}`, with which drivers count documents. Returns a function that builds the
// result from the count alone, so that no document is read. undefined for any other stage.
function constantCount(
  stage: SentStage | undefined,
): ((count: number) => BsonDocument) | undefined {
  if (stage?.name !== '$group' || !isDocument(stage.operand)) return undefined;
  const { _id: id, ...fields } = stage.operand;
  if (id !== null && toNumber(id) === undefined) return undefined;
  const factors = Object.entries(fields).map(([name, value]) => [name, sumFactor(value)] as const);
  if (factors.some(([, factor]) => factor === undefined)) return undefined;
  const times = (count: number, factor: unknown) => calculate('product', new Int32(count), factor);
  return (count) => ({
    _id: id,
    ...Object.fromEntries(factors.map(([name, factor]) => [name, times(count, factor)])),
  });
}

function sumFactor(value: unknown): unknown {
  if (!isDocument(value) || Object.keys(value).length !== 1) return undefined;
  const factor = value['$sum'];
  return toNumber(factor) === undefined ? undefined : factor;
}

export const AGGREGATE_COMMANDS: Readonly<Record<string, Command>> = {
  aggregate: { fields: FIELDS, run: aggregate },
};
