/**
 * Stores problems with identity providers that give no tokens: the checks that cannot sign in, and one record per
 * account and provider.
 */
import type { Model } from 'mongoose';
import type { ProviderState, SignInFailure } from '../../contracts/alerting/identity-providers';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { below } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import type { IncidentDocument } from './incidents';
import { type IncidentChange, saveIncident } from './save-incident';

/** Identifies a provider and a problem. The id is the same for the same account, token URL and problem. */
export interface ProviderRef {
  /** `idp_…` */
  readonly id: string;
  readonly accountId: string;
}

export interface ProviderRecord extends ProviderRef, ProviderState {
  /** Grows with each change of the record. */
  readonly sequence: number;
  /** The `sequence` of the last change whose incident and alerts are stored. */
  readonly carriedOut: number;
  /** True if the record needs no further work until a check fails again. */
  readonly isDone: boolean;
}

export interface IdentityProviderStore {
  /** Lists the providers of all accounts that have failing checks or unfinished work. */
  readonly listActive: () => Promise<readonly ProviderRef[]>;
  readonly listFailures: (
    accountId: string,
    providerId: string,
  ) => Promise<readonly SignInFailure[]>;
  readonly find: (accountId: string, id: string) => Promise<ProviderRecord | null>;
  /**
   * Stores the record. Returns false and writes nothing if the stored sequence is not `before`. null for `before` means
   * that no record is stored.
   */
  readonly save: (
    accountId: string,
    record: ProviderRecord,
    before: Pick<ProviderRecord, 'sequence'> | null,
  ) => Promise<boolean>;
  readonly saveIncident: (accountId: string, incident: IncidentChange) => Promise<void>;
  /** Removes each of the failures, unless its check has failed again since the failure was read. */
  readonly forget: (accountId: string, failures: readonly SignInFailure[]) => Promise<void>;
}

export type SignInFailureDocument = SignInFailure & {
  readonly _id: string;
  readonly providerId: string;
};

export interface ProviderDocument extends ProviderRef {
  readonly _id: string;
  readonly sequence: number;
  readonly isDone: boolean;
  /** The ProviderRecord as JSON text. */
  readonly record: string;
}

export const signInFailureCollection = defineCollection<SignInFailureDocument>(
  'signinfailures',
  {
    accountId: String,
    providerId: String,
    tokenUrl: String,
    problem: String,
    reason: String,
    resourceType: String,
    resourceId: String,
    region: String,
    revision: Number,
    message: String,
    firstSlotMs: Number,
    lastSlotMs: Number,
  },
  { indexes: [{ key: { accountId: 1, providerId: 1 } }] },
);

export const providerCollection = defineCollection<ProviderDocument>(
  'identityproviders',
  { accountId: String, id: String, sequence: Number, isDone: Boolean, record: String },
  {
    indexes: [
      { key: { isDone: 1, _id: 1 }, partialFilterExpression: { isDone: false } },
      { key: { accountId: 1, _id: 1 } },
    ],
  },
);

/** Maximum number of failing checks that are read. No installation has more failing checks. */
const FAILURES_MAX = 100_000;

export interface ProviderModels {
  readonly signInFailures: Model<SignInFailureDocument>;
  readonly identityProviders: Model<ProviderDocument>;
  readonly incidents: Model<IncidentDocument>;
}

export function createIdentityProviderStore(
  { signInFailures, identityProviders, incidents }: ProviderModels,
  now: () => number,
): IdentityProviderStore {
  return {
    async listActive() {
      const failing = await signInFailures
        .find({}, { accountId: 1, providerId: 1 })
        .limit(FAILURES_MAX)
        .lean<SignInFailureDocument[]>();
      const unsettled = await identityProviders
        .find({ isDone: false }, { accountId: 1 })
        .lean<ProviderDocument[]>();
      const refs = [
        ...failing.map(({ accountId, providerId }) => ({ id: providerId, accountId })),
        ...unsettled.map(({ _id, accountId }) => ({ id: _id, accountId })),
      ];
      return [...new Map(refs.map((ref) => [`${ref.accountId} ${ref.id}`, ref])).values()];
    },
    async listFailures(accountId, providerId) {
      const found = await signInFailures
        .find({ accountId, providerId })
        .lean<SignInFailureDocument[]>();
      return found.map(({ _id, providerId: _provider, ...failure }) => failure);
    },
    async find(accountId, id) {
      const found = await identityProviders
        .findOne({ _id: id, accountId })
        .lean<ProviderDocument>();
      return found === null ? null : fromJsonText(found.record);
    },
    async save(accountId, record, before) {
      const { id, sequence, isDone } = record;
      const fields = { accountId, id, sequence, isDone, record: toJsonText(record) };
      if (before === null)
        return writeUnlessPresent(() => identityProviders.create({ _id: id, ...fields }));
      const stored = { _id: id, accountId, sequence: before.sequence };
      return (await identityProviders.updateOne(stored, { $set: fields })).matchedCount === 1;
    },
    saveIncident: (accountId, incident) =>
      saveIncident(incidents, { ...incident, accountId }, now()),
    async forget(accountId, failures) {
      for (const { lastSlotMs, ...failure } of failures)
        await signInFailures.deleteOne({ _id: signInFailureId(failure), accountId, lastSlotMs });
    },
  };
}

/**
 * Builds the id of a failure. A refusal and an outage have different ids, because a provider may alternate between
 * them.
 */
export function signInFailureId({
  resourceId,
  region,
  problem,
}: Pick<SignInFailure, 'resourceId' | 'region' | 'problem'>): string {
  return `${resourceId} ${region} ${problem}`;
}

/**
 * Stores that a check could not sign in at a slot: one failure per region and problem. Idempotent. An older slot never
 * replaces a newer one. A failure at another provider starts a new record.
 */
export async function saveSignInFailure(
  signInFailures: Model<SignInFailureDocument>,
  failure: SignInFailure,
  providerId: string,
): Promise<void> {
  const { accountId, lastSlotMs } = failure;
  const own = { _id: signInFailureId(failure), accountId };
  const before = await signInFailures.findOne(own).lean<SignInFailureDocument>();
  const isSame = before?.providerId === providerId;
  const firstSlotMs = isSame ? Math.min(before.firstSlotMs, lastSlotMs) : lastSlotMs;
  const document = { ...failure, ...own, providerId, firstSlotMs };
  const older = { ...own, lastSlotMs: below(lastSlotMs) };
  await writeUnlessPresent(() => signInFailures.replaceOne(older, document, { upsert: true }));
}
