/** Deletes a secret, whether something uses it or not: that is `secret_missing` from then on. */
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';
import { findSecret } from './get-secret';
import { secretNotFound } from './present-secret';

interface DeleteSecret {
  readonly name: string;
  /** Throws when the stored version is not the one that the caller knows. */
  readonly accept: (version: number) => void;
}

/** Probes may still use the value for a minute. Throws `not_found`. */
export async function deleteSecret(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'sleep'>,
  accountId: string,
  { name, accept }: DeleteSecret,
): Promise<void> {
  await withOptimisticRetry(needs, async () => {
    const secret = await findSecret(needs, accountId, name);
    if (secret === undefined) throw secretNotFound();
    accept(secret.version);
    const isRemoved = await needs.stores.secrets.remove(accountId, name, secret.version);
    return isRemoved ? undefined : OVERTAKEN;
  });
}
