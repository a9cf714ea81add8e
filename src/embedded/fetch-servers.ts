/**
 * Fetches ahead of time what the tests need: the Temporal server and the time-skipping test server.
 * Tests use the embedded database. Run as a program; it starts no server.
 */
import { systemEnvironment } from '../config/child-environment';
import { readSettings } from '../config/settings';
import { sayUnhandledErrors } from '../platform/start-role';
import { createProgress } from './progress';
import { findTemporal } from './temporal-sources';
import { findTestServer } from './test-server-sources';

async function main(): Promise<void> {
  const settings = readSettings('all-in-one');
  const common = { environment: systemEnvironment(), progress: createProgress(process.stdout) };
  await findTemporal({ ...common, address: settings.TEMPORAL_ADDRESS });
  await findTestServer(common);
}

sayUnhandledErrors();
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
