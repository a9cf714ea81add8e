/** Sets up a new installation: creates one account, its owner, a first session and an admin API key. */

import { timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../../models/accounts/api-keys';
import type { SessionOrigin } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { SetupBody } from '../../schemas/account';
import type { ApiKeyResponse, SetUpResponse } from '../../schemas/responses/account';
import { hashToken, newApiKey, readVisibleParts } from '../accounts/api-key-format';
import { listTokenCounters, takeTries } from '../accounts/login-throttle';
import { presentAccount, presentApiKey, presentUser } from '../accounts/present-account';
import { removeStrandedPerson } from '../accounts/stranded-people';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import { startSession } from './sessions';

export interface SetUpDone {
  readonly response: SetUpResponse;
  readonly sessionId: string;
  readonly user: User;
}

/** True until the first account has an owner. */
export async function isSetUpRequired({ stores }: Pick<Dependencies, 'stores'>): Promise<boolean> {
  return !(await stores.users.isFirstPresent());
}

/**
 * Sets up the installation. If several calls run in parallel, one succeeds, and all others throw `already_set_up`. The
 * owner is written last, so that the setup can be repeated after a crash. A wrong token is a field error. Tokens are
 * compared in constant time, and many wrong tokens throw `rate_limited`.
 */
export async function setUp(
  needs: Dependencies,
  body: SetupBody,
  origin: SessionOrigin,
): Promise<SetUpDone> {
  const { stores, newId, clock } = needs;
  if (await stores.users.isFirstPresent()) throw alreadySetUp();
  if (!isSame(needs.setupToken, body.setupToken)) {
    await takeTries(needs, listTokenCounters(origin.address));
    refuseToken();
  }
  const nowMs = clock.now();
  const account = await stores.accounts.createFirst({
    id: newId('account'),
    name: body.accountName,
    plan: needs.defaultPlan,
    createdAtMs: nowMs,
  });
  const passwordHash = await needs.passwords.hash(body.password);
  const { email } = body;
  const person = await stores.people.ensure({
    id: newId('person'),
    email,
    passwordHash,
    createdAtMs: nowMs,
  });
  const user: User = {
    id: newId('user'),
    accountId: account.id,
    personId: person.id,
    email,
    role: 'owner',
    createdAtMs: nowMs,
    joinedAtMs: nowMs,
  };
  const { key, stored } = firstKey(needs, user);
  await stores.apiKeys.create(account.id, stored);
  if (!(await stores.users.createFirst(account.id, user))) {
    await removeStrandedPerson(needs, person.id);
    throw alreadySetUp();
  }
  // If an earlier setup crashed or another setup ran in parallel, the person may have another password.
  await stores.people.setPassword(person.id, passwordHash);
  await stores.people.confirmEmail(person.id, nowMs);
  const sessionId = await startSession(needs, user, origin);
  const apiKey: ApiKeyResponse = presentApiKey(stored);
  return {
    response: {
      account: presentAccount(account),
      user: presentUser(user),
      apiKey: { ...apiKey, key },
    },
    sessionId,
    user,
  };
}

function alreadySetUp(): AppError {
  return new AppError('already_set_up', 'This service already has its first account.');
}

function isSame(expected: string, given: string): boolean {
  return timingSafeEqual(
    Buffer.from(hashToken(expected), 'hex'),
    Buffer.from(hashToken(given), 'hex'),
  );
}

function refuseToken(): void {
  const message =
    'is not the token that the service printed when it started. Open the link from its output or log again';
  refuseProblems([{ path: 'setupToken', code: 'invalid_value', message }]);
}

function firstKey(
  { newId, randomBytes }: Dependencies,
  { id: createdBy, accountId, createdAtMs }: User,
): { readonly key: string; readonly stored: ApiKey } {
  const key = newApiKey(randomBytes);
  const stored: ApiKey = {
    id: newId('apiKey'),
    accountId,
    name: 'First key',
    hash: hashToken(key),
    ...readVisibleParts(key),
    scopes: ['admin'],
    expiresAtMs: null,
    revokedAtMs: null,
    createdAtMs,
    createdBy,
    lastUsedAtMs: null,
  };
  return { key, stored };
}
