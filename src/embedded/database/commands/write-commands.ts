// insert, update, delete: lists of writes, ordered or not, with an error per write as MongoDB reports it.
import { DatabaseError, typeMismatch } from '../errors';
import { isTruthy } from '../query/value-tests';
import type { Collection } from '../storage/catalog';
import { type Engine, insertDocument } from '../storage/documents';
import { parseUpdate } from '../update/parse-update';
import { type BsonDocument, decodeDocument, isDocument, numberOf } from '../values/bson-values';
import {
  type Answer,
  assertSimpleCollation,
  type Command,
  type CommandCall,
  collectionName,
  listArgument,
} from './command';
import { deleteMany, updateMany } from './write-many';
import { deleteOne, prepareInsert, readSelection, type UpdateOrder, updateOne } from './write-one';

const INSERTS_PER_TRANSACTION = 500;

/** The counts and errors of a list of writes. */
interface Tally {
  n: number;
  modified: number;
  readonly upserted: BsonDocument[];
  readonly errors: BsonDocument[];
}

function emptyTally(): Tally {
  return { n: 0, modified: 0, upserted: [], errors: [] };
}

/** One write of a list: immediate ones share a transaction, the others make their own. */
type Step =
  | { readonly kind: 'immediate'; readonly run: (tally: Tally) => void }
  | { readonly kind: 'own'; readonly run: (tally: Tally) => Promise<void> };

/** Runs the steps in order; an ordered list ends at its first error. */
async function runSteps(call: CommandCall, steps: readonly Step[]): Promise<Tally> {
  const ordered = call.body['ordered'] === undefined || isTruthy(call.body['ordered']);
  const total = emptyTally();
  for (let at = 0; at < steps.length; ) {
    const step = steps[at];
    if (step?.kind === 'own') {
      await runOwn(total, at, step);
      at += 1;
    } else {
      const end = endOfRun(steps, at);
      await runShared(call, total, { steps, from: at, to: end, ordered });
      at = end;
    }
    if (ordered && total.errors.length > 0) break;
  }
  return total;
}

function endOfRun(steps: readonly Step[], from: number): number {
  let end = from;
  while (end < steps.length && end - from < INSERTS_PER_TRANSACTION && steps[end]?.kind !== 'own') {
    end += 1;
  }
  return end;
}

async function runOwn(total: Tally, index: number, step: Step): Promise<void> {
  try {
    await step.run(total);
  } catch (error) {
    total.errors.push(writeError(index, error));
  }
}

interface Run {
  readonly steps: readonly Step[];
  readonly from: number;
  readonly to: number;
  readonly ordered: boolean;
}

// The write may be attempted twice, so each attempt counts into a tally of its own.
async function runShared(call: CommandCall, total: Tally, run: Run): Promise<void> {
  const part = await call.services.store.write(() => {
    const tally = emptyTally();
    for (let index = run.from; index < run.to; index++) {
      if (run.ordered && tally.errors.length > 0) break;
      runImmediate(tally, index, run.steps[index]);
    }
    return tally;
  });
  total.n += part.n;
  total.modified += part.modified;
  total.upserted.push(...part.upserted);
  total.errors.push(...part.errors);
}

function runImmediate(tally: Tally, index: number, step: Step | undefined): void {
  if (step?.kind !== 'immediate') return;
  try {
    step.run(tally);
  } catch (error) {
    tally.errors.push(writeError(index, error));
  }
}

function writeError(index: number, error: unknown): BsonDocument {
  if (!(error instanceof DatabaseError) || error.code === 14031) throw error;
  return { index, code: error.code, ...error.details, errmsg: error.message };
}

function engineOf(call: CommandCall): Engine {
  return call.services;
}

async function insert(call: CommandCall): Promise<Answer> {
  const name = collectionName(call);
  const engine = engineOf(call);
  const steps = listArgument(call, 'documents').map((raw): Step => {
    const run = (tally: Tally) => {
      const stored = prepareInsert(raw);
      insertDocument(engine, engine.catalog.findOrCreate(call.database, name), stored);
      tally.n += 1;
    };
    return { kind: 'immediate', run };
  });
  const tally = await runSteps(call, steps);
  return { n: tally.n, ...errorsOf(tally) };
}

function errorsOf(tally: Tally): BsonDocument {
  return tally.errors.length > 0 ? { writeErrors: tally.errors } : {};
}

const UPDATE_FIELDS: ReadonlySet<string> = new Set([
  'q',
  'u',
  'multi',
  'upsert',
  'arrayFilters',
  'hint',
  'collation',
  'sort',
]);
const DELETE_FIELDS: ReadonlySet<string> = new Set(['q', 'limit', 'hint', 'collation']);

function readParts(call: CommandCall, field: string, known: ReadonlySet<string>): BsonDocument[] {
  return listArgument(call, field).map((raw) => {
    const part = decodeDocument(raw);
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

async function update(call: CommandCall): Promise<Answer> {
  const name = collectionName(call);
  const parts = readParts(call, 'updates', UPDATE_FIELDS);
  const steps = parts.map((part, index) => updateStep(call, name, { part, index }));
  const tally = await runSteps(call, steps);
  const upserted = tally.upserted.length > 0 ? { upserted: tally.upserted } : {};
  return { n: tally.n, nModified: tally.modified, ...upserted, ...errorsOf(tally) };
}

interface Numbered {
  readonly part: BsonDocument;
  readonly index: number;
}

function updateStep(call: CommandCall, name: string, { part, index }: Numbered): Step {
  const engine = engineOf(call);
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
      const order = await orderOfMany(call, name, part);
      if (order) await updateAll(engine, order, { tally, index });
    },
  };
}

/** The order of one update; undefined when there is no collection, and none to make. */
function readOrder(call: CommandCall, name: string, part: BsonDocument): UpdateOrder | undefined {
  const { catalog } = call.services;
  assertSimpleCollation(part['collation']);
  const parsed = parseUpdate(part['u'], part['arrayFilters']);
  const upsert = isTruthy(part['upsert']);
  if (parsed.kind === 'replacement' && isTruthy(part['multi'])) {
    throw new DatabaseError(9, 'multi update is not supported for replacement-style update');
  }
  const probe: Collection = catalog.find(call.database, name) ?? nowhere(call, name);
  const selection = readSelection(probe, part, 'q');
  const collection = upsert
    ? catalog.findOrCreate(call.database, name)
    : catalog.find(call.database, name);
  return collection && { selection: { ...selection, collection }, update: parsed, upsert };
}

function nowhere(call: CommandCall, name: string): Collection {
  const { database } = call;
  return { namespace: `${database}.${name}`, database, name, number: 0, options: {}, indexes: [] };
}

// An upsert may have to make the collection, which only a write can.
async function orderOfMany(
  call: CommandCall,
  name: string,
  part: BsonDocument,
): Promise<UpdateOrder | undefined> {
  if (!isTruthy(part['upsert'])) return readOrder(call, name, part);
  return call.services.store.write(() => readOrder(call, name, part));
}

interface Place {
  readonly tally: Tally;
  readonly index: number;
}

function updateFirst(engine: Engine, order: UpdateOrder, { tally, index }: Place): void {
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
  engine: Engine,
  order: UpdateOrder,
  { tally, index }: Place,
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

async function remove(call: CommandCall): Promise<Answer> {
  const name = collectionName(call);
  const engine = engineOf(call);
  const steps = readParts(call, 'deletes', DELETE_FIELDS).map((part): Step => {
    const limit = numberOf(part['limit']);
    if (limit !== 0 && limit !== 1) {
      throw new DatabaseError(
        9,
        `The limit field in delete objects must be 0 or 1. Got ${String(limit)}`,
      );
    }
    const select = () => {
      assertSimpleCollation(part['collation']);
      const collection = engine.catalog.find(call.database, name);
      const selection = readSelection(collection ?? nowhere(call, name), part, 'q');
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
  return { n: tally.n, ...errorsOf(tally) };
}

/** The commands that write lists. */
export const WRITE_COMMANDS: Readonly<Record<string, Command>> = {
  insert: { fields: ['documents', 'ordered', 'bypassDocumentValidation'], run: insert },
  update: { fields: ['updates', 'ordered', 'bypassDocumentValidation', 'let'], run: update },
  delete: { fields: ['deletes', 'ordered', 'let'], run: remove },
};
