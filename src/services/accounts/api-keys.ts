/** Creates, reads and revokes the API keys of an account. A key is shown only once, when it is created. */

import { API_KEYS_MAX } from '../../domain/accounts/plan';
import type { ApiKey } from '../../models/accounts/api-keys';
import { AppError } from '../../platform/errors';
import type { ApiKeyBody } from '../../schemas/account';
import type { ApiKeyResponse, NewApiKeyResponse } from '../../schemas/responses/account';
import { refuseProblems } from '../lists/field-problems';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { hashToken, newApiKey, readVisibleParts } from './api-key-format';
import { requireSignedInOperator } from './operators';
import { readPlan, runExclusively } from './plan-limits';
import { presentApiKey } from './present-account';
import { findMaker, type Principal, requireScope } from './principal';

/**
 * Creates a key. The key cannot have rights that its creator does not have. Throws `insufficient_scope`,
 * `plan_required` or `limit_reached`. Throws `second_factor_required` if the key is for an operator who has not proved
 * the required second factor. Throws `validation_failed` for an `expiresAt` in the past.
 */
export async function createApiKey(
  needs: Dependencies,
  principal: Principal,
  body: ApiKeyBody,
): Promise<NewApiKeyResponse> {
  const { accountId } = principal;
  const { stores, clock, newId, randomBytes } = needs;
  for (const scope of body.scopes) requireScope(principal, scope);
  if (body.operator)
    await requireSignedInOperator(
      needs,
      principal,
      'Only signed-in operators of this installation may create keys for operators.',
    );
  const inForce = await readPlan(needs, accountId);
  if (inForce?.bounds.keyLimits === null)
    throw new AppError('plan_required', 'API keys need the plan pro or above.');
  const nowMs = clock.now();
  const { expiresAt } = body;
  if (expiresAt !== null && expiresAt <= nowMs) {
    const message = 'must be in the future';
    refuseProblems([{ path: 'expiresAt', code: 'out_of_bounds', message }]);
  }
  const key = newApiKey(randomBytes);
  const apiKey: ApiKey = {
    id: newId('apiKey'),
    accountId,
    name: body.name,
    hash: hashToken(key),
    ...readVisibleParts(key),
    scopes: body.scopes,
    ...(body.operator && { isForOperator: true }),
    expiresAtMs: expiresAt,
    revokedAtMs: null,
    createdAtMs: nowMs,
    createdBy: await findMaker(needs, principal),
    lastUsedAtMs: null,
  };
  await runExclusively(needs, { accountId, kind: 'apiKeys' }, async () => {
    if ((await stores.apiKeys.count(accountId)) >= API_KEYS_MAX)
      throw new AppError('limit_reached', `An account may have at most ${API_KEYS_MAX} API keys.`);
    await stores.apiKeys.create(accountId, apiKey);
  });
  return { ...presentApiKey(apiKey), key };
}

/** Lists the keys of the account, newest first, including revoked ones. */
export async function listApiKeys(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<ApiKeyResponse>> {
  return readList({ accountId, list: 'api-keys' }, request, {
    read: (query) => stores.apiKeys.list(accountId, query),
    present: presentApiKey,
  });
}

/** Returns the key. Throws `not_found` for an unknown key. */
export async function getApiKey(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  keyId: string,
): Promise<ApiKeyResponse> {
  const apiKey = await stores.apiKeys.find(accountId, keyId);
  if (apiKey === null) throw new AppError('not_found', 'There is no API key with this id.');
  return presentApiKey(apiKey);
}

/** Revokes the key. Later requests with the key fail with `revoked_token`. Idempotent. */
export async function revokeApiKey(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  accountId: string,
  keyId: string,
): Promise<void> {
  await getApiKey({ stores }, accountId, keyId);
  await stores.apiKeys.revoke(accountId, keyId, clock.now());
}
