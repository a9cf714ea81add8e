/** One secret by its name, without its value. */
import type { Dependencies } from './dependencies';
import { presentSecret, type SecretAnswer } from './present-secret';

/** Throws `not_found`. */
export async function getSecret(
  needs: Pick<Dependencies, 'stores'>,
  accountId: string,
  name: string,
): Promise<SecretAnswer> {
  const [row] = await needs.stores.secrets.findMany(accountId, [name]);
  return presentSecret(needs, row);
}
