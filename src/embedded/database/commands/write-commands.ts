// Handles insert, update and delete, each with an ordered or unordered list of writes. The reply has one error for each
// failed write.
import { DatabaseError, typeMismatch } from '../errors';
import type { Reader } from '../planner/scan';
import { isTruthy } from '../query/value-tests';
import type { Collection } from '../storage/catalog';
import { insertDocument } from '../storage/documents';
import { parseUpdate } from '../update/parse-update';
import {
  assertSupported,
  type BsonDocument,
  COMMAND_DEPTH_MAX,
  decodeDocument,
  isDocument,
  toNumber,
} from '../values/bson-values';
import {
  assertSimpleCollation,
  type Command,
  type CommandCall,
  type CommandResponse,
  createReader,
  readCollectionName,
  readList,
} from './command';
import { deleteMany, updateMany } from './write-many';
import { deleteOne, prepareInsert, readSelection, type UpdateOrder, updateOne } from './write-one';
import { formatErrors, runSteps, type Step, type Tally } from './write-steps';

async function insert(call: CommandCall): Promise<CommandResponse> {
  const name = readCollectionName(call);
  const engine = createReader(call);
  const steps = readList(call, 'documents').map((raw): Step => {
    const run = (tally: Tally) => {
      const stored = prepareInsert(raw);
      insertDocument(engine, engine.catalog.findOrCreate(call.database, name), stored);
      tally.n += 1;
    };
    return { kind: 'immediate', run };
  });
  const tally = await runSteps(call, steps);
  return { n: tally.n, ...formatErrors(tally) };
}

const UPDATE_FIELDS: ReadonlySet<string> = new Set([
  'q',
  'u',
  'multi',
  'upsert',
  'hint',
  'collation',
  'sort',
]);
const DELETE_FIELDS: ReadonlySet<string> = new Set(['q', 'limit', 'hint', 'collation']);

function readParts(call: CommandCall, field: string, known: ReadonlySet<string>): BsonDocument[] {
  return readList(call, field).map((raw) => {
    const part = decodeDocument(raw);
    assertSupported(part, COMMAND_DEPTH_MAX);
    const unknown = Object.keys(part).find((name) => !known.has(name));
    if (unknown === undefined && isDocument(part['q'])) return part;
    if (unknown === undefined) {
      throw typeMismatch(`BSON field '${call.name}.${field}.q' is the wrong type or missing`);
    }
    throw new DatabaseError(
      40415,
      `BSON field '${call.name}.${field}.${unknown}' is an unknown field.`,
    );
  });
}

async function update(call: CommandCall): Promise<CommandResponse> {
  const name = readCollectionName(call);
  const parts = readParts(call, 'updates', UPDATE_FIELDS);
  const steps = parts.map((part, index) => updateStep(call, name, { part, index }));
  const tally = await runSteps(call, steps);
  const upserted = tally.upserted.length > 0 ? { upserted: tally.upserted } : {};
  return { n: tally.n, nModified: tally.modified, ...upserted, ...formatErrors(tally) };
}

interface Numbered {
  readonly part: BsonDocument;
  readonly index: number;
}

function updateStep(call: CommandCall, name: string, { part, index }: Numbered): Step {
  const engine = createReader(call);
  if (!isTruthy(part['multi'])) {
    return {
      kind: 'immediate',
      run: (tally) => {
        const order = readOrder(call, name, part);
        if (order) updateFirst(engine, order, { tally, index });
      },
    };
  }
  return {
    kind: 'own',
    run: async (tally) => {
      const order = await prepareManyOrder(call, name, part);
      if (order) await updateAll(engine, order, { tally, index });
    },
  };
}

/** Reads one update. Returns undefined if the collection does not exist and the update is not an upsert. */
function readOrder(call: CommandCall, name: string, part: BsonDocument): UpdateOrder | undefined {
  const { catalog } = call.services;
  assertSimpleCollation(part['collation']);
  const parsed = parseUpdate(part['u']);
  const upsert = isTruthy(part['upsert']);
  if (parsed.kind === 'replacement' && isTruthy(part['multi'])) {
    throw new DatabaseError(9, 'multi update is not supported for replacement-style update');
  }
  const probe: Collection = catalog.find(call.database, name) ?? buildEmptyCollection(call, name);
  const selection = readSelection(probe, part, 'q');
  const collection = upsert
    ? catalog.findOrCreate(call.database, name)
    : catalog.find(call.database, name);
  return collection && { selection: { ...selection, collection }, update: parsed, upsert };
}

function buildEmptyCollection(call: CommandCall, name: string): Collection {
  const { database } = call;
  return { namespace: `${database}.${name}`, database, name, number: 0, options: {}, indexes: [] };
}

// Prepares an update of many documents. An upsert may create the collection, so it must be prepared inside a write of
// the store.
async function prepareManyOrder(
  call: CommandCall,
  name: string,
  part: BsonDocument,
): Promise<UpdateOrder | undefined> {
  if (!isTruthy(part['upsert'])) return readOrder(call, name, part);
  return call.services.store.write(() => readOrder(call, name, part));
}

interface WritePosition {
  readonly tally: Tally;
  readonly index: number;
}

function updateFirst(engine: Reader, order: UpdateOrder, { tally, index }: WritePosition): void {
  const done = updateOne(engine, order);
  if (done.before) {
    tally.n += 1;
    tally.modified += done.modified ? 1 : 0;
  } else if (done.after) {
    tally.n += 1;
    tally.upserted.push({ index, _id: done.upsertedId });
  }
}

async function updateAll(
  engine: Reader,
  order: UpdateOrder,
  { tally, index }: WritePosition,
): Promise<void> {
  const done = await updateMany(engine, order);
  tally.n += done.matched;
  tally.modified += done.modified;
  if (done.matched > 0 || !order.upsert) return;
  const made = await engine.store.write(() => updateOne(engine, order));
  tally.n += 1;
  if (made.before) tally.modified += made.modified ? 1 : 0;
  else tally.upserted.push({ index, _id: made.upsertedId });
}

async function remove(call: CommandCall): Promise<CommandResponse> {
  const name = readCollectionName(call);
  const engine = createReader(call);
  const steps = readParts(call, 'deletes', DELETE_FIELDS).map((part): Step => {
    const limit = toNumber(part['limit']);
    if (limit !== 0 && limit !== 1) {
      throw new DatabaseError(
        9,
        `The limit field in delete objects must be 0 or 1. Got ${String(limit)}`,
      );
    }
    const select = () => {
      assertSimpleCollation(part['collation']);
      const collection = engine.catalog.find(call.database, name);
      const selection = readSelection(collection ?? buildEmptyCollection(call, name), part, 'q');
      return collection && selection;
    };
    if (limit === 0) {
      return {
        kind: 'own',
        run: async (tally) => {
          const selection = select();
          if (selection) tally.n += await deleteMany(engine, selection);
        },
      };
    }
    return {
      kind: 'immediate',
      run: (tally) => {
        const selection = select();
        if (selection && deleteOne(engine, selection)) tally.n += 1;
      },
    };
  });
  const tally = await runSteps(call, steps);
  return { n: tally.n, ...formatErrors(tally) };
}

export const WRITE_COMMANDS: Readonly<Record<string, Command>> = {
  insert: { fields: ['documents', 'ordered', 'bypassDocumentValidation'], run: insert },
  update: { fields: ['updates', 'ordered', 'bypassDocumentValidation', 'let'], run: update },
  delete: { fields: ['deletes', 'ordered', 'let'], run: remove },
};
