/**
 * Creates, lists and revokes the keys of probes, for operators. A key is shown only once. Its secret is stored
 * encrypted and not as a hash, because the API encrypts responses to the probe with it.
 */
import { probeKeyText } from '../../contracts/probe-key';
import { probeKeyContext } from '../../contracts/seal-contexts';
import type { StoredProbeKey } from '../../models/operations/probe-keys';
import { AppError } from '../../platform/errors';
import type { ProbeKeyBody } from '../../schemas/probe-key';
import type { ResponseOf } from '../../schemas/responses/parts';
import type { newProbeKey, probeKey } from '../../schemas/responses/probe-keys';
import { findMaker, type Principal, requireInstallationAdmin } from '../accounts/principal';
import { toInstant, toInstantOrNull } from '../lists/instants';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';

const SECRET_BYTES = 32;
/** Maximum number of keys. Revoked keys count as well, because they are kept as a record. */
const KEYS_MAX = 1_000;

type ProbeKeyResponse = ResponseOf<typeof probeKey>;
/** The response to the creation of a key. No other response contains the key. */
type NewProbeKeyResponse = ResponseOf<typeof newProbeKey>;

/** Creates a key. Throws `insufficient_scope` and `limit_reached`. */
export async function createProbeKey(
  needs: Dependencies,
  principal: Principal,
  { region, name }: ProbeKeyBody,
): Promise<NewProbeKeyResponse> {
  const { stores, clock, newId, randomBytes, sealers } = needs;
  await requireInstallationAdmin(needs, principal);
  if ((await stores.probeKeys.count()) >= KEYS_MAX)
    throw new AppError(
      'limit_reached',
      `An installation may have at most ${KEYS_MAX} keys of probes.`,
    );
  const id = newId('probeKey');
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const stored: StoredProbeKey = {
    id,
    region,
    name,
    sealed: sealers.stored.seal(secret, probeKeyContext(region, id)),
    createdAtMs: clock.now(),
    createdBy: await findMaker(needs, principal),
    revokedAtMs: null,
    lastUsedAtMs: null,
  };
  await stores.probeKeys.create(stored);
  return { ...present(stored), key: probeKeyText({ region, id, secret }) };
}

/**
 * Lists all keys, newest first, including revoked keys. If the caller's account is not the first account, the list is
 * empty.
 */
export async function listProbeKeys(
  needs: Dependencies,
  principal: Principal,
  request: ListRequest,
): Promise<ListPage<ProbeKeyResponse>> {
  const { accounts, probeKeys } = needs.stores;
  const isTheirs = await accounts.isFirst(principal.accountId);
  const scope = { accountId: principal.accountId, list: 'probe-keys' };
  return readList(scope, request, {
    read: async (query) => (isTheirs ? probeKeys.list(query) : { items: [], hasMore: false }),
    present,
  });
}

/** Returns the key. Throws `not_found` if the key is unknown, or if the caller's account is not the first account. */
export async function getProbeKey(
  needs: Dependencies,
  principal: Principal,
  keyId: string,
): Promise<ProbeKeyResponse> {
  const isTheirs = await needs.stores.accounts.isFirst(principal.accountId);
  const stored = isTheirs ? await needs.stores.probeKeys.find(keyId) : null;
  if (stored === null) throw new AppError('not_found', 'There is no key of a probe with this id.');
  return present(stored);
}

/**
 * Revokes the key. From now on, requests with the key are refused. Idempotent. Throws the same errors as getProbeKey.
 */
export async function revokeProbeKey(
  needs: Dependencies,
  principal: Principal,
  keyId: string,
): Promise<void> {
  await getProbeKey(needs, principal, keyId);
  await needs.stores.probeKeys.revoke(keyId, needs.clock.now());
}

function present(stored: StoredProbeKey): ProbeKeyResponse {
  const { id, region, name, createdBy } = stored;
  return {
    id,
    region,
    name,
    createdAt: toInstant(stored.createdAtMs),
    createdBy,
    revokedAt: toInstantOrNull(stored.revokedAtMs),
    lastUsedAt: toInstantOrNull(stored.lastUsedAtMs),
  };
}

export interface ProbeSecretRecord {
  readonly secret: string;
  readonly isRevoked: boolean;
}

/**
 * Returns the secret of a key. Returns null if the region has no such key. Throws `internal` if the secret cannot be
 * decrypted.
 */
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
    throw new AppError('internal', 'The key of a probe cannot be decrypted.', { cause });
  }
}

export async function noteProbeKeyUse(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  keyId: string,
): Promise<void> {
  await stores.probeKeys.touch(keyId, clock.now());
}
