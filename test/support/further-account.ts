/** Creates more accounts directly in the database, because the API creates only the first account. */
import { randomBytes } from 'node:crypto';
import { createStores, type Database } from '../../src/models';
import { hashToken, newApiKey, readVisibleParts } from '../../src/services/accounts/api-key-format';
import { newId } from '../models/example-records';

interface AddedAccount {
  readonly accountId: string;
  readonly apiKey: string;
}

/** Creates a new account, and a key with every scope. */
export async function addAccount(database: Database, name: string): Promise<AddedAccount> {
  const accountId = newId('account');
  const createdAtMs = Date.now();
  await database.models.accounts.create([{ _id: accountId, name, plan: 'business', createdAtMs }]);
  const key = newApiKey(randomBytes);
  await createStores(database).apiKeys.create(accountId, {
    id: newId('apiKey'),
    accountId,
    name,
    hash: hashToken(key),
    ...readVisibleParts(key),
    scopes: ['admin'],
    expiresAtMs: null,
    revokedAtMs: null,
    createdAtMs,
    lastUsedAtMs: null,
  });
  return { accountId, apiKey: key };
}
