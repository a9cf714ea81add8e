/** Finds the servers of this service from the settings or from all-in-one's data folder. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Settings } from '../config/settings';
import { openServerRecord } from '../embedded/server-record';
import { type Finding, failed, ok } from './finding';

export interface Installed {
  readonly dataFolder: string;
  readonly mongodbUri: string | null;
  readonly temporalAddress: string | null;
  /** The keys that encrypt secrets. Empty if no key is known. */
  readonly secretKeys: readonly string[];
  /** The URL of the API for programs on this host. */
  readonly apiUrl: string;
}

export async function findInstalled(settings: Settings): Promise<Installed> {
  const dataFolder = resolve(settings.KEEPWATCH_DATA_DIR);
  const record = (await openServerRecord(dataFolder)).current();
  const kept = await readFile(join(dataFolder, 'secret-key'), 'utf8').catch(() => '');
  const generated = kept.trim() === '' ? [] : [kept.trim()];
  return {
    dataFolder,
    mongodbUri: settings.MONGODB_URI ?? record.database?.uri ?? null,
    temporalAddress: settings.TEMPORAL_ADDRESS ?? record.temporal?.address ?? null,
    secretKeys: settings.KEEPWATCH_SECRET_KEY ?? generated,
    apiUrl: `http://127.0.0.1:${record.api?.port ?? settings.PORT}`,
  };
}

export function examineKey({ secretKeys, dataFolder }: Installed): Finding {
  if (secretKeys.length > 0) return ok('secret key', `${secretKeys.length} in use`);
  const says = `KEEPWATCH_SECRET_KEY is not set, and ${join(dataFolder, 'secret-key')} does not exist`;
  return failed(
    'secret key',
    says,
    'Set the key that was used before, or start the service once to create a key.',
  );
}
