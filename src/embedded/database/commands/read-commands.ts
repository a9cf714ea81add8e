// find, getMore, killCursors and count.
import { Long } from 'bson';
import { badValue, DatabaseError, typeMismatch } from '../errors';
import { choosePlan, type Plan } from '../planner/plan';
import { cut, projectRows, readWantedRows, type Wanted } from '../planner/results';
import { countExact, scanRows } from '../planner/scan';
import { forEachSliced } from '../planner/slices';
import { parseFilter } from '../query/filter-parser';
import { parseProjection, readPlainFields } from '../query/projection';
import { parseSort } from '../query/sort';
import { isArray, toNumber } from '../values/bson-values';
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
  readFlag,
  readText,
} from './command';

const FIRST_BATCH_DEFAULT = 101;

const FIND_FIELDS = [
  'filter',
  'sort',
  'projection',
  'hint',
  'skip',
  'limit',
  'batchSize',
  'singleBatch',
  'noCursorTimeout',
  'allowPartialResults',
  'allowDiskUse',
  'collation',
  'let',
  'returnKey',
  'showRecordId',
  'tailable',
  'awaitData',
  'oplogReplay',
  'min',
  'max',
];

/** A parsed find: its plan, order and range. */
export interface FindQuestion {
  readonly plan: Plan | undefined;
  readonly wanted: Wanted;
}

/**
 * Parses the filter, sort, skip, limit and hint of a command like find. If the collection does not exist, the plan is
 * undefined.
 */
export function readFind(call: CommandCall, filterField: string): FindQuestion {
  assertSimpleCollation(call.body['collation']);
  const filter = parseFilter(readDocument(call, filterField));
  const sort = parseSort(call.body['sort']);
  const limit = countLimit(call);
  const wanted = { sort, skip: readCount(call, 'skip', 0), limit };
  const collection = call.services.catalog.find(call.database, readCollectionName(call));
  const hint = call.body['hint'];
  return { plan: collection && choosePlan({ collection, filter, sort, hint }), wanted };
}

// Reads the limit of a find or count. For a count, old clients may send the limit as a negative number.
function countLimit(call: CommandCall): number {
  const limit = toNumber(call.body['limit']);
  return limit !== undefined && limit < 0 && call.name === 'count'
    ? -limit
    : readCount(call, 'limit', 0);
}

async function find(call: CommandCall): Promise<CommandResponse> {
  for (const field of ['returnKey', 'showRecordId', 'tailable', 'awaitData', 'min', 'max']) {
    const value = call.body[field];
    if (value !== undefined && value !== false) {
      throw new DatabaseError(238, `The embedded database has no find with '${field}'`);
    }
  }
  const name = readCollectionName(call);
  const { projection } = call.body;
  const projected = { projector: parseProjection(projection), fields: readPlainFields(projection) };
  const { plan, wanted } = readFind(call, 'filter');
  const rows = plan ? await readWantedRows(createReader(call), plan, wanted) : [];
  const namespace = `${call.database}.${name}`;
  const batch = await call.services.cursors.open(projectRows(rows, projected), {
    namespace,
    connection: call.connection,
    allowance: call.allowance,
    size: readCount(call, 'batchSize', FIRST_BATCH_DEFAULT),
    single: readFlag(call, 'singleBatch'),
  });
  return encodeCursorResponse({ field: 'firstBatch', namespace, ...batch });
}

async function getMore(call: CommandCall): Promise<CommandResponse> {
  const id = call.body['getMore'];
  if (!Long.isLong(id)) {
    throw typeMismatch("BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
  }
  const namespace = `${call.database}.${readText(call, 'collection')}`;
  const size = readCount(call, 'batchSize', 0) || Number.POSITIVE_INFINITY;
  if (call.body['maxTimeMS'] !== undefined) {
    throw badValue('cannot set maxTimeMS on getMore command for a non-awaitData cursor');
  }
  const { connection, services } = call;
  const batch = await services.cursors.next(id, { namespace, connection, size });
  return encodeCursorResponse({ field: 'nextBatch', namespace, ...batch });
}

function killCursors(call: CommandCall): CommandResponse {
  const ids = call.body['cursors'];
  if (!isArray(ids)) throw typeMismatch("BSON field 'killCursors.cursors' must be an array");
  const cursorsKilled: Long[] = [];
  const cursorsNotFound: Long[] = [];
  for (const id of ids) {
    if (!Long.isLong(id)) throw typeMismatch('cursor ids must be of type long');
    (call.services.cursors.kill(id) ? cursorsKilled : cursorsNotFound).push(id);
  }
  return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
}

async function count(call: CommandCall): Promise<CommandResponse> {
  const { plan, wanted } = readFind(call, 'query');
  if (!plan) return { n: 0 };
  const n = await countRows(call, plan, wanted);
  return { n };
}

/** Counts the documents that a plan finds within skip and limit. */
export async function countRows(call: CommandCall, plan: Plan, wanted: Wanted): Promise<number> {
  const end = wanted.limit === 0 ? Number.POSITIVE_INFINITY : wanted.skip + wanted.limit;
  if (plan.exact && !plan.index?.multikey) {
    return Math.max(0, Math.min(countExact(call.services.store, plan), end) - wanted.skip);
  }
  let n = 0;
  const rows = cut(scanRows(createReader(call), plan), wanted.skip, end);
  await forEachSliced(rows, call.allowance, () => {
    n += 1;
  });
  return n;
}

export const READ_COMMANDS: Readonly<Record<string, Command>> = {
  find: { fields: FIND_FIELDS, run: find },
  getMore: { fields: ['collection', 'batchSize', 'term'], run: getMore },
  killCursors: { fields: ['cursors'], run: killCursors },
  count: { fields: ['query', 'limit', 'skip', 'hint', 'collation', 'fields'], run: count },
};
