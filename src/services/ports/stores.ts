/**
 * What use cases ask of the database: one small interface per collection, plain objects in and out.
 * Implemented by src/models. Account-owned stores take the account id first; there is no other way
 * to reach a row.
 */

import type { SettleAnswer } from '../../contracts/activities';
import type { Definition, ResourceKind } from '../../contracts/definition';
import type {
  Health,
  MonitorCheckRecord,
  RunRecord,
  ScenarioSlotRecord,
} from '../../contracts/records';
import type { Plan } from '../../domain/accounts/plan';
import type { ListQuery, Page } from '../lists/list-query';
import type {
  AuditStore,
  GuessStore,
  InvitationStore,
  PasswordTokenStore,
  QuotaStore,
  SessionStore,
} from './account-store';
import type { AlertBurstStore, AlertChannelStore, AlertStore } from './alert-store';
import type { ChangeStore } from './change-store';
import type { MetricsStore, SummaryStore, TimelineStore } from './history-store';
import type { MaintenanceTarget, MaintenanceWindowStore } from './maintenance-store';
import type { OperatorEventStore } from './operator-store';
import type { OverviewStore } from './overview-store';
import type { QuietResultStore } from './quiet-result-store';
import type { RefusedRecordStore } from './refused-record-store';
import type {
  AccountRow,
  ApiKeyRow,
  IdempotencyRow,
  IncidentNote,
  IncidentRow,
  MemberRole,
  MonitorRow,
  RegionRow,
  ResourceRow,
  ResultCounts,
  ResultRow,
  ScenarioRow,
  StatusRow,
  StoredStatusRow,
  UserRow,
} from './rows';
import type { RunStore } from './run-store';
import type { SecretStore } from './secret-store';
import type { StatusPageStore } from './status-page-store';

export interface AccountStore {
  /** Creates the first account, or answers the one that is there; all callers get the same. */
  readonly createFirst: (account: AccountRow) => Promise<AccountRow>;
  /** True for the account of the first set-up. */
  readonly isFirst: (accountId: string) => Promise<boolean>;
  readonly find: (accountId: string) => Promise<(AccountRow & { readonly plan: Plan }) | null>;
  readonly rename: (accountId: string, name: string) => Promise<void>;
}

export interface UserStore {
  /** Creates the very first user; false when there is one already (exactly one caller gets true). */
  readonly createFirst: (accountId: string, user: UserRow) => Promise<boolean>;
  /** True when anybody is there. */
  readonly isFirstPresent: () => Promise<boolean>;
  readonly create: (accountId: string, user: UserRow) => Promise<void>;
  readonly find: (accountId: string, userId: string) => Promise<UserRow | null>;
  /** By address, for login: the only look-up that does not know the account yet. */
  readonly findByEmail: (email: string) => Promise<UserRow | null>;
  /** Newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<UserRow>>;
  readonly count: (accountId: string, role?: MemberRole) => Promise<number>;
  readonly setRole: (accountId: string, userId: string, role: MemberRole) => Promise<void>;
  readonly setPassword: (accountId: string, userId: string, phc: string) => Promise<void>;
  /** The person that was removed, or null. */
  readonly remove: (accountId: string, userId: string) => Promise<UserRow | null>;
}

export interface ApiKeyStore {
  readonly create: (accountId: string, key: ApiKeyRow) => Promise<void>;
  /** By hash, for authentication: the only look-up that does not know the account yet. */
  readonly findByHash: (hash: string) => Promise<ApiKeyRow | null>;
  /** Newest first, revoked ones included. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<ApiKeyRow>>;
  readonly find: (accountId: string, keyId: string) => Promise<ApiKeyRow | null>;
  /** How many are not revoked. */
  readonly count: (accountId: string) => Promise<number>;
  /** From the next request on; the first time counts. */
  readonly revoke: (accountId: string, keyId: string, atMs: number) => Promise<void>;
  /** All that a person made, and their keys made. */
  readonly revokeAllOf: (accountId: string, userId: string, atMs: number) => Promise<void>;
  /** Notes a use; at most one write per key and minute. */
  readonly touch: (accountId: string, keyId: string, atMs: number) => Promise<void>;
}

export interface IdempotencyStore {
  /**
   * Claims the id unless somebody holds it, whose row is answered then; `contended`: somebody took
   * or released it at this moment, so ask again.
   */
  readonly claim: (
    accountId: string,
    claim: IdempotencyRow,
  ) => Promise<IdempotencyRow | 'claimed' | 'contended'>;
  /** Keeps the answer under the claim, if the owner still holds it. */
  readonly keep: (
    accountId: string,
    answer: Pick<IdempotencyRow, 'id' | 'owner' | 'expiresAtMs'> & { readonly kept: string },
  ) => Promise<void>;
  /** Lets the next caller carry the request out, if the owner still holds the claim. */
  readonly release: (
    accountId: string,
    claim: Pick<IdempotencyRow, 'id' | 'owner'>,
  ) => Promise<void>;
}

/** What a list of monitors or scenarios can be narrowed to; every given part must hold. */
export interface ResourceFilter {
  /** As it is at the given time, since a pause may end by itself. */
  readonly state?: { readonly name: ResourceRow['state']; readonly nowMs: number } | undefined;
  /** Whether a pause is in force at the given time. */
  readonly pause?: { readonly isInForce: boolean; readonly nowMs: number } | undefined;
  /** Whether any of the targets means it. */
  readonly targets?:
    | { readonly any: readonly MaintenanceTarget[]; readonly isTargeted: boolean }
    | undefined;
  /** The group itself and the groups nested in it. */
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
  readonly region?: string | undefined;
  /** A part of the search text, in lower case; each character stands for itself. */
  readonly search?: string | undefined;
}

export interface ResourceListQuery extends ListQuery {
  readonly filter?: ResourceFilter;
  /** Only these, whatever else is asked. */
  readonly ids?: readonly string[];
}

/** The part that monitors and scenarios share: versioned definitions that a check never writes. */
export interface ResourceStore<Row> {
  /** Throws AppError `key_taken` when another resource of the account has the key. */
  readonly create: (accountId: string, row: Row) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<Row | null>;
  readonly count: (accountId: string) => Promise<number>;
  readonly list: (accountId: string, query: ResourceListQuery) => Promise<Page<Row>>;
  /** Replaces the row when its stored version is still `expectedVersion`; false when it is not. */
  readonly replace: (accountId: string, row: Row, expectedVersion: number) => Promise<boolean>;
  /** True when something was deleted; its revisions, results and status go with it. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}

export type MonitorStore = ResourceStore<MonitorRow>;
export type ScenarioStore = ResourceStore<ScenarioRow>;

export interface RevisionStore {
  /** Stores an immutable revision; storing the same one again changes nothing. */
  readonly save: (accountId: string, definition: Definition) => Promise<void>;
  readonly find: (
    accountId: string,
    kind: ResourceKind,
    id: string,
    rev: number,
  ) => Promise<Definition | null>;
}

/** Revisions of tests: definitions that nobody saved. */
export interface TestRevisionStore {
  /** As save; what is not removed counts as gone some time after the end that is given. */
  readonly saveForTest: (
    accountId: string,
    definition: Definition,
    expiresAtMs: number,
  ) => Promise<void>;
  /** Deletes a revision of a test; leaves every other one alone. */
  readonly removeTest: (accountId: string, id: string, rev: number) => Promise<void>;
}

export interface StatusStore {
  readonly create: (accountId: string, status: StatusRow) => Promise<void>;
  readonly findMany: (
    accountId: string,
    ids: readonly string[],
  ) => Promise<readonly StoredStatusRow[]>;
  /** Ids of the kind with that health, newest first. */
  readonly listIds: (
    accountId: string,
    query: ListQuery & { readonly kind: ResourceKind; readonly health: Health },
  ) => Promise<readonly string[]>;
}

export interface ResultQuery {
  readonly monitorId: string;
  readonly regions: readonly string[];
  /** Slots from here on, itself included. */
  readonly fromMs: number | null;
  /** Slots before this one. */
  readonly toMs: number | null;
  readonly status: ResultRow['status'] | null;
  /** Only what carried out this request. */
  readonly requestId?: string | undefined;
  readonly limit: number;
  /** Goes on after this result (exclusive), newest first; ties in a slot are ordered by region. */
  readonly after: { readonly slotMs: number; readonly region: string; readonly id: string } | null;
}

export interface ResultStore {
  readonly page: (accountId: string, query: ResultQuery) => Promise<Page<ResultRow>>;
  /** Gaps count as missed slots only; response times are those of up and degraded checks. */
  readonly count: (
    accountId: string,
    query: Pick<ResultQuery, 'monitorId' | 'regions' | 'fromMs' | 'toMs'>,
  ) => Promise<ResultCounts>;
}

export interface IncidentQuery extends ListQuery {
  readonly resourceId: string | null;
  readonly state?: 'open' | 'closed' | null;
  /** Bounds of the opening time. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export interface IncidentStore {
  /** Newest first by opening time. */
  readonly page: (accountId: string, query: IncidentQuery) => Promise<Page<IncidentRow>>;
  readonly find: (accountId: string, id: string) => Promise<IncidentRow | null>;
  readonly findOpen: (accountId: string, resourceId: string) => Promise<IncidentRow | null>;
  /** The first one who does is remembered. */
  readonly acknowledge: (
    accountId: string,
    id: string,
    by: { readonly atMs: number; readonly by: string },
  ) => Promise<void>;
  readonly addNote: (accountId: string, id: string, note: IncidentNote) => Promise<void>;
}

export interface RegionStore {
  /** Notes that a probe of the region said hello. */
  readonly hello: (region: string, identity: string, atMs: number) => Promise<void>;
  /** Notes since when a probe that said hello takes its own network for broken; null: it does not. */
  readonly noteNetwork: (
    region: string,
    identity: string,
    suspectSinceMs: number | null,
  ) => Promise<void>;
  readonly list: () => Promise<readonly RegionRow[]>;
}

/** Writes of the settling activities: one call per slot, idempotent by slot. */
export interface SettleStore {
  readonly settleMonitor: (record: MonitorCheckRecord) => Promise<SettleAnswer>;
  readonly settleScenario: (record: ScenarioSlotRecord) => Promise<SettleAnswer>;
  readonly saveRun: (run: RunRecord) => Promise<SettleAnswer>;
}

export interface Stores {
  readonly accounts: AccountStore;
  readonly users: UserStore;
  readonly apiKeys: ApiKeyStore;
  readonly sessions: SessionStore;
  readonly invitations: InvitationStore;
  readonly passwordTokens: PasswordTokenStore;
  readonly quotas: QuotaStore;
  readonly guesses: GuessStore;
  readonly audit: AuditStore;
  readonly idempotency: IdempotencyStore;
  readonly metrics: MetricsStore;
  readonly alertChannels: AlertChannelStore;
  readonly alerts: AlertStore;
  readonly alertBursts: AlertBurstStore;
  readonly maintenanceWindows: MaintenanceWindowStore;
  readonly timeline: TimelineStore;
  readonly summaries: SummaryStore;
  readonly overview: OverviewStore;
  readonly changes: ChangeStore;
  readonly statusPages: StatusPageStore;
  readonly monitors: MonitorStore;
  readonly scenarios: ScenarioStore;
  readonly revisions: RevisionStore & TestRevisionStore;
  readonly statuses: StatusStore;
  readonly results: ResultStore;
  readonly quietResults: QuietResultStore;
  readonly runs: RunStore;
  readonly incidents: IncidentStore;
  readonly regions: RegionStore;
  readonly refusedRecords: RefusedRecordStore;
  readonly operatorEvents: OperatorEventStore;
  readonly secrets: SecretStore;
}
