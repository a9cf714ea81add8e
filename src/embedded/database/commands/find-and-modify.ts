// findAndModify: finds one document, updates or removes it, and returns its old or new version.
import { failedToParse } from '../errors';
import type { Reader } from '../planner/scan';
import { parseProjection } from '../query/projection';
import { isTruthy } from '../query/value-tests';
import { parseUpdate } from '../update/parse-update';
import type { ParsedUpdate } from '../update/update-types';
import type { BsonDocument } from '../values/bson-values';
import {
  assertSimpleCollation,
  type Command,
  type CommandCall,
  type CommandResponse,
  createReader,
  readCollectionName,
  readFlag,
} from './command';
import { deleteOne, readSelection, updateOne } from './write-one';

const FIELDS = [
  'query',
  'sort',
  'remove',
  'update',
  'new',
  'fields',
  'upsert',
  'hint',
  'collation',
  'bypassDocumentValidation',
  'let',
];

async function findAndModify(call: CommandCall): Promise<CommandResponse> {
  assertOptions(call);
  const name = readCollectionName(call);
  const remove = readFlag(call, 'remove');
  const project = parseProjection(call.body['fields']) ?? ((document: BsonDocument) => document);
  const update = remove ? undefined : parseUpdate(call.body['update']);
  const show = (document: BsonDocument | undefined) => (document ? project(document) : null);
  const work = () => {
    const selection = buildSelection(call, name);
    return update
      ? changeOne(call, { update, selection, show })
      : removeOne(createReader(call), { selection, show });
  };
  return call.services.store.write(work, { shrinks: remove });
}

function assertOptions(call: CommandCall): void {
  const { body } = call;
  assertSimpleCollation(body['collation']);
  if (isTruthy(body['remove'])) {
    if (body['update'] !== undefined)
      throw failedToParse('Cannot specify both an update and remove=true');
    if (isTruthy(body['upsert']))
      throw failedToParse('Cannot specify both upsert=true and remove=true');
    if (isTruthy(body['new'])) {
      throw failedToParse(
        "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
      );
    }
    return;
  }
  if (body['update'] === undefined)
    throw failedToParse('Either an update or remove=true must be specified');
}

// Builds the selection of the document. If the collection does not exist, it selects nothing. Only an upsert then
// creates the collection.
function buildSelection(call: CommandCall, name: string) {
  const { catalog } = call.services;
  const existing = catalog.find(call.database, name);
  const probe = existing ?? {
    namespace: `${call.database}.${name}`,
    database: call.database,
    name,
    number: 0,
    options: {},
    indexes: [],
  };
  const selection = readSelection(probe, call.body, 'query');
  if (existing || !readFlag(call, 'upsert')) return existing && selection;
  return { ...selection, collection: catalog.findOrCreate(call.database, name) };
}

interface Removal {
  readonly selection: ReturnType<typeof buildSelection>;
  readonly show: (document: BsonDocument | undefined) => BsonDocument | null;
}

interface Change extends Removal {
  readonly update: ParsedUpdate;
}

function removeOne(reader: Reader, { selection, show }: Removal): BsonDocument {
  const removed = selection && deleteOne(reader, selection);
  return { lastErrorObject: { n: removed ? 1 : 0 }, value: show(removed) };
}

function changeOne(call: CommandCall, { selection, update, show }: Change): BsonDocument {
  const upsert = readFlag(call, 'upsert');
  const done = selection && updateOne(createReader(call), { selection, update, upsert });
  const found = done?.before !== undefined;
  const made = done?.after !== undefined && !found;
  return {
    lastErrorObject: {
      n: found || made ? 1 : 0,
      updatedExisting: found,
      ...(made ? { upserted: done.upsertedId } : {}),
    },
    value: show(readFlag(call, 'new') ? done?.after : done?.before),
  };
}

export const FIND_AND_MODIFY_COMMANDS: Readonly<Record<string, Command>> = {
  findAndModify: { fields: FIELDS, run: findAndModify },
  findandmodify: { fields: FIELDS, run: findAndModify },
};
