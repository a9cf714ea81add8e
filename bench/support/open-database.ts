// Opens a second connection to the database of a service that a benchmark has started.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { connectDatabase, type Database } from '../../src/models';
import { createLogger } from '../../src/platform/logger';

const recordShape = z.object({ database: z.object({ uri: z.string() }) });

export function readDatabaseUri(folder: string): string {
  const record: unknown = JSON.parse(readFileSync(join(folder, 'servers.json'), 'utf8'));
  return recordShape.parse(record).database.uri;
}

/** Opens a connection, which the caller must close. */
export async function openDatabase(folder: string): Promise<Database> {
  return connectDatabase(readDatabaseUri(folder), { logger: createLogger('bench', 'silent') });
}
