// Calls one of MongoDB's own tools, which must be installed. The URI of the database does not appear in the process
// list.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the tool and shows its output. Throws if the tool is missing or fails. */
export function callMongoTool(tool, uri, options) {
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-'));
  try {
    const config = join(folder, 'config.yml');
    writeFileSync(config, `uri: ${JSON.stringify(uri)}\n`, { mode: 0o600 });
    const { error, status } = spawnSync(tool, [`--config=${config}`, ...options], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (error?.code === 'ENOENT')
      throw new Error(
        `This is a MongoDB, but ${tool} is not on the PATH: install the MongoDB tools.`,
      );
    if (error) throw error;
    if (status !== 0) throw new Error(`${tool} ended with ${status}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
