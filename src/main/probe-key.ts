/**
 * `node dist/main/probe-key.js <region> [file]` derives the key of a region's probes from KEEPWATCH_SECRET_KEY. Prints
 * the key, or writes it to a file that only this user can read.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { readSettings, requireSetting } from '../config/settings';
import { deriveLocalProbeKey } from '../platform/local-probe-key';
import { endOnFailure } from '../platform/start-role';

const OWNER_READS = 0o400;
const OWNER_WRITES = 0o600;
const REGION = /^[a-z][a-z0-9-]{0,31}$/;

async function main(region = '', file?: string): Promise<void> {
  if (!REGION.test(region)) throw new Error('usage: node dist/main/probe-key.js <region> [file]');
  const settings = readSettings('all-in-one');
  const secretKeys = requireSetting(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const key = `${deriveLocalProbeKey(secretKeys, region)}\n`;
  if (file === undefined) {
    process.stdout.write(key);
    return;
  }
  // The file may exist from the last start, with a key that was derived from an older secret key.
  makeWritable(file);
  writeFileSync(file, key, { mode: OWNER_WRITES });
  chmodSync(file, OWNER_READS);
}

function makeWritable(file: string): void {
  try {
    chmodSync(file, OWNER_WRITES);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

const [, , region, file] = process.argv;
main(region, file).catch(endOnFailure);
