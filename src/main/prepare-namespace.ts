/**
 * `npm run prepare-namespace`: makes the namespace of a Temporal server of one's own fit for Keepwatch, as
 * `npm start` does with its own. It may be repeated, and changes nothing that people chose.
 */
import { readSettings } from '../config/settings';
import { temporalAddressOf } from '../config/temporal-settings';
import { prepareNamespace } from '../embedded/prepare-namespace';
import { endOnFailure, sayUnhandledErrors } from '../platform/start-role';

async function main(): Promise<void> {
  const settings = readSettings('all-in-one');
  const { address, namespace, ...security } = temporalAddressOf(settings);
  await prepareNamespace(address, namespace, security);
  process.stdout.write(`The namespace ${namespace} at ${address} is ready for Keepwatch.\n`);
}

sayUnhandledErrors();
main().catch(endOnFailure);
