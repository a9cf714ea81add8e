/** Alert channels of a set. Secrets in their URLs stay masked in every plan. */
import type { FieldChange } from '../../domain/definitions/field-changes';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import { findChannel } from '../../notify/channels/registry';
import { canonicalJson } from '../../platform/canonical-json';
import {
  type AlertChannelBody,
  alertChannelBody,
  FALLBACK_AFTER_MINUTES,
} from '../../schemas/alerts';
import {
  deleteAlertChannel,
  presentAlertChannel,
  READ_ONLY_FIELDS,
} from '../alerting/alert-channels';
import { openConfig, readChannels } from '../alerting/alert-destinations';
import { listSecretNames } from '../alerting/channel-config';
import { refuseTemplate } from '../alerting/refuse-template';
import {
  changeAlertChannel,
  changedAlertChannel,
  newAlertChannel,
  storeNewChannel,
} from '../alerting/save-alert-channel';
import { readChange } from '../lists/read-change';
import { anyVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import {
  type ApplyKind,
  type Entry,
  type Existing,
  type ObjectPlan,
  planCreation,
  toExisting,
  type Wish,
} from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

interface ChannelApplication {
  readonly accountId: string;
  readonly channels: ApplyNeeds['channels'];
  readonly planned: ApplyNeeds['plannedChannels'];
  readonly needs: Dependencies;
}

/** `needs`: the service's own dependencies, because planned channels are not stored yet. */
export function channelKind(
  accountId: string,
  { channels, plannedChannels }: ApplyNeeds,
  needs: Dependencies,
): ApplyKind {
  const place: ChannelApplication = { accountId, channels, planned: plannedChannels, needs };
  let last: Promise<unknown> = Promise.resolve();
  const plan = async (wish: Wish): Promise<ObjectPlan> => {
    const stored = wish.existing === null ? undefined : channels.get(wish.existing.id);
    await refuseTemplate(needs, { accountId, given: wish.entry, stored: stored?.config });
    return stored === undefined ? planNew(place, wish) : planChange(place, wish, stored);
  };
  return {
    list: 'alertChannels',
    async load() {
      const found = await readChannels(needs.stores.alertChannels, accountId);
      channels.clear();
      for (const alertChannel of found) channels.set(alertChannel.id, alertChannel);
      return found.map((alertChannel) => toExisting(alertChannel, buildView(alertChannel, found)));
    },
    // Channels are planned one after the other, because the first channel of a new account becomes a default.
    plan(wish) {
      const planned = last.then(() => plan(wish));
      last = planned.catch(() => undefined);
      return planned;
    },
    remove: (id) => deleteAlertChannel(needs, accountId, { id, accept: anyVersion }),
    forget: (id) => channels.delete(id),
    readDefaults: async () => ({
      onlyKinds: null,
      fallback: null,
      fallbackAfterMinutes: FALLBACK_AFTER_MINUTES,
    }),
  };
}

function planNew(
  { accountId, channels, planned, needs }: ChannelApplication,
  { entry, set }: Wish,
): ObjectPlan {
  const body = readEntry(entry, null);
  const made = newAlertChannel(needs, { accountId, body, planned, others: [...channels.values()] });
  const alertChannel: AlertChannel = { ...made.alertChannel, managedBy: set };
  const { signingSecret } = made;
  const store = () => storeNewChannel(needs, alertChannel);
  const { before, carryOut } = planCreation(alertChannel, channels, store);
  return {
    ...planUpdate(alertChannel, [...channels.values()]),
    before,
    carryOut: async () => ({
      ...(await carryOut()),
      ...(signingSecret !== null && { signingSecret }),
    }),
  };
}

/** If the entry has no key or no default, the stored one stays. */
function planChange(
  { channels, planned, needs }: ChannelApplication,
  { entry, existing }: Wish,
  stored: AlertChannel,
): ObjectPlan {
  const read = readEntry(entry, existing);
  const body = { ...read, key: read.key ?? stored.key };
  const alertChannel = changedAlertChannel(
    needs,
    { before: stored, others: [...channels.values()], planned },
    body,
  );
  channels.set(alertChannel.id, alertChannel);
  return {
    ...planUpdate(alertChannel, [...channels.values()]),
    before: existing?.view ?? null,
    hidden: hiddenChanges(needs, stored, alertChannel),
    carryOut: async () => {
      const { accountId, id } = alertChannel;
      await changeAlertChannel(needs, accountId, { id, body, planned, accept: anyVersion });
      return { id };
    },
  };
}

function planUpdate(alertChannel: AlertChannel, channels: readonly AlertChannel[]) {
  const channel = findChannel(alertChannel.type);
  const secretNames = channel === undefined ? [] : listSecretNames(channel, alertChannel.config);
  return { name: alertChannel.name, after: buildView(alertChannel, channels), secretNames };
}

function buildView(alertChannel: AlertChannel, channels: readonly AlertChannel[]): Entry {
  const fields = Object.entries(presentAlertChannel(alertChannel, channels));
  return Object.fromEntries(fields.filter(([name]) => !READ_ONLY_FIELDS.includes(name)));
}

function readEntry({ id: _id, ...sent }: Entry, existing: Existing | null): AlertChannelBody {
  return readChange(alertChannelBody, { sent, stored: existing?.view });
}

/** Reports secrets that differ although the masked fields look unchanged. */
function hiddenChanges(
  { sealers }: Dependencies,
  before: AlertChannel,
  after: AlertChannel,
): readonly FieldChange[] {
  if (before.places === after.places) return [];
  const was = openConfig(sealers.stored, before).config;
  const will = openConfig(sealers.stored, after).config;
  const isHidden = (name: string): boolean =>
    canonicalJson(was[name] ?? null) !== canonicalJson(will[name] ?? null) &&
    canonicalJson(before.config[name] ?? null) === canonicalJson(after.config[name] ?? null);
  return Object.keys(will)
    .filter(isHidden)
    .map((path) => ({ path, before: '(hidden)', after: '(another value)' }));
}
