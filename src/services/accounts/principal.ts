/** Who asks, and what they may do. It authenticates nobody. */

import type { KeyLimits } from '../../domain/accounts/plan';
import type { MemberRole, Scope } from '../../domain/accounts/roles';
import { AppError } from '../../platform/errors';

export interface Principal {
  readonly accountId: string;
  readonly actor: {
    readonly type: 'user' | 'api_key';
    readonly id: string;
    /** Address of the person, name of the key. */
    readonly name: string;
  };
  readonly scopes: readonly Scope[];
  /** How often the key may ask; null for people. */
  readonly keyLimits: KeyLimits | null;
}

/** Each scope includes those before it. */
const RANK: Record<Scope, number> = { read: 0, run: 1, write: 2, admin: 3 };

const SCOPE_OF_ROLE: Record<MemberRole, Scope> = {
  owner: 'admin',
  admin: 'admin',
  editor: 'write',
  viewer: 'read',
};

export function scopesOfRole(role: MemberRole): readonly Scope[] {
  return [SCOPE_OF_ROLE[role]];
}

/** True when one of the principal's scopes includes the needed one. */
export function holdsScope({ scopes }: Principal, needed: Scope): boolean {
  return scopes.some((scope) => RANK[scope] >= RANK[needed]);
}

/** Throws `insufficient_scope` unless one of the principal's scopes includes the needed one. */
export function requireScope(principal: Principal, needed: Scope): void {
  if (holdsScope(principal, needed)) return;
  throw new AppError('insufficient_scope', `This needs the scope "${needed}".`);
}
