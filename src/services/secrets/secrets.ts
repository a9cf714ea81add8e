/**
 * Creates, reads and deletes secrets of accounts. Values are encrypted and never returned. Hosts can be changed only
 * together with the value. Otherwise, people who do not know the value could send it to their own host.
 */

import { secretContext } from '../../contracts/seal-contexts';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { Secret, SecretUse } from '../../models/secrets/secrets';
import { findChannel } from '../../notify/channels/registry';
import { AppError } from '../../platform/errors';
import type { SecretResponse } from '../../schemas/responses/secrets';
import { secretNameShape } from '../../schemas/secret';
import { openConfig, readChannels } from '../alerting/alert-destinations';
import { listSecretNames } from '../alerting/channel-config';
import { refuseProblems } from '../lists/field-problems';
import { toInstant } from '../lists/instants';
import { type ListPage, type ListRequest, readItems } from '../lists/read-list';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';

type Reading = Pick<Dependencies, 'stores' | 'sealers'>;
type Needs = Reading & Pick<Dependencies, 'clock' | 'sleep'>;

/** Finds the secret. Throws `not_found` for an unknown or invalid name. */
async function findSecret(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  name: string,
): Promise<Secret> {
  const isName = secretNameShape.safeParse(name).success;
  const [secret] = isName ? await stores.secrets.findMany(accountId, [name]) : [];
  if (secret === undefined) throw new AppError('not_found', 'There is no secret with this name.');
  return secret;
}

/** Returns the secret without its value. Throws `not_found`. */
export async function getSecret(
  needs: Reading,
  accountId: string,
  name: string,
): Promise<SecretResponse> {
  return presentSecret(needs, await findSecret(needs, accountId, name));
}

/** Lists secrets. Pages stay stable while new secrets are added. */
export async function listSecrets(
  needs: Reading,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<SecretResponse>> {
  const { items, nextCursor } = await readItems({ accountId, list: 'secrets' }, request, {
    read: ({ limit, beforeId: afterName }) =>
      needs.stores.secrets.list(accountId, { limit, afterName }),
    readId: ({ name }) => name,
  });
  return { data: await presentSecrets(needs, accountId, items), nextCursor };
}

/** Maximum number of secrets per account. It is low, because every response and ping is searched for all of them. */
const SECRETS_MAX = 500;

/** Used as the version of a secret that does not exist. */
const NO_VERSION = 0;

interface SecretChange {
  readonly name: string;
  /** Throws if the stored version is not the version that the client expects. */
  readonly accept: (version: number) => void;
}

interface PutSecret extends SecretChange {
  readonly value: string;
  /** Hosts that may receive the secret. null means any host, and undefined leaves the hosts unchanged. */
  readonly hosts: readonly string[] | null | undefined;
}

/**
 * Sets a secret. If value and hosts are the same as before, nothing changes. Probes may use the previous value for up
 * to a minute. Throws `validation_failed` for an invalid name, and `limit_reached` for too many secrets.
 */
export async function putSecret(
  needs: Needs,
  accountId: string,
  { name, value, hosts: given, accept }: PutSecret,
): Promise<{ readonly secret: SecretResponse; readonly isNew: boolean }> {
  requireName(name);
  return withOptimisticRetry(needs, async () => {
    const [previous] = await needs.stores.secrets.findMany(accountId, [name]);
    accept(previous?.version ?? NO_VERSION);
    const hosts = given === undefined ? (previous?.hosts ?? null) : given;
    if (previous !== undefined && isSame(previous.hosts, hosts) && hasValue(needs, previous, value))
      return { secret: await presentSecret(needs, previous), isNew: false };
    if (previous === undefined && (await needs.stores.secrets.count(accountId)) >= SECRETS_MAX)
      throw new AppError(
        'limit_reached',
        `An account may have at most ${SECRETS_MAX} secrets. Delete one first.`,
      );
    const next = sealedSecret(needs, { accountId, name, value, hosts, previous });
    const isWritten =
      previous === undefined
        ? await needs.stores.secrets.create(accountId, next)
        : await needs.stores.secrets.replace(accountId, next, previous.version);
    if (!isWritten) return OVERTAKEN;
    return { secret: await presentSecret(needs, next), isNew: previous === undefined };
  });
}

function requireName(name: string): void {
  const checked = secretNameShape.safeParse(name);
  if (checked.success) return;
  const message = checked.error.issues[0]?.message ?? 'is not a valid name';
  refuseProblems([{ path: 'name', code: 'invalid_value', message }]);
}

function isSame(a: Secret['hosts'], b: Secret['hosts']): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** True if the secret has this value. False if the stored value cannot be decrypted, so that the caller replaces it. */
function hasValue({ sealers }: Needs, secret: Secret, value: string): boolean {
  const { accountId, name, version, sealed } = secret;
  try {
    return sealers.stored.open(sealed, secretContext(accountId, name, version)) === value;
  } catch {
    return false;
  }
}

interface NewValue {
  readonly accountId: string;
  readonly name: string;
  readonly value: string;
  readonly hosts: readonly string[] | null;
  readonly previous: Secret | undefined;
}

function sealedSecret({ sealers, clock }: Needs, given: NewValue): Secret {
  const { accountId, name, value, hosts, previous } = given;
  const version = (previous?.version ?? 0) + 1;
  const nowMs = clock.now();
  return {
    accountId,
    name,
    version,
    hosts,
    sealed: sealers.stored.seal(value, secretContext(accountId, name, version)),
    createdAtMs: previous?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
  };
}

/** Deletes the secret. Probes may still use the value for a minute. Throws `not_found`. */
export async function deleteSecret(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'sleep'>,
  accountId: string,
  { name, accept }: SecretChange,
): Promise<void> {
  await withOptimisticRetry(needs, async () => {
    const secret = await findSecret(needs, accountId, name);
    accept(secret.version);
    const isRemoved = await needs.stores.secrets.remove(accountId, name, secret.version);
    return isRemoved ? undefined : OVERTAKEN;
  });
}

/** Converts secrets to responses. One read finds the uses of all given secrets. */
async function presentSecrets(
  needs: Reading,
  accountId: string,
  secrets: readonly Secret[],
): Promise<readonly SecretResponse[]> {
  const names = secrets.map(({ name }) => name);
  const uses = names.length === 0 ? [] : await findUses(needs, accountId, names);
  return secrets.map((secret) => present(secret, uses));
}

async function presentSecret(needs: Reading, secret: Secret): Promise<SecretResponse> {
  return present(secret, await findUses(needs, secret.accountId, [secret.name]));
}

async function findUses(
  needs: Reading,
  accountId: string,
  names: readonly string[],
): Promise<readonly SecretUse[]> {
  const [checks, channels] = await Promise.all([
    needs.stores.secrets.findUses(accountId, names),
    readChannelUses(needs, accountId),
  ]);
  return [...checks, ...channels];
}

function present(
  { name, version, hosts = null, createdAtMs, updatedAtMs }: Secret,
  uses: readonly SecretUse[],
): SecretResponse {
  return {
    name,
    version,
    hosts,
    createdAt: toInstant(createdAtMs),
    updatedAt: toInstant(updatedAtMs),
    usedBy: uses.filter(({ secretNames }) => secretNames.includes(name)).map(({ id }) => id),
  };
}

interface ChannelUse {
  readonly id: string;
  readonly secretNames: readonly string[];
}

/** Returns every channel of the account, oldest first, with the names of the secrets to which it refers. */
async function readChannelUses(needs: Reading, accountId: string): Promise<readonly ChannelUse[]> {
  const channels = await readChannels(needs.stores.alertChannels, accountId);
  return channels
    .toReversed()
    .map((alertChannel) => ({ id: alertChannel.id, secretNames: namesIn(needs, alertChannel) }));
}

/**
 * Returns the names of the secrets. If the configuration cannot be decrypted, searches the masked configuration
 * instead, which hides some names.
 */
function namesIn({ sealers }: Reading, alertChannel: AlertChannel): readonly string[] {
  const channel = findChannel(alertChannel.type);
  if (channel === undefined) return [];
  try {
    return listSecretNames(channel, openConfig(sealers.stored, alertChannel).config);
  } catch {
    return listSecretNames(channel, alertChannel.config);
  }
}
