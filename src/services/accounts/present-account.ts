/** Accounts, users and invitations as /v1 returns them; never with a password hash or a token. */
import type { Account } from '../../models/accounts/accounts';
import type { Invitation } from '../../models/accounts/invitations';
import type { User } from '../../models/accounts/users';
import type {
  AccountResponse,
  InvitationResponse,
  MemberResponse,
  UserResponse,
} from '../../schemas/responses/account';
import { toInstant } from '../lists/instants';

export function presentAccount({ id, name, plan, createdAtMs }: Account): AccountResponse {
  return { id, name, plan, createdAt: toInstant(createdAtMs) };
}

export function presentUser({ id, email, role, createdAtMs }: User): UserResponse {
  return { id, email, role, createdAt: toInstant(createdAtMs) };
}

export function presentMember(user: User): MemberResponse {
  return { ...presentUser(user), state: user.passwordHash === null ? 'invited' : 'active' };
}

export function presentInvitation(invitation: Invitation): InvitationResponse {
  const { id, email, role, createdAtMs, createdBy = null, expiresAtMs } = invitation;
  const createdAt = toInstant(createdAtMs);
  return { id, email, role, createdAt, createdBy, expiresAt: toInstant(expiresAtMs) };
}
