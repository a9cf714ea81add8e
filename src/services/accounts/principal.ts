/** Describes the caller of a request and the caller's rights. Does not authenticate. */
import type { KeyLimits } from '../../domain/accounts/plan';
import type { MemberRole, Scope } from '../../domain/accounts/roles';
import type { SessionProofs } from '../../models/accounts/sessions';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';

export interface Principal {
  readonly accountId: string;
  readonly actor: {
    readonly type: 'user' | 'api_key';
    readonly id: string;
    /** Email address of the person, or name of the key. */
    readonly name: string;
  };
  /** The reason why the account is suspended. Absent if the account is not suspended. */
  readonly suspendedFor?: string;
  /** The person of a session. Absent for API keys. */
  readonly personId?: string;
  /** The session of a person. Absent for API keys. */
  readonly session?: SessionProofs & { readonly hash: string };
  /** True if the account requires a second factor from the person. Absent for API keys. */
  readonly isFactorRequired?: boolean;
  readonly scopes: readonly Scope[];
  /** The current role of the person who created the API key. Set only if this role limits the scopes of the key. */
  readonly cappedBy?: MemberRole | undefined;
  /** Rate limits of the key. null for people. */
  readonly keyLimits: KeyLimits | null;
  /** The pipeline of the key. All keys of a pipeline share their rate limits. If absent, the key has its own limits. */
  readonly pipelineId?: string | undefined;
}

/** The order of scopes. Each scope includes the scopes before it. */
const RANK: Record<Scope, number> = { read: 0, run: 1, write: 2, admin: 3 };

const SCOPE_OF_ROLE: Record<MemberRole, Scope> = {
  owner: 'admin',
  admin: 'admin',
  editor: 'write',
  viewer: 'read',
};

export function listRoleScopes(role: MemberRole): readonly Scope[] {
  return [SCOPE_OF_ROLE[role]];
}

/**
 * Returns the scopes of a key. If a scope exceeds the current role of the person who created the key, it is reduced to
 * the scope of that role.
 */
export function capScopes(scopes: readonly Scope[], role: MemberRole): readonly Scope[] {
  const most = SCOPE_OF_ROLE[role];
  return [...new Set(scopes.map((scope) => (RANK[scope] > RANK[most] ? most : scope)))];
}

/** True when one of the principal's scopes includes the needed one. */
export function hasScope({ scopes }: Principal, needed: Scope): boolean {
  return scopes.some((scope) => RANK[scope] >= RANK[needed]);
}

/** Throws `insufficient_scope` unless one of the principal's scopes includes the needed one. */
export function requireScope(principal: Principal, needed: Scope): void {
  if (hasScope(principal, needed)) return;
  const { cappedBy } = principal;
  const why =
    cappedBy === undefined ? '' : ` The creator of this key now has the role ${cappedBy}.`;
  throw new AppError('insufficient_scope', `This needs the scope "${needed}".${why}`);
}

/** Throws `account_suspended` with the operator's reason if the account is suspended. */
export function refuseSuspended({ suspendedFor }: Pick<Principal, 'suspendedFor'>): void {
  if (suspendedFor === undefined) return;
  throw new AppError(
    'account_suspended',
    `This account is suspended: ${suspendedFor} Nothing is checked, and nothing is lost. Ask the operator of this installation.`,
  );
}

/** Returns the id of the person, or of the creator of the API key. null if the creator is unknown. */
export async function findMaker(
  { stores }: Pick<Dependencies, 'stores'>,
  { accountId, actor }: Principal,
): Promise<string | null> {
  if (actor.type === 'user') return actor.id;
  return (await stores.apiKeys.find(accountId, actor.id))?.createdBy ?? null;
}

/**
 * Throws `insufficient_scope` unless the caller has the scope `admin` in the first account. Protects settings of the
 * installation that API keys may also change.
 */
export async function requireInstallationAdmin(
  { stores }: Pick<Dependencies, 'stores'>,
  principal: Principal,
): Promise<void> {
  requireScope(principal, 'admin');
  if (await stores.accounts.isFirst(principal.accountId)) return;
  throw new AppError(
    'insufficient_scope',
    'Only owners, admins and admin keys of the first account of this installation may do this.',
  );
}
