/** Runs once after all tests with servers. Stops the servers of this run and removes their data. */
import { rmSync } from 'node:fs';
import { startedServers } from './started-servers';

const GRACE_MS = 5_000;

export = async function globalTeardown(): Promise<void> {
  // Stops the servers in reverse order, because later servers use earlier ones.
  for (const server of startedServers.toReversed()) await server.stop(GRACE_MS);
  const folder = process.env['KEEPWATCH_TEST_FOLDER'];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
};
