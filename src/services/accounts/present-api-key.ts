/** An API key as /v1 returns it (docs/api.md). The key itself is shown once, by whoever made it. */

import type { ApiKey } from '../../models/accounts/api-keys';
import type { ApiKeyResponse } from '../../schemas/responses/account';
import { toInstant, toInstantOrNull } from '../lists/instants';

export function presentApiKey(row: ApiKey): ApiKeyResponse {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    last4: row.last4,
    scopes: row.scopes,
    expiresAt: toInstantOrNull(row.expiresAtMs),
    revokedAt: toInstantOrNull(row.revokedAtMs),
    createdAt: toInstant(row.createdAtMs),
    createdBy: row.createdBy ?? null,
    lastUsedAt: toInstantOrNull(row.lastUsedAtMs),
  };
}
