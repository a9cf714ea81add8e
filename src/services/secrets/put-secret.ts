/**
 * Creates a secret or gives it a new value. The value is sealed before it is stored. Its hosts change only
 * together with a value, so that nobody sends a value that they do not know to a host of their own.
 */

import { secretContext } from '../../contracts/seal-contexts';
import type { Secret } from '../../models/secrets/secrets';
import type { SecretResponse } from '../../schemas/responses/secrets';
import { secretNameShape } from '../../schemas/secret';
import { refuseProblems } from '../lists/field-problems';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';
import { presentSecret } from './present-secret';

type Needs = Pick<Dependencies, 'stores' | 'sealers' | 'clock' | 'sleep'>;

/** What a client knows of a secret that does not exist. */
const NO_VERSION = 0;

interface PutSecret {
  readonly name: string;
  readonly value: string;
  /** Where it may be sent; null: anywhere; undefined: as before. */
  readonly hosts: readonly string[] | null | undefined;
  /** Throws when the stored version is not the one that the caller knows. */
  readonly accept: (version: number) => void;
}

/**
 * The value that it has already changes nothing. Probes go on with a former value for up to a
 * minute. Throws `validation_failed` for a name that is none.
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
    if (
      previous !== undefined &&
      isSame(previous.hosts, hosts) &&
      isValueOf(needs, previous, value)
    )
      return { secret: await presentSecret(needs, previous), isNew: false };
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
  const message = checked.error.issues[0]?.message ?? 'is not a name';
  refuseProblems([{ path: 'name', code: 'invalid_value', message }]);
}

function isSame(a: Secret['hosts'], b: Secret['hosts']): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** A value that cannot be opened is replaced without a word. */
function isValueOf({ sealers }: Needs, secret: Secret, value: string): boolean {
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
