/** Opens the database at the start of a process. Connects, ensures the indexes, and synchronizes the shared clock. */
import { connectDatabase, type Database, ensureIndexes, readServerTime } from '../models';
import type { Logger } from '../platform/logger';
import { type SharedClock, startSynchronizing } from '../platform/shared-clock';

interface Keeping {
  readonly logger: Logger;
  /** Follows the database's clock until the database is closed. */
  readonly clock: SharedClock;
}

/** Opens the database. If the server is unavailable or refuses the connection, throws and leaves no connection open. */
export async function openDatabase(uri: string, { logger, clock }: Keeping): Promise<Database> {
  const database = await connectDatabase(uri, { logger });
  try {
    await ensureIndexes(database);
    const stopSync = await startSynchronizing(clock, () => readServerTime(database));
    const close = async (): Promise<void> => {
      stopSync();
      await database.close();
    };
    return { ...database, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}
