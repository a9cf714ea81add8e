/**
 * Rows of the database as use cases see them: plain objects, no Mongoose. Instants are
 * milliseconds since the epoch.
 */
import type {
  AlertKind,
  AlertRules,
  AlertTarget,
  ChannelType,
  DeliveryAttempt,
  DeliveryStatus,
  OwedAlert,
} from '../../contracts/alerts';
import type {
  ResourceKind,
  ScenarioStep,
  StepDefinition,
  Variable,
} from '../../contracts/definition';
import type { Failure, StepOutcome } from '../../contracts/outcome';
import type { Gap, Health, RegionHealth } from '../../contracts/records';
import type { Plan } from '../../domain/accounts/plan';

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAtMs: number;
}

/** From the one who may do most. */
export const MEMBER_ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export interface UserRow {
  readonly id: string;
  readonly accountId: string;
  /** Lower case; unique over all accounts. */
  readonly email: string;
  /** argon2id, PHC string; null until the person has set a password. */
  readonly passwordHash: string | null;
  readonly role: MemberRole;
  readonly createdAtMs: number;
}

export const SCOPES = ['read', 'run', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKeyRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** SHA-256 of the whole key, hex. */
  readonly hash: string;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly createdAtMs: number;
  /** The person who made it, or made the key that made it: it ends with them. */
  readonly createdBy?: string | null;
  readonly lastUsedAtMs: number | null;
}

/** What every monitor and scenario row holds beside its definition. */
export interface ResourceRow {
  readonly id: string;
  readonly accountId: string;
  /** Grows with every change that people make; the ETag. */
  readonly version: number;
  /** The definition revision in force; grows when the definition changes. */
  readonly rev: number;
  readonly state: 'active' | 'paused' | 'deleting';
  readonly pausedAtMs: number | null;
  readonly pausedUntilMs: number | null;
  readonly pauseReason: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Slots are anchor + k × interval. */
  readonly anchorMs: number;
  readonly name: string;
  readonly intervalSeconds: number;
  readonly regions: readonly string[];
  readonly group: string | null;
  readonly groupKey: string;
  readonly tags: readonly string[];
  readonly key: string | null;
  /** The set under which apply made it; absent for what was made otherwise. */
  readonly managedBy?: string;
  /** Who hears of what. */
  readonly alerts: Omit<AlertRules, 'targets'> & { readonly emails: readonly string[] };
  /** Where the alerts led when they were saved. */
  readonly alertTargets: readonly AlertTarget[];
  /** Name, hosts and key in lower case: what a search looks at. */
  readonly searchText: string;
  /** Values of secret ones are sealed. */
  readonly variables: readonly Variable[];
}

export interface MonitorRow extends ResourceRow {
  readonly step: StepDefinition;
  readonly quorum: number | 'majority';
  readonly failuresBeforeDown: number;
  readonly successesBeforeUp: number;
}

export interface ScenarioRow extends ResourceRow {
  readonly steps: readonly ScenarioStep[];
  readonly timeoutSeconds: number;
  readonly onFailure: 'stop' | 'continue';
}

/** What checks write: replaced once per slot, only forward in time. */
export interface StatusRow {
  /** The monitor's or scenario's id. */
  readonly id: string;
  readonly accountId: string;
  readonly health: Health;
  readonly healthSinceMs: number;
  readonly regionsHealth: readonly RegionHealth[];
  readonly lastSlotMs: number | null;
  readonly nextSlotMs: number | null;
  readonly lastCheckedAtMs: number | null;
  readonly tlsExpiresAt: string | null;
  readonly lastRunId: string | null;
}

/** A status as it is read: with the incident that is open, if any. */
export interface StoredStatusRow extends StatusRow {
  readonly currentIncidentId: string | null;
  /** As of the last slot. */
  readonly inMaintenance: boolean;
  /** Earlier hours are summed up; later ones are read from single results. */
  readonly summarisedUntilMs: number;
  /** When results were last stored, by the clock of whoever did; 0 before the first. */
  readonly changedAtMs: number;
}

/** One check, or one counted run, of one region and slot, or one named gap. */
export interface ResultRow {
  readonly id: string;
  readonly accountId: string;
  readonly monitorId: string;
  readonly rev: number;
  readonly region: string;
  readonly slotMs: number;
  readonly kind: 'scheduled' | 'manual';
  readonly trigger: 'save' | 'schedule' | 'manual';
  readonly status: StepOutcome['status'];
  /** True: it was measured, but nobody was told. */
  readonly inMaintenance: boolean;
  /** Of the check, or how long the run took; null when nothing was measured. */
  readonly responseTimeMs: number | null;
  /** null for a gap and for a run, whose record tells more. */
  readonly outcome: StepOutcome | null;
  readonly gap: Gap | null;
  /** Of the requests to check now that it carried out; absent for none. */
  readonly requestIds?: readonly string[];
}

export interface ResultCounts {
  readonly total: number;
  readonly up: number;
  readonly degraded: number;
  readonly down: number;
  readonly unknown: number;
  /** Slots inside named gaps. */
  readonly missed: number;
  readonly responseTimeMs: {
    readonly avg: number | null;
    readonly min: number | null;
    readonly max: number | null;
  };
}

/** One use of an idempotency key: claimed while the request is carried out, then with its answer. */
export interface IdempotencyRow {
  /** Hash over account, method, path and key. */
  readonly id: string;
  readonly accountId: string;
  /** Who carries the request out; only they may keep an answer or release the claim. */
  readonly owner: string;
  /** Of the body that came with the key. */
  readonly fingerprint: string;
  readonly expiresAtMs: number;
  /** The answer, sealed; null until there is one. */
  readonly kept: string | null;
}

/** A secret of an account; its value never leaves but for a probe. */
export interface SecretRow {
  readonly accountId: string;
  readonly name: string;
  /** Grows with every new value. */
  readonly version: number;
  /** Where it may be sent; null or absent: anywhere. */
  readonly hosts?: readonly string[] | null;
  readonly sealed: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A monitor or scenario, and which secrets its definition names. */
export interface SecretUse {
  readonly id: string;
  readonly secretNames: readonly string[];
}

/** One place of a channel: as people may see it, and sealed. */
export interface ChannelPlace {
  readonly shown: string;
  readonly sealed: string;
}

/** Where alerts of an account go. */
export interface AlertChannelRow {
  /** `chn_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  readonly name: string;
  readonly key: string | null;
  /** The set under which apply made it; absent for what was made otherwise. */
  readonly managedBy?: string;
  readonly type: ChannelType;
  /** What the word for its type stands for in the account. */
  readonly isDefault: boolean;
  /** One for Slack and webhooks, one per address for mail. */
  readonly places: readonly ChannelPlace[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** One alert at one place. */
export interface AlertRow {
  /** `alr_…` */
  readonly id: string;
  readonly accountId: string;
  readonly incidentId: string | null;
  readonly resourceId: string;
  readonly kind: AlertKind;
  readonly channelId: string | null;
  readonly channelType: ChannelType;
  readonly recipient: string;
  readonly status: DeliveryStatus;
  readonly attempts: readonly DeliveryAttempt[];
  readonly progress: number;
  readonly createdAtMs: number;
  readonly sentAtMs: number | null;
  readonly certificate: OwedAlert['certificate'];
  /** While it is pending: all that it takes to send it, should its workflow be lost. */
  readonly owed: OwedDelivery | null;
}

/** An alert and one place of it. */
export interface OwedDelivery {
  readonly alert: OwedAlert;
  readonly target: AlertTarget;
}

/** A time during which a monitor or scenario was down. */
export interface IncidentRow {
  /** `inc_…`; sorts by opening time. */
  readonly id: string;
  readonly accountId: string;
  readonly resourceType: ResourceKind;
  readonly resourceId: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly cause: Pick<Failure, 'code' | 'message'> | null;
  /** Where it failed when it opened. */
  readonly regions: readonly string[];
  /** The result that opened it, for a monitor. */
  readonly firstResultId: string | null;
  /** The run that opened it, for a scenario. */
  readonly firstRunId: string | null;
  readonly acknowledgedAtMs: number | null;
  /** Who did, by name. */
  readonly acknowledgedBy: string | null;
  readonly notes: readonly IncidentNote[];
}

export interface IncidentNote {
  readonly atMs: number;
  readonly by: string;
  readonly text: string;
}

export interface RegionRow {
  readonly region: string;
  readonly lastSeenAtMs: number;
  /** Probe processes that said hello lately. */
  readonly identities: readonly {
    readonly identity: string;
    readonly lastSeenAtMs: number;
    readonly networkSuspectSinceMs: number | null;
  }[];
}
