/** Alert channels of accounts, with encrypted destinations. */
import type { Model } from 'mongoose';
import type { AlertKind } from '../../contracts/alerting/alert-kinds';
import { listChosenEvents } from '../../contracts/alerting/alert-kinds';
import { defineCollection } from '../store/define-schema';
import { readKeyIds } from '../store/derived-fields';
import { readAll, readOne } from '../store/entities';
import { below } from '../store/filters';
import { fromJsonText, toJsonText } from '../store/json-text';
import {
  createVersionedStore,
  type Stored,
  toKeyField,
  uniqueKeyIndex,
  type VersionedStore,
} from '../store/versioned-store';

export interface AlertChannelStore extends VersionedStore<AlertChannel> {
  /** Finds a channel in any account, for requests that a secret of the channel authenticates. */
  readonly findAny: (id: string) => Promise<AlertChannel | null>;
  /** Lists the channels of all accounts that receive events in addition to alerts. */
  readonly listWithEvents: () => Promise<readonly AlertChannel[]>;
  /** Records that all events before this time are sent or being sent. */
  readonly noteEventsSent: (accountId: string, id: string, untilMs: number) => Promise<void>;
}

/** One destination of a channel, in the form that is shown and in encrypted form. */
export interface ChannelDestination {
  readonly shown: string;
  readonly sealed: string;
}

/** A channel that receives alerts of an account. */
export interface AlertChannel {
  /** `chn_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  readonly name: string;
  readonly key: string | null;
  /**
   * The `apply` set (`set:` in the file) that created the channel. Absent if the channel was created in another way.
   */
  readonly managedBy?: string;
  /** A type from the channel registry. */
  readonly type: string;
  /** True for the default channel of its type, to which the name of the type refers. */
  readonly isDefault: boolean;
  /** The kinds of alerts that are sent to the channel. null means all kinds. */
  readonly onlyKinds: readonly AlertKind[] | null;
  /** The channel that is used if this channel does not accept an alert. */
  readonly fallbackId: string | null;
  readonly fallbackAfterMinutes: number;
  /** The fields of the channel's type in the form that responses show, with masked secrets. */
  readonly config: Readonly<Record<string, unknown>>;
  /** One or several destinations. For example, an email channel has one destination per address. */
  readonly places: readonly ChannelDestination[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /**
   * Changes before this time need no event, because their events were sent or are not wanted. If absent, the channel
   * receives no events.
   */
  readonly eventsFromMs?: number;
}

export type AlertChannelDocument = Omit<Stored<AlertChannel>, 'config'> & {
  /** AlertChannel.config as JSON text. */
  readonly config: string;
  readonly keyIds: readonly string[];
  /** Present if the channel receives events in addition to alerts. */
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
    findAny: (id) =>
      readOne(channels.findOne({ _id: id }).lean<AlertChannelDocument>(), fromDocument),
    listWithEvents: () =>
      readAll(channels.find({ hasEvents: true }).lean<AlertChannelDocument[]>(), fromDocument),
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
    ...toKeyField(key),
    _id: id,
    config: toJsonText(config),
    keyIds: readKeyIds(channel.places.map(({ sealed }) => sealed)),
    ...(listChosenEvents(config).length > 0 && { hasEvents: true as const }),
  };
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
