/** Alert channels of accounts; where they lead is sealed before it comes here. */
import type { Model } from 'mongoose';
import type { AlertKind } from '../../contracts/alerting/alert-kinds';
import { defineCollection } from '../store/define-schema';
import { keyIdsOf } from '../store/derived-fields';
import { below } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import {
  createVersionedStore,
  keyField,
  type Stored,
  uniqueKeyIndex,
  type VersionedStore,
} from '../store/versioned-store';

export interface AlertChannelStore extends VersionedStore<AlertChannel> {
  /** Of whatever account: for requests that prove themselves by a secret of the channel. */
  readonly findAny: (id: string) => Promise<AlertChannel | null>;
  /** Of all accounts: those that are sent events beside alerts. */
  readonly listWithEvents: () => Promise<readonly AlertChannel[]>;
  /** Events of changes before that instant are sent or under way. Changes nothing else, nor the version. */
  readonly noteEventsSent: (accountId: string, id: string, untilMs: number) => Promise<void>;
}

/** One place of a channel: as people may see it, and sealed. */
export interface ChannelDestination {
  readonly shown: string;
  readonly sealed: string;
}

/** Where alerts of an account go. */
export interface AlertChannel {
  /** `chn_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  readonly name: string;
  readonly key: string | null;
  /** The set under which apply made it; absent for what was made otherwise. */
  readonly managedBy?: string;
  /** A type of the registry of channels. */
  readonly type: string;
  /** What the word for its type stands for in the account. */
  readonly isDefault: boolean;
  /** Alerts of other kinds do not go there; null: all do. */
  readonly onlyKinds: readonly AlertKind[] | null;
  /** The channel that steps in when it has not taken an alert. */
  readonly fallbackId: string | null;
  readonly fallbackAfterMinutes: number;
  /** The fields of its type as responses show them: secrets are masked. */
  readonly config: Readonly<Record<string, unknown>>;
  /** One, or one per entry of the field that its type parts by, like an email address. */
  readonly places: readonly ChannelDestination[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Events of earlier changes are none of its business, or have been sent; absent: it is sent no events. */
  readonly eventsFromMs?: number;
}

export type AlertChannelDocument = Omit<Stored<AlertChannel>, 'config'> & {
  /** JSON text of AlertChannel.config. */
  readonly config: string;
  readonly keyIds: readonly string[];
  /** Present when it is sent events beside alerts. */
  readonly hasEvents?: true;
};

export const alertChannelCollection = defineCollection<AlertChannelDocument>(
  'alertChannels',
  {
    accountId: String,
    version: Number,
    name: String,
    key: String,
    managedBy: String,
    type: String,
    isDefault: Boolean,
    onlyKinds: { type: [String], default: undefined },
    fallbackId: String,
    fallbackAfterMinutes: Number,
    config: String,
    places: [{ _id: false, shown: String, sealed: String }],
    keyIds: [String],
    hasEvents: Boolean,
    eventsFromMs: Number,
    createdAtMs: Number,
    updatedAtMs: Number,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      uniqueKeyIndex,
      { key: { keyIds: 1 } },
      { key: { hasEvents: 1 }, partialFilterExpression: { hasEvents: true } },
    ],
  },
);

export function createAlertChannelStore(channels: Model<AlertChannelDocument>): AlertChannelStore {
  return {
    ...createVersionedStore({ model: channels, toDocument, fromDocument }),
    async findAny(id) {
      const found = await channels.findOne({ _id: id }).lean<AlertChannelDocument>();
      return found === null ? null : fromDocument(found);
    },
    async listWithEvents() {
      const found = await channels.find({ hasEvents: true }).lean<AlertChannelDocument[]>();
      return found.map(fromDocument);
    },
    async noteEventsSent(accountId, id, untilMs) {
      const earlier = {
        _id: id,
        accountId,
        hasEvents: true as const,
        eventsFromMs: below(untilMs),
      };
      await channels.updateOne(earlier, { $set: { eventsFromMs: untilMs } });
    },
  };
}

function toDocument({ id, key, config, ...channel }: AlertChannel): AlertChannelDocument {
  return {
    ...channel,
    ...keyField(key),
    _id: id,
    config: toJsonText(config),
    keyIds: keyIdsOf(channel.places.map(({ sealed }) => sealed)),
    ...(listOfEvents(config).length > 0 && { hasEvents: true as const }),
  };
}

/** The events that its fields name. */
export function listOfEvents({ events }: AlertChannel['config']): readonly unknown[] {
  return Array.isArray(events) ? events : [];
}

function fromDocument({
  _id,
  key,
  config,
  keyIds: _keys,
  hasEvents: _hasEvents,
  ...channel
}: AlertChannelDocument): AlertChannel {
  return { ...channel, id: _id, key: key ?? null, config: fromJsonText(config) };
}
