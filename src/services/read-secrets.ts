/** Values of secrets, for probes. Only the internal endpoint asks for them. */
import type { NamedValue } from '../contracts/definition';
import { secretContext } from '../contracts/seal-contexts';
import type { Dependencies } from './dependencies';
import { openStored } from './secret-variables';

/** Those of the named secrets that exist. Throws `internal` for a broken seal. */
export async function readSecrets(
  { stores, sealers }: Pick<Dependencies, 'stores' | 'sealers'>,
  accountId: string,
  names: readonly string[],
): Promise<readonly NamedValue[]> {
  const rows = await stores.secrets.findMany(accountId, names);
  return rows.map(({ name, version, sealed }) => ({
    name,
    value: openStored(sealers.stored, sealed, secretContext(accountId, name, version)),
  }));
}
