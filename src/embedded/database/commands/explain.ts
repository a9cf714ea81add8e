// explain: describes how a command would read its documents, in the format of MongoDB's explain.
import { DatabaseError } from '../errors';
import { choosePlan, type Plan, type UsedBounds } from '../planner/plan';
import { readWantedRows, type Wanted } from '../planner/results';
import type { ScanCounts } from '../planner/scan';
import { forEachSliced } from '../planner/slices';
import { parseFilter } from '../query/filter-parser';
import { parseSort } from '../query/sort';
import { type BsonDocument, decodeDocument, isArray, isDocument } from '../values/bson-values';
import { planPipeline, splitPipeline } from './aggregate';
import {
  type Command,
  type CommandCall,
  type CommandResponse,
  createReader,
  readCollectionName,
} from './command';
import { VERSION } from './hello-commands';
import { readFind } from './read-commands';

interface Explained {
  readonly plan: Plan | undefined;
  readonly wanted: Wanted;
}

const ALL: Wanted = { sort: [], skip: 0, limit: 0 };

const READERS: Readonly<Record<string, (call: CommandCall) => Explained>> = {
  find: (call) => readFind(call, 'filter'),
  count: (call) => readFind(call, 'query'),
  findAndModify: (call) => ({ ...readFind(call, 'query') }),
  aggregate: (call) => {
    const head = splitPipeline(call.body['pipeline']);
    const { sort, skip, limit } = head;
    return { plan: planPipeline(call, head), wanted: { sort, skip, limit } };
  },
  update: (call) => readFirstWrite(call, 'updates'),
  delete: (call) => readFirstWrite(call, 'deletes'),
};

async function explain(call: CommandCall): Promise<CommandResponse> {
  const inner = call.body['explain'];
  const name = isDocument(inner) ? Object.keys(inner)[0] : undefined;
  const reader = name === undefined ? undefined : READERS[name];
  if (!isDocument(inner) || name === undefined || !reader) {
    throw new DatabaseError(59, `Explain failed due to unknown command: ${name ?? ''}`);
  }
  const target = { ...call, name, body: inner };
  const { plan, wanted } = reader(target);
  const response: BsonDocument = {
    explainVersion: '1',
    queryPlanner: {
      namespace: `${call.database}.${readCollectionName(target)}`,
      parsedQuery: {},
      rejectedPlans: [],
      winningPlan: plan ? describe(plan, wanted) : { stage: 'EOF' },
    },
  };
  if (call.body['verbosity'] !== 'queryPlanner' && plan) {
    response['executionStats'] = await execute(call, plan, wanted);
  }
  return { ...response, serverInfo: { version: VERSION }, command: inner };
}

function readFirstWrite(call: CommandCall, field: string): Explained {
  const list = call.body[field];
  const sequence = call.sequences.get(field)?.[0];
  const first = isArray(list) ? list[0] : sequence && decodeDocument(sequence);
  const part = isDocument(first) ? first : {};
  const filter = parseFilter(isDocument(part['q']) ? part['q'] : {});
  const collection = call.services.catalog.find(call.database, readCollectionName(call));
  const sort = parseSort(part['sort']);
  const hint = part['hint'];
  return { plan: collection && choosePlan({ collection, filter, sort, hint }), wanted: ALL };
}

function describe(plan: Plan, wanted: Wanted): BsonDocument {
  const read = describeRead(plan);
  const sorted = plan.sorted
    ? read
    : { stage: 'SORT', sortPattern: buildPattern(wanted), inputStage: read };
  return wanted.limit > 0
    ? { stage: 'LIMIT', limitAmount: wanted.limit, inputStage: sorted }
    : sorted;
}

function describeRead(plan: Plan): BsonDocument {
  const direction = plan.reverse ? 'backward' : 'forward';
  if (plan.stage === 'COLLSCAN' || plan.stage === 'IDHACK') return { stage: plan.stage, direction };
  const scan: BsonDocument = {
    stage: plan.stage,
    ...(plan.index ? describeIndex(plan.index) : { indexName: '_id_', keyPattern: { _id: 1 } }),
    direction,
    indexBounds: Object.fromEntries(plan.bounds.map(describeBounds)),
  };
  return plan.index ? { stage: 'FETCH', filtered: !plan.exact, inputStage: scan } : scan;
}

function describeIndex(index: NonNullable<Plan['index']>): BsonDocument {
  return {
    indexName: index.name,
    keyPattern: index.pattern,
    isMultiKey: index.multikey,
    isUnique: index.unique,
    isPartial: index.partialFilter !== undefined,
  };
}

function describeBounds({ path, bounds }: UsedBounds): [string, string[]] {
  const texts = bounds.covered.map((node) => `${node.operator} ${JSON.stringify(node.operand)}`);
  return [
    path,
    bounds.kind === 'points' && bounds.intervals.length > 1 ? [...texts, 'points'] : texts,
  ];
}

function buildPattern(wanted: Wanted): BsonDocument {
  return Object.fromEntries(wanted.sort.map((field) => [field.path, field.descending ? -1 : 1]));
}

async function execute(call: CommandCall, plan: Plan, wanted: Wanted): Promise<BsonDocument> {
  const counts: ScanCounts = { keysExamined: 0, docsExamined: 0 };
  const startedAt = performance.now();
  let returned = 0;
  const rows = await readWantedRows({ ...createReader(call), counts }, plan, wanted);
  await forEachSliced(rows, call.allowance, () => {
    returned += 1;
  });
  return {
    executionSuccess: true,
    nReturned: returned,
    executionTimeMillis: Math.round(performance.now() - startedAt),
    totalKeysExamined: counts.keysExamined,
    totalDocsExamined: counts.docsExamined,
  };
}

export const EXPLAIN_COMMANDS: Readonly<Record<string, Command>> = {
  explain: { fields: ['verbosity'], run: explain },
};
