/**
 * The connection to the database, one per process. Calls end early enough for the API to respond within three seconds.
 */
import mongoose, { type Connection } from 'mongoose';
import { AppError, isUnavailable } from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import { createModels, type Models, makeCollections } from '../collections';
import { translateError } from './database-errors';
import { withinDeadline } from './deadline';
import { endCommandsWithTheirConnection } from './driver-fault';

type MongoClient = InstanceType<typeof mongoose.mongo.MongoClient>;

/** The default deadlines. They are so short that the API can report an unavailable database within three seconds. */
const DEADLINES: DatabaseDeadlines = { callMs: 2_500, connectMs: 2_000 };
/**
 * Interval in ms at which the driver checks its servers. A server that hangs is noticed after this time plus the
 * timeout.
 */
const HEARTBEAT_EVERY_MS = 3_000;
const POOL_SIZE_MAX = 20;
/** The time limit for building an index. In a large installation, building an index of the results takes minutes. */
const INDEXES_WITHIN_MS = 10 * 60_000;
const DEFAULT_NAME = 'keepwatch';

export interface DatabaseOptions {
  /** The name of the database. The default is the name in the URI, or otherwise `keepwatch`. */
  readonly name?: string;
  readonly logger: Logger;
  /** The deadlines. The default is `DEADLINES`. */
  readonly deadlines?: DatabaseDeadlines | undefined;
}

export interface DatabaseDeadlines {
  /** Timeout of each store call. */
  readonly callMs: number;
  /** Timeout for finding a server, connecting to it, and waiting for a free connection. */
  readonly connectMs: number;
}

/**
 * The connection to the database. While the database is unreachable, operations fail immediately. Operations work again
 * once the database responds.
 */
export interface Database {
  readonly connection: Connection;
  readonly models: Models;
  /** Timeout of each store call. */
  readonly callDeadlineMs: number;
  /** Resolves within the deadline, or throws AppError `unavailable`. Does not wait for other calls. */
  readonly ping: (deadlineMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Connects. Throws AppError `unavailable` if no server is reached in time. */
export async function connectDatabase(uri: string, options: DatabaseOptions): Promise<Database> {
  endCommandsWithTheirConnection();
  const { callMs, connectMs } = options.deadlines ?? DEADLINES;
  const connection = mongoose.createConnection(uri, {
    dbName: options.name ?? readDatabaseName(uri) ?? DEFAULT_NAME,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    sanitizeFilter: true,
    serverSelectionTimeoutMS: connectMs,
    connectTimeoutMS: connectMs,
    waitQueueTimeoutMS: connectMs,
    heartbeatFrequencyMS: HEARTBEAT_EVERY_MS,
    maxPoolSize: POOL_SIZE_MAX,
    // Retryable writes are off for a standalone server, which does not support them.
    retryWrites: isReplicated(uri),
  });
  logChanges(connection, options.logger);
  try {
    await connection.asPromise();
  } catch (error) {
    await connection.destroy();
    throw translateError(error);
  }
  const pinger = createPinger(uri, connectMs);
  return {
    connection,
    models: createModels(connection),
    callDeadlineMs: callMs,
    ping: pinger.ping,
    close: async () => {
      await Promise.all([pinger.close(), connection.close()]);
    },
  };
}

/**
 * Creates the ping. It uses a separate connection, because other calls may use up the pool. After a failed connection,
 * the next ping creates a new client.
 */
function createPinger(uri: string, connectMs: number): Pick<Database, 'ping' | 'close'> {
  let opened: Promise<MongoClient> | null = null;
  async function open(): Promise<MongoClient> {
    const client = new mongoose.mongo.MongoClient(uri, {
      serverSelectionTimeoutMS: connectMs,
      connectTimeoutMS: connectMs,
      waitQueueTimeoutMS: connectMs,
      heartbeatFrequencyMS: HEARTBEAT_EVERY_MS,
      maxPoolSize: 1,
    });
    try {
      return await client.connect();
    } catch (error) {
      opened = null;
      await client.close();
      throw error;
    }
  }
  async function ask(): Promise<void> {
    opened ??= open();
    const client = await opened;
    await client.db('admin').command({ ping: 1 });
  }
  return {
    ping: (deadlineMs) => withinDeadline(ask, deadlineMs),
    close: async () => {
      const client = await opened?.catch(() => null);
      await client?.close();
    },
  };
}

/**
 * Creates missing collections and indexes, and migrates data of earlier releases. Several processes may call it. Throws
 * AppError `unavailable` after the deadline, but the server may still finish.
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
      'unavailable',
      `The database did not create its collections and indexes within ${deadlineMs / 1_000} s.`,
      { cause: error },
    );
  }
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

function readDatabaseName(uri: string): string | undefined {
  const name = /^[^/]+\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}
