/** The build of this process's workflows. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readVersion } from '../../platform/version';

/** The path of the workflow bundle, relative to the compiled file. */
export const WORKFLOW_BUNDLE_PATH = join(__dirname, '..', '..', 'workflow-bundle.js');

const HASH_DIGITS = 12;

/**
 * Returns the release and the hash of the bundle, for example `0.2.0-3fa9c1d2e4b5`. The same workflows give the same
 * text.
 */
export async function readOwnBuild(): Promise<string> {
  const bundle = await readFile(WORKFLOW_BUNDLE_PATH);
  const hash = createHash('sha256').update(bundle).digest('hex').slice(0, HASH_DIGITS);
  return `${readVersion()}-${hash}`;
}
