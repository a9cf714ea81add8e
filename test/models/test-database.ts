/**
 * Opens a separate database for one test file. It is on the server that the environment names, or embedded in this
 * process.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDatabase } from '../../src/embedded/database/server';
import { connectDatabase, type Database, ensureIndexes } from '../../src/models';
import type { DatabaseDeadlines } from '../../src/models/store/database';
import { createLogger } from '../../src/platform/logger';

const silent = createLogger('test', 'silent');

export interface TestDatabase {
  readonly uri: string;
  readonly name: string;
  readonly database: Database;
  readonly close: () => Promise<void>;
}

/** Deadlines of database calls. They are generous, because a busy machine does not mean that the database is down. */
const GENEROUS: DatabaseDeadlines = { callMs: 60_000, connectMs: 60_000 };

/** Opens an empty database with all collections and indexes. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = await findServer();
  const name = `keepwatch_test_${randomBytes(6).toString('hex')}`;
  const database = await connectTo(server.uri, name);
  await ensureIndexes(database);
  return {
    uri: server.uri,
    name,
    database,
    close: async () => {
      await database.connection.dropDatabase();
      await database.close();
      await server.close();
    },
  };
}

/** Opens another connection to the URI. The caller must close it. */
export function connectTo(
  uri: string,
  name: string,
  deadlines: DatabaseDeadlines = GENEROUS,
): Promise<Database> {
  return connectDatabase(uri, { name, logger: silent, deadlines });
}

async function findServer(): Promise<{ uri: string; close: () => Promise<void> }> {
  const given = process.env['KEEPWATCH_TEST_MONGODB'] ?? process.env['MONGODB_URI'];
  if (given !== undefined && given !== '') return { uri: given, close: async () => {} };
  const dir = await mkdtemp(path.join(tmpdir(), 'keepwatch-models-'));
  const { port, close } = await startDatabase({ dir, host: '127.0.0.1', port: 0 });
  return {
    uri: `mongodb://127.0.0.1:${port}`,
    close: async () => {
      await close();
      await rm(dir, { recursive: true });
    },
  };
}
