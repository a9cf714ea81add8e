/** Accounts, users and invitations as /v1 answers them; never with a password hash or a token. */
import type { Plan } from '../../domain/accounts/plan';
import type { MemberRole } from '../../domain/accounts/roles';
import type { Account } from '../../models/accounts/accounts';
import type { Invitation } from '../../models/accounts/invitations';
import type { User } from '../../models/accounts/users';
import { toInstant } from '../lists/instants';

export interface AccountAnswer {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAt: string;
}

export interface UserAnswer {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAt: string;
}

export function presentAccount({ id, name, plan, createdAtMs }: Account): AccountAnswer {
  return { id, name, plan, createdAt: toInstant(createdAtMs) };
}

export function presentUser({ id, email, role, createdAtMs }: User): UserAnswer {
  return { id, email, role, createdAt: toInstant(createdAtMs) };
}

export interface MemberAnswer extends UserAnswer {
  /** `invited` until the person has set a password. */
  readonly state: 'active' | 'invited';
}

export function presentMember(user: User): MemberAnswer {
  return { ...presentUser(user), state: user.passwordHash === null ? 'invited' : 'active' };
}

export interface InvitationAnswer {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAt: string;
  /** Id of the person with whom it ends; null where that is not known. */
  readonly createdBy: string | null;
  readonly expiresAt: string;
}

export function presentInvitation(row: Invitation): InvitationAnswer {
  const { id, email, role, createdAtMs, createdBy = null, expiresAtMs } = row;
  const createdAt = toInstant(createdAtMs);
  return { id, email, role, createdAt, createdBy, expiresAt: toInstant(expiresAtMs) };
}
