/** Monitors of all types, as users have defined them. */
import type { Model } from 'mongoose';
import type { MonitorRules, SentStep } from '../../contracts/definition';
import type { HeartbeatPlan } from '../../contracts/heartbeat';
import { withSecretNames } from '../../domain/definitions/inherit';
import { defineCollection, type IndexDefinition } from '../store/define-schema';
import { type DerivedFields, deriveFields, type SealedParts } from '../store/derived-fields';
import { above, matchAny } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import { type Stored, toKeyField } from '../store/versioned-store';
import { createPingLookup, type PingDocumentFields, type PingLookup } from './ping-lookup';
import type { Resource, ResourceStore } from './resource';
import {
  createResourceStore,
  resourceFields,
  resourceIndexes,
  toResource,
  toSparseFields,
} from './resources';

/** The encrypted token in the ping URL of a heartbeat, and the hash by which the token is found. */
export interface PingAddress {
  readonly sealed: string;
  /** SHA-256 of the token, in hex. */
  readonly hash: string;
  /** The previous token, which is valid until `untilMs`. null if there is none. */
  readonly former: { readonly hash: string; readonly untilMs: number } | null;
}

export interface Monitor extends Resource, MonitorRules {
  /** The request to send. null for a heartbeat, because it sends nothing. */
  readonly step: SentStep | null;
  /** The parts of a heartbeat. null for a monitor that sends requests. */
  readonly heartbeat: { readonly plan: HeartbeatPlan; readonly address: PingAddress } | null;
  readonly quorum: number | 'majority';
}

export interface MonitorStore extends ResourceStore<Monitor> {
  /** Finds a heartbeat in any account by the hash of its token. */
  readonly findByPing: PingLookup['find'];
  /** True if any account has a heartbeat. */
  readonly hasHeartbeats: () => Promise<boolean>;
}

export type MonitorDocument = Stored<Omit<Monitor, 'step' | 'heartbeat'>> &
  DerivedFields &
  Pick<SealedParts, 'pingSealed'> & {
    /** The step as JSON text. Absent for a heartbeat. */
    readonly step?: string;
    /** The plan as JSON text. This field and the following fields are present only in heartbeats. */
    readonly heartbeat?: string;
    readonly pingHash?: string;
    readonly formerPingHash?: string;
    readonly formerPingUntilMs?: number;
  };

/** The fields that are read when a heartbeat is looked up by its token. */
const PING_FIELDS = {
  accountId: 1,
  state: 1,
  heartbeat: 1,
  pingHash: 1,
  formerPingHash: 1,
  formerPingUntilMs: 1,
} as const;

/** Indexes that contain only heartbeats. */
const pingIndexes: readonly IndexDefinition[] = ['pingHash', 'formerPingHash'].map((name) => ({
  key: { [name]: 1 },
  partialFilterExpression: { [name]: { $exists: true } },
}));

export const monitorCollection = defineCollection<MonitorDocument>(
  'monitors',
  {
    ...resourceFields,
    step: String,
    heartbeat: String,
    pingHash: String,
    pingSealed: String,
    formerPingHash: String,
    formerPingUntilMs: Number,
    quorum: {},
    failuresBeforeDown: Number,
    successesBeforeUp: Number,
  },
  // The index by anchor. It finds the monitors of all accounts whose slots were moved since an instant.
  { indexes: [...resourceIndexes, ...pingIndexes, { key: { anchorMs: 1 } }] },
);

export function createMonitorStore(
  monitors: Model<MonitorDocument>,
  remove: MonitorStore['remove'],
): MonitorStore {
  const lookup = createPingLookup((field, hashes) =>
    monitors.find({ [field]: matchAny(hashes) }, PING_FIELDS).lean<PingDocumentFields[]>(),
  );
  const resources = createResourceStore({ model: monitors, toDocument, fromDocument, remove });
  return {
    ...resources,
    // The cache is dropped even after a failed write, because the write may have taken effect.
    replace: (...given) => resources.replace(...given).finally(lookup.forget),
    remove: (...given) => resources.remove(...given).finally(lookup.forget),
    findByPing: lookup.find,
    async hasHeartbeats() {
      return (await monitors.exists({ pingHash: above('') })) !== null;
    },
  };
}

function toDocument(given: Monitor): MonitorDocument {
  const { id, key, dependsOn, hours, environment, inherited, ...named } = given;
  const { profile, own, fromProfile, profileVersion, ...rest } = named;
  const { step, heartbeat, ...monitor } = rest;
  const layers = { profile, own, fromProfile, profileVersion };
  const ping = heartbeat === null ? {} : pingFields(heartbeat);
  const sent = withSecretNames(step === null ? [] : [step], inherited?.secrets);
  const derived = deriveFields({ ...monitor, ...ping }, sent);
  return {
    ...monitor,
    ...ping,
    ...derived,
    ...toKeyField(key),
    ...toSparseFields({ dependsOn, hours, environment, inherited, ...layers }),
    _id: id,
    ...(step === null ? {} : { step: toJsonText(step) }),
  };
}

function pingFields({ plan, address }: NonNullable<Monitor['heartbeat']>) {
  const { hash, sealed, former } = address;
  return {
    heartbeat: toJsonText(plan),
    pingHash: hash,
    pingSealed: sealed,
    ...(former && { formerPingHash: former.hash, formerPingUntilMs: former.untilMs }),
  };
}

function fromDocument(document: MonitorDocument): Monitor {
  const { step, quorum, failuresBeforeDown, successesBeforeUp } = document;
  return Object.assign({}, toResource(document), {
    step: step == null ? null : fromJsonText<SentStep>(step),
    heartbeat: readHeartbeat(document),
    quorum,
    failuresBeforeDown,
    successesBeforeUp,
  });
}

function readHeartbeat({
  heartbeat,
  pingHash = '',
  pingSealed = '',
  formerPingHash,
  formerPingUntilMs = 0,
}: MonitorDocument): Monitor['heartbeat'] {
  if (heartbeat == null) return null;
  const former =
    formerPingHash === undefined ? null : { hash: formerPingHash, untilMs: formerPingUntilMs };
  const address = { hash: pingHash, sealed: pingSealed, former };
  return { plan: fromJsonText<HeartbeatPlan>(heartbeat), address };
}
