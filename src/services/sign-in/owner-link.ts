/**
 * A link with which an owner signs in without a provider, a password or a second factor. Only `npm run doctor` creates
 * such links. It runs on the server, where the database is accessible anyway.
 */
import type { SessionOrigin } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import { hashToken } from '../accounts/api-key-format';
import { recordChanges } from '../accounts/audit-events';
import { listTokenCounters, runThrottled } from '../accounts/login-throttle';
import type { Dependencies } from '../ports/dependencies';
import { openSessionFor, type SignInOutcome } from '../sessions/open-session';

const LIFETIME_MS = 15 * 60_000;
const TOKEN_BYTES = 32;

type Needs = Pick<
  Dependencies,
  'stores' | 'clock' | 'newId' | 'randomBytes' | 'publicUrl' | 'notifyOperator'
>;

interface OwnerLink {
  readonly email: string;
  readonly url: string;
  readonly expiresAtMs: number;
}

/**
 * Creates a link for an owner of the first account. Without an email address, chooses the oldest owner. Throws
 * `not_found`.
 */
export async function createOwnerLink(needs: Needs, email: string | null): Promise<OwnerLink> {
  const { stores, clock, randomBytes, publicUrl } = needs;
  const account = await stores.accounts.findFirst();
  if (account === null)
    throw new AppError('not_found', 'There is no account yet. Open the set-up page first.');
  const owners = await stores.users.listOwners(account.id);
  const owner = owners.find((one) => email === null || one.email === email.toLowerCase());
  if (owner === undefined) {
    const known = owners.map((one) => one.email).join(', ');
    throw new AppError('not_found', `There is no such owner. The owners are: ${known}.`);
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAtMs = clock.now() + LIFETIME_MS;
  await stores.signInSteps.create({
    hash: hashToken(token),
    kind: 'owner_link',
    personId: owner.personId,
    detail: { accountId: owner.accountId, userId: owner.id },
    expiresAtMs,
  });
  await recordLink(needs, owner);
  return { email: owner.email, url: `${publicUrl}/owner-link#token=${token}`, expiresAtMs };
}

async function recordLink(needs: Needs, { accountId, id, email }: User): Promise<void> {
  const actor = { type: 'system', id: 'doctor', name: 'npm run doctor' } as const;
  const requestId = needs.newId('request');
  const change = { action: 'owner_link.create', resourceType: 'user', resourceId: id };
  await recordChanges(needs, { accountId, actor, requestId, ip: null }, [
    { ...change, before: null, after: { email } },
  ]);
}

/**
 * Opens a session with the link. Only one of several parallel callers gets a session. Throws `invalid_token` and
 * `rate_limited`.
 */
export async function signInByOwnerLink(
  needs: Dependencies,
  token: string,
  origin: SessionOrigin,
): Promise<SignInOutcome> {
  return runThrottled(needs, listTokenCounters(origin.address), async () => {
    const { stores, clock } = needs;
    const nowMs = clock.now();
    const step = await stores.signInSteps.take('owner_link', hashToken(token), nowMs);
    const { accountId, userId } = step?.detail ?? {};
    const user =
      accountId == null || userId == null ? null : await stores.users.find(accountId, userId);
    if (user?.role !== 'owner')
      throw new AppError(
        'invalid_token',
        'This link is not valid, has expired or has been used. Create a new one with npm run doctor -- owner-link.',
      );
    return openSessionFor(needs, user, origin, { provedAtMs: nowMs, secondFactorAtMs: nowMs });
  });
}
