/**
 * The one place that knows the driver's errors. A database that is away becomes AppError
 * `unavailable`; every other error passes unchanged.
 */
import mongoose from 'mongoose';
import { AppError } from '../../platform/errors';

const { MongoBulkWriteError, MongoServerError } = mongoose.mongo;

const RETRY_AFTER_SECONDS = 5;
const NO_RESPONSE = 'The database does not respond. Try again soon.';
const POOL_FULL = 'Too many requests need the database at the same time. Try again soon.';
const DUPLICATE_KEY = 11000;

/** Errors of the driver that mean: no server was reached, or none answered in time. */
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

/**
 * Answers of a server that can't serve now: shutting down, no primary, out of time, out of disk
 * (error codes of the MongoDB manual).
 */
const AWAY_CODES: ReadonlySet<number> = new Set([
  50, 91, 189, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
]);

/** Of sockets, where the driver lets their errors through as they are. */
const AWAY_SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
]);

/** True when the error says that a unique index refused the write, whatever else failed. */
function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** True when the unique index that refused the write covers the field. */
export function isDuplicateOf(error: unknown, field: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  const pattern: unknown = error['keyPattern'];
  return typeof pattern === 'object' && pattern !== null && field in pattern;
}

/** True when every failed write of an unordered insert failed as a duplicate. */
function isDuplicatesOnly(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicateKey(error);
  const failed = writeErrorsOf(error);
  return failed.length > 0 && failed.every((failure) => failure.code === DUPLICATE_KEY);
}

/** False when the unique index says of every write that failed that it is there already. */
export async function unlessThere(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!isDuplicatesOnly(error)) throw error;
    return false;
  }
}

/** Positions of the writes that the database has refused; empty when it says of none that it did. */
export function refusedWrites(error: unknown): ReadonlySet<number> {
  if (!(error instanceof MongoBulkWriteError)) return new Set();
  return new Set(writeErrorsOf(error).map(({ index }) => index));
}

function writeErrorsOf({ writeErrors }: InstanceType<typeof MongoBulkWriteError>) {
  return Array.isArray(writeErrors) ? writeErrors : [writeErrors];
}

/** The error that callers see: `unavailable` when the database is away, or has no connection left for the call. */
export function translateError(error: unknown): unknown {
  if (isPoolFull(error)) return unavailable(error, POOL_FULL);
  return isAway(error) ? unavailable(error) : error;
}

/** Other calls hold every connection: the database may be well. */
function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'MongoWaitQueueTimeoutError';
}

/** What a call throws when the database did not answer. */
export function unavailable(cause: unknown, message = NO_RESPONSE): AppError {
  return new AppError('unavailable', message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (AWAY_NAMES.has(error.name)) return true;
  if ('code' in error && AWAY_SOCKET_CODES.has(error.code)) return true;
  // The driver hides a lost connection in the error of a bulk in which nothing was refused.
  if (error instanceof MongoBulkWriteError && error.code === undefined)
    return writeErrorsOf(error).length === 0;
  return error instanceof MongoServerError && AWAY_CODES.has(Number(error.code));
}
