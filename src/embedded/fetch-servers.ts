/**
 * Fetches ahead of time what the tests need: the Temporal server, the time-skipping test server
 * and a database. Run as a program; it starts no server.
 */
import { systemEnvironment } from '../config/child-environment';
import { readSettings } from '../config/settings';
import { sayUnhandledErrors } from '../platform/start-role';
import { findDatabase } from './database-sources';
import { createProgress } from './progress';
import { findTemporal } from './temporal-sources';
import { findTestServer } from './test-server-sources';

async function main(): Promise<void> {
  const settings = readSettings('all-in-one');
  const common = { environment: systemEnvironment(), progress: createProgress(process.stdout) };
  await findTemporal({ ...common, address: settings.TEMPORAL_ADDRESS });
  await findTestServer(common);
  await findDatabase({
    ...common,
    uri: settings.MONGODB_URI,
    mongod: settings.KEEPWATCH_MONGOD,
  });
}

sayUnhandledErrors();
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
