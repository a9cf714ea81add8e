/** An API key as /v1 returns it (docs/api.md). The key itself is shown once, by whoever made it. */

import type { ApiKey } from '../../models/accounts/api-keys';
import type { ApiKeyResponse } from '../../schemas/responses/account';
import { toInstant, toInstantOrNull } from '../lists/instants';

export function presentApiKey(apiKey: ApiKey): ApiKeyResponse {
  return {
    id: apiKey.id,
    name: apiKey.name,
    prefix: apiKey.prefix,
    last4: apiKey.last4,
    scopes: apiKey.scopes,
    expiresAt: toInstantOrNull(apiKey.expiresAtMs),
    revokedAt: toInstantOrNull(apiKey.revokedAtMs),
    createdAt: toInstant(apiKey.createdAtMs),
    createdBy: apiKey.createdBy ?? null,
    lastUsedAt: toInstantOrNull(apiKey.lastUsedAtMs),
  };
}
