/** Values of secrets, for probes and for alert channels. Only the internal endpoint and the sender of alerts ask. */
import type { ProbeSecret } from '../../contracts/probe-protocol';
import { secretContext } from '../../contracts/seal-contexts';
import type { Dependencies } from '../ports/dependencies';
import { openStored } from './secret-variables';

interface SecretNeeds {
  readonly stores: Pick<Dependencies['stores'], 'secrets'>;
  readonly sealers: Pick<Dependencies['sealers'], 'stored'>;
}

/** Those of the named secrets that exist. Throws `internal` for a broken seal. */
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
