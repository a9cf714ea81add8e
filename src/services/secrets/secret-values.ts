/**
 * Reads the values of all secrets of an account, to mask them in texts. Caches the values of the most recently used
 * accounts, and decrypts them again when secrets have changed.
 */
import { createHash } from 'node:crypto';
import { secretContext } from '../../contracts/seal-contexts';
import { openOrNull } from '../../platform/sealing';
import type { Dependencies } from '../ports/dependencies';

const SECRETS_PER_PAGE = 500;
const ACCOUNTS_KEPT = 50;

export interface SecretValues {
  /** A text that identifies the account and the state of its secrets. */
  readonly id: string;
  readonly values: readonly string[];
}

/** Returns the values. null means that a secret cannot be decrypted, for example because its key was removed. */
export type ReadSecretValues = (accountId: string) => Promise<SecretValues | null>;

type Needs = Pick<Dependencies, 'stores' | 'sealers'>;

export function createSecretValues(needs: Needs): ReadSecretValues {
  const kept = new Map<string, SecretValues>();
  return async (accountId) => {
    const state = await needs.stores.secrets.describeState(accountId);
    const id = createHash('sha256').update(`${accountId} ${state}`).digest('base64url');
    const known = kept.get(accountId);
    const found = known?.id === id ? known.values : await openAll(needs, accountId);
    kept.delete(accountId);
    if (found === null) return null;
    const values = { id, values: found };
    kept.set(accountId, values);
    const [oldest] = kept.keys();
    if (kept.size > ACCOUNTS_KEPT && oldest !== undefined) kept.delete(oldest);
    return values;
  };
}

async function openAll(
  { stores, sealers }: Needs,
  accountId: string,
): Promise<readonly string[] | null> {
  const values: string[] = [];
  for (let afterName: string | null = null; ; ) {
    const page = { limit: SECRETS_PER_PAGE, afterName };
    const { items, hasMore } = await stores.secrets.list(accountId, page);
    for (const { name, version, sealed } of items) {
      const value = openOrNull(sealers.stored, sealed, secretContext(accountId, name, version));
      if (value === null) return null;
      values.push(value);
    }
    if (!hasMore) return values;
    afterName = items.at(-1)?.name ?? null;
  }
}
