// Turns a request into the bytes of its reply.
import { Double } from 'bson';
import { DatabaseError } from '../errors';
import { Allowance } from '../planner/allowance';
import {
  assertSupported,
  COMMAND_DEPTH_MAX,
  encodeDocument,
  isDocument,
  toNumber,
} from '../values/bson-values';
import type { Request } from '../wire/message';
import { ADMIN_COMMANDS } from './admin-commands';
import { AGGREGATE_COMMANDS } from './aggregate';
import { COLLECTION_COMMANDS } from './collection-commands';
import { type Command, type CommandCall, OK, readTimeLimit, type Services } from './command';
import type { Connection } from './cursors';
import { EXPLAIN_COMMANDS } from './explain';
import { FIND_AND_MODIFY_COMMANDS } from './find-and-modify';
import { HELLO_COMMANDS } from './hello-commands';
import { READ_COMMANDS } from './read-commands';
import { WRITE_COMMANDS } from './write-commands';

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    ...HELLO_COMMANDS,
    ...READ_COMMANDS,
    ...AGGREGATE_COMMANDS,
    ...WRITE_COMMANDS,
    ...FIND_AND_MODIFY_COMMANDS,
    ...COLLECTION_COMMANDS,
    ...EXPLAIN_COMMANDS,
    ...ADMIN_COMMANDS,
  }),
);

const GENERIC_FIELDS: ReadonlySet<string> = new Set([
  '$db',
  '$readPreference',
  '$clusterTime',
  'lsid',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'comment',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'stmtId',
  'stmtIds',
]);

const READ_LEVELS: ReadonlySet<unknown> = new Set([undefined, 'local', 'available', 'majority']);

/** Runs the command of a request. Every error becomes a reply with `ok: 0`. */
export async function dispatch(
  request: Request,
  connection: Connection,
  services: Services,
): Promise<Buffer> {
  let call: CommandCall | undefined;
  try {
    call = readCall(request, connection, services);
    const response = await findCommand(call).run(call);
    return Buffer.isBuffer(response) ? response : encodeDocument({ ...response, ok: OK });
  } catch (error) {
    return encodeError(error);
  } finally {
    call?.allowance.endCommand();
  }
}

/** Encodes the reply to a failed command. An error that is not a DatabaseError is sent as 1 InternalError. */
export function encodeError(error: unknown): Buffer {
  const known =
    error instanceof DatabaseError
      ? error
      : new DatabaseError(1, error instanceof Error ? error.message : String(error));
  return encodeDocument({
    ok: new Double(0),
    errmsg: known.message,
    code: known.code,
    codeName: known.codeName,
    ...known.details,
  });
}

function readCall(request: Request, connection: Connection, services: Services): CommandCall {
  const { body, sequences } = request;
  const name = Object.keys(body)[0] ?? '';
  const database = body['$db'];
  if (typeof database !== 'string') {
    throw new DatabaseError(40571, 'OP_MSG requests require a $db argument');
  }
  if (database === '' || /[\0/\\. "$*<>:|?]/.test(database) || Buffer.byteLength(database) > 63) {
    throw new DatabaseError(73, `Invalid database name: '${database}'`);
  }
  assertSupported(body, COMMAND_DEPTH_MAX);
  const allowance = new Allowance(services.memory, readTimeLimit(body));
  return { name, database, body, sequences, connection, services, allowance };
}

function findCommand(call: CommandCall): Command {
  const command = COMMANDS.get(call.name);
  if (!command) throw new DatabaseError(59, `no such command: '${call.name}'`);
  assertFields(call, command);
  assertNoTransaction(call);
  assertConcerns(call);
  return command;
}

function assertFields(call: CommandCall, command: Command): void {
  const names = [...Object.keys(call.body), ...call.sequences.keys()];
  const unknown = names.find(
    (name) => name !== call.name && !GENERIC_FIELDS.has(name) && !command.fields.includes(name),
  );
  if (unknown !== undefined) {
    throw new DatabaseError(40415, `BSON field '${call.name}.${unknown}' is an unknown field.`);
  }
}

function assertNoTransaction({ body }: CommandCall): void {
  if (body['txnNumber'] === undefined && body['startTransaction'] === undefined) return;
  throw new DatabaseError(
    20,
    'Transaction numbers are only allowed on a replica set member or mongos',
  );
}

function assertConcerns({ body }: CommandCall): void {
  const read = readField(body['readConcern'], 'level');
  if (!READ_LEVELS.has(read)) {
    throw new DatabaseError(72, `Unsupported read concern level for this server: ${String(read)}`);
  }
  const acknowledgements = toNumber(readField(body['writeConcern'], 'w'));
  if (acknowledgements !== undefined && acknowledgements > 1) {
    throw new DatabaseError(2, "cannot use 'w' > 1 when a host is not replicated");
  }
}

function readField(value: unknown, field: string): unknown {
  return isDocument(value) ? value[field] : undefined;
}
