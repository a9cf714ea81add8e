/** Reads values of secrets. Only the internal endpoint for probes and the sender of alerts may use this file. */
import type { ProbeSecret } from '../../contracts/probe-protocol';
import { secretContext } from '../../contracts/seal-contexts';
import type { Dependencies } from '../ports/dependencies';
import { openStored } from './secret-variables';

interface SecretNeeds {
  readonly stores: Pick<Dependencies['stores'], 'secrets'>;
  readonly sealers: Pick<Dependencies['sealers'], 'stored'>;
}

/** Returns the named secrets that exist. Throws `internal` for a value that cannot be decrypted. */
export async function readSecrets(
  { stores, sealers }: SecretNeeds,
  accountId: string,
  names: readonly string[],
): Promise<readonly ProbeSecret[]> {
  const secrets = await stores.secrets.findMany(accountId, names);
  return secrets.map(({ name, version, hosts, sealed }) => ({
    name,
    ...(hosts == null ? {} : { hosts }),
    value: openStored(sealers.stored, sealed, secretContext(accountId, name, version)),
  }));
}
