/** Accounts and users as /v1 answers them; never with a password hash. */
import type { Plan } from '../domain/plan';
import { toInstant } from './instants';
import type { AccountRow, MemberRole, UserRow } from './rows';

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

export function presentAccount({ id, name, plan, createdAtMs }: AccountRow): AccountAnswer {
  return { id, name, plan, createdAt: toInstant(createdAtMs) };
}

export function presentUser({ id, email, role, createdAtMs }: UserRow): UserAnswer {
  return { id, email, role, createdAt: toInstant(createdAtMs) };
}
