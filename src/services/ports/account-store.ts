/** What use cases ask of the database about invitations, passwords, quotas, guesses and the trail. */
import type { QuotaUse } from '../../domain/accounts/key-quota';
import type { KeyLimits } from '../../domain/accounts/plan';
import type { ListQuery, Page } from '../lists/list-query';
import type {
  AuditRow,
  GuessRow,
  InvitationRow,
  PasswordTokenRow,
  SessionRow,
} from './account-rows';

export interface InvitationStore {
  /** Replaces an older invitation of the account to the same address. */
  readonly create: (accountId: string, invitation: InvitationRow) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<InvitationRow | null>;
  /** By the hash of its token, for the invited: the only look-up without an account. */
  readonly findByHash: (hash: string) => Promise<InvitationRow | null>;
  /** Newest first; those that are over are left out. */
  readonly list: (
    accountId: string,
    query: ListQuery & { readonly nowMs: number },
  ) => Promise<Page<InvitationRow>>;
  /** How many are open. */
  readonly count: (accountId: string, nowMs: number) => Promise<number>;
  /** All that a person made, and their keys made. */
  readonly removeAllOf: (accountId: string, userId: string) => Promise<void>;
  /** True when it was there. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}

export interface SessionStore {
  readonly create: (accountId: string, session: SessionRow) => Promise<void>;
  readonly findByHash: (hash: string) => Promise<SessionRow | null>;
  readonly touch: (accountId: string, hash: string, atMs: number) => Promise<void>;
  /** Newest first, also those that are over. */
  readonly listOf: (accountId: string, userId: string) => Promise<readonly SessionRow[]>;
  readonly remove: (accountId: string, hash: string) => Promise<void>;
  readonly removeAllOf: (accountId: string, userId: string) => Promise<void>;
}

export interface PasswordTokenStore {
  readonly create: (accountId: string, token: PasswordTokenRow) => Promise<void>;
  /** By hash, for whoever holds the link: the only look-up without an account. */
  readonly findByHash: (hash: string) => Promise<PasswordTokenRow | null>;
  /** The newest of a person. */
  readonly findLatest: (accountId: string, userId: string) => Promise<PasswordTokenRow | null>;
  /** Exactly one of parallel callers gets true. */
  readonly consume: (accountId: string, hash: string) => Promise<boolean>;
  readonly removeAllOf: (accountId: string, userId: string) => Promise<void>;
}

export interface QuotaSpent {
  /** False: a window is used up, and nothing was counted. */
  readonly isWithin: boolean;
  readonly use: QuotaUse;
}

export interface QuotaStore {
  /** Counts one request in both windows, or in none; atomic over all processes. */
  readonly spend: (
    accountId: string,
    keyId: string,
    spending: { readonly limits: KeyLimits; readonly nowMs: number },
  ) => Promise<QuotaSpent>;
}

/** Guesses come from nobody yet, so that they belong to no account. */
export interface GuessStore {
  readonly find: (id: string) => Promise<GuessRow | null>;
  /** Counts one more of the free tries; null when there is none left, or nothing is counted yet. */
  readonly countFree: (
    id: string,
    free: { readonly freeTries: number; readonly nowMs: number; readonly expiresAtMs: number },
  ) => Promise<GuessRow | null>;
  /** Replaces the row when it is still `expected` (null: there is none); exactly one caller wins. */
  readonly replace: (row: GuessRow, expected: GuessRow | null) => Promise<boolean>;
  /** Takes one try back. */
  readonly forgive: (id: string) => Promise<void>;
}

export interface AuditQuery extends ListQuery {
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly fromMs?: number | undefined;
  /** Exclusive. */
  readonly toMs?: number | undefined;
}

export interface AuditStore {
  readonly add: (accountId: string, events: readonly AuditRow[]) => Promise<void>;
  /** Newest first. */
  readonly page: (accountId: string, query: AuditQuery) => Promise<Page<AuditRow>>;
}
