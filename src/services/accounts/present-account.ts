/** Accounts, users and invitations as /v1 answers them; never with a password hash or a token. */
import type { Plan } from '../../domain/accounts/plan';
import type { MemberRole } from '../../domain/accounts/roles';
import type { Account } from '../../models/accounts/accounts';
import type { Invitation } from '../../models/accounts/invitations';
import type { User } from '../../models/accounts/users';
import { toInstant } from '../lists/instants';

export interface AccountResponse {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAt: string;
}

export interface UserResponse {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAt: string;
}

export function presentAccount({ id, name, plan, createdAtMs }: Account): AccountResponse {
  return { id, name, plan, createdAt: toInstant(createdAtMs) };
}

export function presentUser({ id, email, role, createdAtMs }: User): UserResponse {
  return { id, email, role, createdAt: toInstant(createdAtMs) };
}

export interface MemberResponse extends UserResponse {
  /** `invited` until the person has set a password. */
  readonly state: 'active' | 'invited';
}

export function presentMember(user: User): MemberResponse {
  return { ...presentUser(user), state: user.passwordHash === null ? 'invited' : 'active' };
}

export interface InvitationResponse {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAt: string;
  /** Id of the person with whom it ends; null where that is not known. */
  readonly createdBy: string | null;
  readonly expiresAt: string;
}

export function presentInvitation(row: Invitation): InvitationResponse {
  const { id, email, role, createdAtMs, createdBy = null, expiresAtMs } = row;
  const createdAt = toInstant(createdAtMs);
  return { id, email, role, createdAt, createdBy, expiresAt: toInstant(expiresAtMs) };
}
