/** One secret by its name, without its value. */

import type { Secret } from '../../models/secrets/secrets';
import type { SecretResponse } from '../../schemas/responses/secrets';
import { secretNameShape } from '../../schemas/secret';
import type { Dependencies } from '../ports/dependencies';
import { presentSecret } from './present-secret';

/** Nothing also for a name that none can have. */
export async function findSecret(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  name: string,
): Promise<Secret | undefined> {
  if (!secretNameShape.safeParse(name).success) return undefined;
  const [secret] = await stores.secrets.findMany(accountId, [name]);
  return secret;
}

/** Throws `not_found`. */
export async function getSecret(
  needs: Pick<Dependencies, 'stores' | 'sealers'>,
  accountId: string,
  name: string,
): Promise<SecretResponse> {
  return presentSecret(needs, await findSecret(needs, accountId, name));
}
