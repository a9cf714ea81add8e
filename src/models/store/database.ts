/**
 * The connection to the database. One per process, handed on as a value; nothing global. It gives
 * up on a database that is away soon enough for the API to say so within three seconds.
 */
import mongoose, { type Connection } from 'mongoose';
import { AppError, isUnavailable } from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import { createModels, type Models, makeCollections } from '../collections';
import { translateError } from './database-errors';
import { withinDeadline } from './deadline';

const SERVER_SELECTION_TIMEOUT_MS = 2_000;
/** A server that is frozen is noticed after this and the time-out; what hangs on it then ends. */
const HEARTBEAT_EVERY_MS = 3_000;
const POOL_SIZE_MAX = 20;
/** An index over the results of a large installation takes minutes; nothing takes longer. */
const INDEXES_WITHIN_MS = 10 * 60_000;
const DEFAULT_NAME = 'keepwatch';

export interface DatabaseOptions {
  /** The database's name; without it the one in the address, else `keepwatch`. */
  readonly name?: string;
  readonly logger: Logger;
}

/** An open connection. Operations fail at once while it is down and work again when it is back. */
export interface Database {
  readonly connection: Connection;
  readonly models: Models;
  /** Answers within the deadline or throws AppError `engine_unavailable`. */
  readonly ping: (deadlineMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Throws AppError `engine_unavailable` within about two seconds when no server is reached. */
export async function connectDatabase(uri: string, options: DatabaseOptions): Promise<Database> {
  const connection = mongoose.createConnection(uri, {
    dbName: options.name ?? databaseNameOf(uri) ?? DEFAULT_NAME,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    sanitizeFilter: true,
    serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
    connectTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
    waitQueueTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
    heartbeatFrequencyMS: HEARTBEAT_EVERY_MS,
    maxPoolSize: POOL_SIZE_MAX,
    // A standalone server has no retryable writes and refuses them.
    retryWrites: isReplicated(uri),
  });
  logChanges(connection, options.logger);
  try {
    await connection.asPromise();
  } catch (error) {
    await connection.destroy();
    throw translateError(error);
  }
  return {
    connection,
    models: createModels(connection),
    ping: (deadlineMs) => ping(connection, deadlineMs),
    close: () => connection.close(),
  };
}

/**
 * Makes missing collections and indexes; to be called at start, by any number of processes. Throws
 * AppError `engine_unavailable` after the deadline: what the server has begun may still be finished.
 */
export async function ensureIndexes(
  { connection }: Database,
  deadlineMs: number = INDEXES_WITHIN_MS,
): Promise<void> {
  try {
    await withinDeadline(() => makeCollections(connection), deadlineMs);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new AppError(
      'engine_unavailable',
      `The database did not make its collections and indexes within ${deadlineMs / 1_000} s.`,
      { cause: error },
    );
  }
}

async function ping(connection: Connection, deadlineMs: number): Promise<void> {
  const admin = connection.getClient().db('admin');
  await withinDeadline(() => admin.command({ ping: 1 }), deadlineMs);
}

function logChanges(connection: Connection, logger: Logger): void {
  connection.on('disconnected', () => logger.warn('database connection lost'));
  connection.on('reconnected', () => logger.info('database connection is back'));
  connection.on('error', (error: Error) =>
    logger.warn({ err: error }, 'database connection failed'),
  );
}

function isReplicated(uri: string): boolean {
  return uri.startsWith('mongodb+srv:') || /[?&]replicaSet=/i.test(uri);
}

function databaseNameOf(uri: string): string | undefined {
  const name = /^[^/]+\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}
