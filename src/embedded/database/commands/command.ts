// The input and result of a command handler. Also parses the arguments of commands, with MongoDB's
// errors.
import type { Socket } from 'node:net';
import { Double, Long } from 'bson';
import { badValue, DatabaseError, typeMismatch } from '../errors';
import type { Allowance, MemoryBudget } from '../planner/allowance';
import type { Reader } from '../planner/scan';
import { isTruthy } from '../query/value-tests';
import type { Catalog } from '../storage/catalog';
import type { Store } from '../storage/store';
import type { Sweeper } from '../storage/sweeper';
import {
  type BsonDocument,
  encodeDocument,
  isArray,
  isDocument,
  nameType,
  toNumber,
} from '../values/bson-values';
import type { Traffic } from '../wire/traffic';
import type { Connection, CursorRegistry } from './cursors';

const TIME_LIMIT_MS_MAX = 0x7fffffff;

/** The value of `ok` in every successful reply. */
export const OK = new Double(1);

/** The parts of a running database. */
export interface Services {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly cursors: CursorRegistry;
  /** The memory limit that all sorts, groups, lists and cursors share. */
  readonly memory: MemoryBudget;
  /** Removes the keys of dropped collections and indexes. */
  readonly sweeper: Sweeper;
  /** Counts the bytes of requests that wait, and of replies that clients have not read yet. */
  readonly traffic: Traffic<Socket>;
  readonly startedAt: Date;
  /** The number of clients that are connected right now. */
  readonly connectionCount: () => number;
}

export interface CommandCall {
  readonly name: string;
  readonly database: string;
  readonly body: BsonDocument;
  readonly sequences: ReadonlyMap<string, readonly Buffer[]>;
  readonly connection: Connection;
  readonly services: Services;
  readonly allowance: Allowance;
}

/** Creates the reader for the data of a command. The reader enforces the command's limits of time and memory. */
export function createReader({ services: { store, catalog }, allowance }: CommandCall): Reader {
  return { store, catalog, allowance };
}

/**
 * Returns the client's time limit in milliseconds, or infinity if the client sets none. Throws 2 BadValue if the limit
 * is invalid.
 */
export function readTimeLimit(body: BsonDocument): number {
  const value = body['maxTimeMS'];
  if (value === undefined) return Number.POSITIVE_INFINITY;
  const limitMs = toNumber(value);
  if (limitMs === undefined || !Number.isInteger(limitMs)) {
    throw badValue('maxTimeMS must be an integer');
  }
  if (limitMs < 0 || limitMs > TIME_LIMIT_MS_MAX) {
    throw badValue(`${limitMs} value for maxTimeMS is out of range`);
  }
  return limitMs === 0 ? Number.POSITIVE_INFINITY : limitMs;
}

/** A reply: either the fields, to which `ok` is added, or the encoded bytes. */
export type CommandResponse = BsonDocument | Buffer;

/** A command's handler and its own arguments. */
export interface Command {
  readonly fields: readonly string[];
  readonly run: (call: CommandCall) => CommandResponse | Promise<CommandResponse>;
}

/** Returns the collection that a command names. Throws 73 InvalidNamespace if the name is invalid. */
export function readCollectionName(call: CommandCall): string {
  const name = call.body[call.name];
  if (typeof name !== 'string') {
    throw new DatabaseError(73, `collection name has invalid type ${nameType(name)}`);
  }
  assertCollectionName(call.database, name);
  return name;
}

/** Rejects the names that MongoDB rejects. */
function assertCollectionName(database: string, name: string): void {
  const valid = name !== '' && !name.includes('\0') && !name.startsWith('.') && !name.endsWith('.');
  if (!valid || name.includes('$') || Buffer.byteLength(`${database}.${name}`) > 255) {
    throw new DatabaseError(73, `Invalid namespace specified '${database}.${name}'`);
  }
}

/**
 * Returns a document argument. If the argument is missing, returns an empty document. Throws 14 TypeMismatch for a
 * value of another type.
 */
export function readDocument(call: CommandCall, field: string): BsonDocument {
  const value = call.body[field];
  if (value === undefined || value === null) return {};
  if (isDocument(value)) return value;
  throw wrongType(call, field, value, 'object');
}

/**
 * Returns a non-negative number argument without its fraction, or `fallback` if it is missing. Throws 14 TypeMismatch
 * if it is not a number, and 51024 if it is negative.
 */
export function readCount(call: CommandCall, field: string, fallback: number): number {
  const value = call.body[field];
  if (value === undefined || value === null) return fallback;
  const number = toNumber(value);
  if (number === undefined) throw wrongType(call, field, value, 'number');
  if (number < 0) {
    throw new DatabaseError(
      51024,
      `BSON field '${field}' value must be >= 0, actual value '${number}'`,
    );
  }
  return Math.trunc(number);
}

/** Returns a boolean argument. Other types are converted as in MongoDB. */
export function readFlag(call: CommandCall, field: string): boolean {
  return isTruthy(call.body[field]);
}

export function readText(call: CommandCall, field: string): string {
  const value = call.body[field];
  if (typeof value === 'string') return value;
  throw wrongType(call, field, value, 'string');
}

function wrongType(
  call: CommandCall,
  field: string,
  value: unknown,
  wanted: string,
): DatabaseError {
  return typeMismatch(
    `BSON field '${call.name}.${field}' is the wrong type '${nameType(value)}', expected type '${wanted}'`,
  );
}

/**
 * Returns the documents of a write, encoded as BSON, from the document sequence `field` or the array `field` of the
 * body. Throws if both are missing.
 */
export function readList(call: CommandCall, field: string): readonly Buffer[] {
  const sequence = call.sequences.get(field);
  if (sequence) return assertListLength(sequence);
  const value = call.body[field];
  if (value === undefined) {
    throw new DatabaseError(
      40414,
      `BSON field '${call.name}.${field}' is missing but a required field`,
    );
  }
  if (!isArray(value)) throw wrongType(call, field, value, 'array');
  const documents = value.map((item) => {
    if (!isDocument(item)) throw wrongType(call, `${field}.0`, item, 'object');
    return encodeDocument(item);
  });
  return assertListLength(documents);
}

const LIST_LENGTH_MAX = 100_000;

function assertListLength(list: readonly Buffer[]): readonly Buffer[] {
  if (list.length > 0 && list.length <= LIST_LENGTH_MAX) return list;
  throw new DatabaseError(
    21,
    `Write batch sizes must be between 1 and ${LIST_LENGTH_MAX}. Got ${list.length} operations.`,
  );
}

/** Rejects any collation other than the simple one, which compares bytes. */
export function assertSimpleCollation(collation: unknown): void {
  if (collation === undefined) return;
  if (isDocument(collation)) {
    const fields = Object.keys(collation);
    if (fields.length === 0 || collation['locale'] === 'simple') return;
  }
  throw new DatabaseError(238, 'The embedded database has no collations but the simple one');
}

/** Converts a number to a long, the type in which MongoDB sends counts and sizes. */
export function toLong(value: number): Long {
  return Long.fromNumber(value);
}
