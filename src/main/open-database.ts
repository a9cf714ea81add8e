/** The database as a process needs it at its start: reached, with its indexes, and the clock in step with its own. */
import { connectDatabase, type Database, ensureIndexes, readServerTime } from '../models';
import type { Logger } from '../platform/logger';
import { keepInStep, type SharedClock } from '../platform/shared-clock';

interface Keeping {
  readonly logger: Logger;
  /** Kept in step with the database's until that is closed. */
  readonly clock: SharedClock;
}

/** Throws when the server is away or refuses; no connection is left open then. */
export async function openDatabase(uri: string, { logger, clock }: Keeping): Promise<Database> {
  const database = await connectDatabase(uri, { logger });
  try {
    await ensureIndexes(database);
    const letGo = await keepInStep(clock, () => readServerTime(database));
    const close = async (): Promise<void> => {
      letGo();
      await database.close();
    };
    return { ...database, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}
