/**
 * Converts the driver's errors, which no other file handles. Errors of an unavailable database become AppError
 * `unavailable`.
 */
import mongoose from 'mongoose';
import { AppError } from '../../platform/errors';

const { MongoBulkWriteError, MongoServerError } = mongoose.mongo;

const RETRY_AFTER_SECONDS = 5;
const NO_RESPONSE = 'The database does not respond. Try again soon.';
const POOL_FULL = 'Too many requests need the database at the same time. Try again soon.';
const DUPLICATE_KEY = 11000;

/** Names of driver errors: no server was reached, or no server responded in time. */
const AWAY_NAMES: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoClientClosedError',
]);

/** Codes of server errors: shutting down, no primary, timeout, disk full (MongoDB manual). */
const AWAY_CODES: ReadonlySet<number> = new Set([
  50, 91, 189, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
]);

/** Codes of socket errors that the driver passes on unchanged. */
const AWAY_SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
]);

/** True if a unique index refused the write, even if other writes failed for other reasons. */
function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** True if the unique index that refused the write contains the field. */
export function isDuplicate(error: unknown, field: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  const pattern: unknown = error['keyPattern'];
  return typeof pattern === 'object' && pattern !== null && field in pattern;
}

/** True if all failed writes of an unordered insert failed as duplicates. */
function isDuplicatesOnly(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicateKey(error);
  const failed = readWriteErrors(error);
  return failed.length > 0 && failed.every((failure) => failure.code === DUPLICATE_KEY);
}

/** Runs the write. Resolves to false if all failed writes failed as duplicates of existing documents. */
export async function writeUnlessPresent(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!isDuplicatesOnly(error)) throw error;
    return false;
  }
}

/** Returns the positions of the refused writes. Empty if the error names none. */
export function listRefusedWrites(error: unknown): ReadonlySet<number> {
  if (!(error instanceof MongoBulkWriteError)) return new Set();
  return new Set(readWriteErrors(error).map(({ index }) => index));
}

function readWriteErrors({ writeErrors }: InstanceType<typeof MongoBulkWriteError>) {
  return Array.isArray(writeErrors) ? writeErrors : [writeErrors];
}

/**
 * Returns the error for callers. It is `unavailable` if the database is unreachable, or if no connection is free for
 * the call.
 */
export function translateError(error: unknown): unknown {
  if (isPoolFull(error)) return unavailable(error, POOL_FULL);
  return isAway(error) ? unavailable(error) : error;
}

/** True if other calls use all connections. The database itself may work. */
function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'MongoWaitQueueTimeoutError';
}

/** Creates the error for a call to which the database did not respond. */
export function unavailable(cause: unknown, message = NO_RESPONSE): AppError {
  return new AppError('unavailable', message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (AWAY_NAMES.has(error.name)) return true;
  if ('code' in error && AWAY_SOCKET_CODES.has(error.code)) return true;
  // The driver reports a lost connection as a bulk write error that has no refused writes.
  if (error instanceof MongoBulkWriteError && error.code === undefined)
    return readWriteErrors(error).length === 0;
  return error instanceof MongoServerError && AWAY_CODES.has(Number(error.code));
}
