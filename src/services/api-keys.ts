/** API keys of an account: made, listed and revoked. A key is shown in the answer that makes it. */
import { isId } from '../domain/ids';
import { allowsApiKeys } from '../domain/plan';
import { AppError } from '../platform/errors';
import type { ApiKeyBody } from '../schemas/account';
import { hashToken, newApiKey, visibleParts } from './api-key-format';
import { decodeCursor, encodeCursor, ID_POSITION } from './cursor';
import type { Dependencies } from './dependencies';
import { refuseProblems } from './field-problems';
import type { ListPage, ListRequest } from './list-page';
import { type ApiKeyAnswer, type NewApiKeyAnswer, presentApiKey } from './present-api-key';
import type { ApiKeyRow } from './rows';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'newId' | 'randomBytes'>;

/** Throws `plan_required` on a plan without keys, and refuses an end that is over already. */
export async function createApiKey(
  { stores, clock, newId, randomBytes }: Needs,
  accountId: string,
  body: ApiKeyBody,
): Promise<NewApiKeyAnswer> {
  const account = await stores.accounts.find(accountId);
  if (account === null || !allowsApiKeys(account.plan))
    throw new AppError('plan_required', 'API keys need the plan pro or above.');
  const nowMs = clock.now();
  if (body.expiresAt !== null && body.expiresAt <= nowMs)
    refuseProblems([{ path: 'expiresAt', code: 'out_of_bounds', message: 'must lie ahead' }]);
  const key = newApiKey(randomBytes);
  const row: ApiKeyRow = {
    id: newId('apiKey'),
    accountId,
    name: body.name,
    hash: hashToken(key),
    ...visibleParts(key),
    scopes: body.scopes,
    expiresAtMs: body.expiresAt,
    revokedAtMs: null,
    createdAtMs: nowMs,
    lastUsedAtMs: null,
  };
  await stores.apiKeys.create(accountId, row);
  return { ...presentApiKey(row), key };
}

/** Newest first, revoked ones included. */
export async function listApiKeys(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  { limit, cursor }: ListRequest,
): Promise<ListPage<ApiKeyAnswer>> {
  const scope = { accountId, list: 'api-keys' };
  const [beforeId = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const page = await stores.apiKeys.list(accountId, { limit, beforeId });
  const last = page.rows.at(-1);
  const nextCursor = page.hasMore && last !== undefined ? encodeCursor(scope, [last.id]) : null;
  return { data: page.rows.map(presentApiKey), nextCursor };
}

/** Refused from the next request on, with `revoked_token`; doing it again changes nothing. */
export async function revokeApiKey(
  { stores, clock }: Pick<Needs, 'stores' | 'clock'>,
  accountId: string,
  id: string,
): Promise<void> {
  const row = isId('apiKey', id) ? await stores.apiKeys.find(accountId, id) : null;
  if (row === null) throw new AppError('not_found', 'There is no API key with this id.');
  await stores.apiKeys.revoke(accountId, id, clock.now());
}
