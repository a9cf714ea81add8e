/**
 * Converts accounts, users, invitations and API keys to the form that /v1 returns, without password hashes, tokens or
 * keys.
 */
import type { Account } from '../../models/accounts/accounts';
import type { ApiKey } from '../../models/accounts/api-keys';
import type { Invitation } from '../../models/accounts/invitations';
import type { User } from '../../models/accounts/users';
import type {
  AccountResponse,
  ApiKeyResponse,
  InvitationResponse,
  MemberResponse,
  UserResponse,
} from '../../schemas/responses/account';
import { toInstant, toInstantOrNull } from '../lists/instants';

export function presentAccount(account: Account): AccountResponse {
  const { id, name, plan, suspended, createdAtMs } = account;
  return {
    id,
    name,
    plan,
    suspended:
      suspended === undefined
        ? null
        : { reason: suspended.reason, since: toInstant(suspended.atMs) },
    createdAt: toInstant(createdAtMs),
  };
}

export function presentUser({ id, email, role, createdAtMs }: User): UserResponse {
  return { id, email, role, createdAt: toInstant(createdAtMs) };
}

export function presentMember(user: User): MemberResponse {
  return { ...presentUser(user), state: 'active' };
}

/** Returns the member that an invitation will create. */
export function presentInvited(invitation: Invitation, memberId: string): MemberResponse {
  const { email, role, createdAtMs } = invitation;
  return { id: memberId, email, role, createdAt: toInstant(createdAtMs), state: 'invited' };
}

export function presentInvitation(invitation: Invitation): InvitationResponse {
  const { id, email, role, createdAtMs, createdBy = null, expiresAtMs } = invitation;
  const createdAt = toInstant(createdAtMs);
  return { id, email, role, createdAt, createdBy, expiresAt: toInstant(expiresAtMs) };
}

export function presentApiKey(apiKey: ApiKey): ApiKeyResponse {
  return {
    id: apiKey.id,
    name: apiKey.name,
    prefix: apiKey.prefix,
    last4: apiKey.last4,
    scopes: apiKey.scopes,
    operator: apiKey.isForOperator === true,
    expiresAt: toInstantOrNull(apiKey.expiresAtMs),
    revokedAt: toInstantOrNull(apiKey.revokedAtMs),
    createdAt: toInstant(apiKey.createdAtMs),
    createdBy: apiKey.createdBy ?? null,
    lastUsedAt: toInstantOrNull(apiKey.lastUsedAtMs),
  };
}
