/**
 * `npm run prepare-namespace` prepares the operator's own Temporal namespace for Keepwatch. The command can be run
 * again, and keeps settings that people have chosen.
 */
import { readSettings } from '../config/settings';
import { readTemporalAddress } from '../config/temporal-settings';
import { prepareNamespace } from '../embedded/prepare-namespace';
import { endOnFailure, printUnhandledErrors } from '../platform/start-role';

async function main(): Promise<void> {
  const settings = readSettings('all-in-one');
  const { address, namespace, ...security } = readTemporalAddress(settings);
  await prepareNamespace(address, namespace, security);
  process.stdout.write(`The namespace ${namespace} at ${address} is ready for Keepwatch.\n`);
}

printUnhandledErrors();
main().catch(endOnFailure);
