/** The database as a process needs it at its start: reached, and with its indexes. */
import { connectDatabase, type Database, ensureIndexes } from '../models';
import type { Logger } from '../platform/logger';

/** Throws when the server is away or refuses; no connection is left open then. */
export async function openDatabase(uri: string, logger: Logger): Promise<Database> {
  const database = await connectDatabase(uri, { logger });
  try {
    await ensureIndexes(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
