/** An API key as /v1 answers it (docs/api.md). The key itself is shown once, by whoever made it. */

import type { Scope } from '../../domain/accounts/roles';
import type { ApiKey } from '../../models/accounts/api-keys';
import { toInstant, toInstantOrNull } from '../lists/instants';

export interface ApiKeyResponse {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly createdAt: string;
  /** Id of the person with whom it ends; null where that is not known. */
  readonly createdBy: string | null;
  readonly lastUsedAt: string | null;
}

/** The only answer that holds the key. */
export interface NewApiKeyResponse extends ApiKeyResponse {
  readonly key: string;
}

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
