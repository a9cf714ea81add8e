/**
 * Rows of the database as use cases see them: plain objects, no Mongoose. Instants are
 * milliseconds since the epoch.
 */
import type { Definition, NamedValue, StepDefinition } from '../contracts/definition';
import type { StepOutcome } from '../contracts/outcome';
import type { Gap, Health, RegionHealth } from '../contracts/records';
import type { Plan } from '../domain/plan';

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAtMs: number;
}

export type MemberRole = 'owner' | 'admin' | 'editor' | 'viewer';

export interface UserRow {
  readonly id: string;
  readonly accountId: string;
  /** Lower case; unique over all accounts. */
  readonly email: string;
  /** argon2id, PHC string. */
  readonly passwordHash: string;
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
  readonly lastUsedAtMs: number | null;
}

export interface SessionRow {
  /** SHA-256 of the opaque session id, hex. */
  readonly hash: string;
  readonly accountId: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
}

/** What every monitor and scenario row holds beside its definition. */
interface ResourceRow {
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
  readonly variables: readonly NamedValue[];
}

export interface MonitorRow extends ResourceRow {
  readonly step: StepDefinition;
  readonly quorum: number | 'majority';
  readonly failuresBeforeDown: number;
  readonly successesBeforeUp: number;
}

export interface ScenarioRow extends ResourceRow {
  readonly steps: readonly StepDefinition[];
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

/** One check of one region and slot, or one named gap. */
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
  /** null for a gap. */
  readonly outcome: StepOutcome | null;
  readonly gap: Gap | null;
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

export interface RegionRow {
  readonly region: string;
  readonly lastSeenAtMs: number;
  /** Probe processes that said hello lately. */
  readonly identities: readonly { readonly identity: string; readonly lastSeenAtMs: number }[];
}

/** The definition that a probe reads, made from a row. */
export type RevisionRow = Definition;
