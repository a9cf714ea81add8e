/** Downloads the Temporal server ahead of the tests. */
import { buildSystemEnvironment } from '../config/child-environment';
import { readSettings } from '../config/settings';
import { printUnhandledErrors } from '../platform/start-role';
import { createProgress } from './progress';
import { findTemporal } from './temporal-sources';

async function main(): Promise<void> {
  const { TEMPORAL_ADDRESS: address } = readSettings('all-in-one');
  const progress = createProgress(process.stdout);
  await findTemporal({ environment: buildSystemEnvironment(), progress, address });
}

printUnhandledErrors();
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
