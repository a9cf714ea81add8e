/** A secret as /v1 returns it (docs/api.md): never its value. */

import type { Secret } from '../../models/secrets/secrets';
import { AppError } from '../../platform/errors';
import type { SecretResponse } from '../../schemas/responses/secrets';
import { readChannelUses } from '../alerting/channel-secrets';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'sealers'>;

/** One look at the uses of all. */
export async function presentSecrets(
  needs: Needs,
  accountId: string,
  secrets: readonly Secret[],
): Promise<readonly SecretResponse[]> {
  const names = secrets.map(({ name }) => name);
  const uses = names.length === 0 ? [] : await findUses(needs, accountId, names);
  return secrets.map(({ name, version, hosts, createdAtMs, updatedAtMs }) => ({
    name,
    version,
    hosts: hosts ?? null,
    createdAt: toInstant(createdAtMs),
    updatedAt: toInstant(updatedAtMs),
    usedBy: uses.filter(({ secretNames }) => secretNames.includes(name)).map(({ id }) => id),
  }));
}

async function findUses(needs: Needs, accountId: string, names: readonly string[]) {
  const [checks, channels] = await Promise.all([
    needs.stores.secrets.findUses(accountId, names),
    readChannelUses(needs, accountId),
  ]);
  return [...checks, ...channels];
}

/** Throws `not_found` without a secret. */
export async function presentSecret(
  needs: Needs,
  secret: Secret | undefined,
): Promise<SecretResponse> {
  const [response] =
    secret === undefined ? [] : await presentSecrets(needs, secret.accountId, [secret]);
  if (response === undefined) throw secretNotFound();
  return response;
}

export function secretNotFound(): AppError {
  return new AppError('not_found', 'There is no secret with this name.');
}
