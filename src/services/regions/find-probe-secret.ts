/** The secret that a probe with a stored key shares with the API. Only the internal endpoint asks for it. */
import { probeKeyContext } from '../../contracts/seal-contexts';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';

export interface ProbeSecretRecord {
  readonly secret: string;
  readonly isRevoked: boolean;
}

/** null: there is no such key for the region. Throws `internal` for a broken seal. */
export async function findProbeSecret(
  { stores, sealers }: Pick<Dependencies, 'stores' | 'sealers'>,
  region: string,
  keyId: string,
): Promise<ProbeSecretRecord | null> {
  const key = await stores.probeKeys.find(keyId);
  if (key === null || key.region !== region) return null;
  try {
    const secret = sealers.stored.open(key.sealed, probeKeyContext(region, keyId));
    return { secret, isRevoked: key.revokedAtMs !== null };
  } catch (cause) {
    throw new AppError('internal', 'The key of a probe cannot be opened.', { cause });
  }
}

/** Notes that the probe asked. */
export async function noteProbeKeyUse(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  keyId: string,
): Promise<void> {
  await stores.probeKeys.touch(keyId, clock.now());
}
