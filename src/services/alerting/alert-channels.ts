/**
 * Alert channels as a resource, with masked secrets. The first channel of an account becomes a default channel
 * automatically.
 */
import type { FieldChange } from '../../domain/definitions/field-changes';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import {
  type AlertChannelBody,
  alertChannelBody,
  FALLBACK_AFTER_MINUTES,
} from '../../schemas/alerts';
import type {
  AlertChannelResponse,
  NewAlertChannelResponse,
  RotatedSigningSecretResponse,
} from '../../schemas/responses/alerts';
import { refuseNamedInPolicies } from '../accounts/named-in-policies';
import { toInstant } from '../lists/instants';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import { runOrCompensate } from '../lists/run-or-compensate';
import {
  type Changer,
  createTypedObject,
  defineObjectType,
  findTypedObject,
  type ObjectType,
  replaceTypedObject,
} from '../objects/object-type';
import { anyVersion, changeObject, type ObjectChange } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { openConfig, readChannels, sealDestinations } from './alert-destinations';
import { listSecretNames } from './channel-config';
import { NOTHING_SENT, readDeliveries, type ShownDeliveries } from './channel-deliveries';
import {
  buildAlertChannel,
  changeAlertChannel,
  newSigningSecret,
  requireChannel,
} from './save-alert-channel';

type Needs = Pick<Dependencies, 'stores'>;

/**
 * Alert channels as a resource. A change applies to every alert that is sent after it. If a channel is removed, rules
 * that still name it send nothing to it.
 */
export const ALERT_CHANNELS: ObjectType<AlertChannel, AlertChannelBody, AlertChannelResponse> =
  defineObjectType(
    {
      idKind: 'channel',
      name: 'alert channel',
      names: 'alert channels',
      list: 'alert-channels',
      plural: 'alertChannels',
      shape: alertChannelBody,
      readOnlyFields: ['id', 'version', 'lastSentAt', 'failing', 'createdAt', 'updatedAt'],
      defaults: { onlyKinds: null, fallback: null, fallbackAfterMinutes: FALLBACK_AFTER_MINUTES },
      getStore: ({ alertChannels }) => alertChannels,
    },
    (needs) => ({
      // Presents a channel without its fallback and its last deliveries. Other functions of this file add both.
      present: (channel) => presentAlertChannel(channel, []),
      listAll: (accountId) => readChannels(needs.stores.alertChannels, accountId),
      build: (made, body, context) => buildAlertChannel(needs, { made, body, context }),
      change: (before, body, context) => changeAlertChannel(needs, { before, body, context }),
      create: (channel) => storeChannel(needs, channel),
      afterChange: async (after, before) => {
        if (after.isDefault && !before.isDefault) await clearOtherDefaults(needs, after);
      },
      refuseRemoval: ({ accountId, id }) => refuseNamedInPolicies(needs, accountId, id),
      buildEntry: (channel, { channels }) => {
        const shown = Object.entries(presentAlertChannel(channel, [...channels.values()]));
        const { readOnlyFields } = ALERT_CHANNELS;
        return Object.fromEntries(shown.filter(([name]) => !readOnlyFields.includes(name)));
      },
      listHidden: (before, after) => listHiddenChanges(needs, before, after),
      listSecretNames: ({ type, config }) => listSecretNames(requireChannel(type), config),
      readSigningSecret: (channel) => openConfig(needs.sealers.stored, channel).signingSecret,
      // Channels of a file are planned one after the other. Otherwise, several of them could become the first channel
      // of a new account, which becomes a default channel.
      isPlannedInTurn: true,
    }),
  );

/** Stores the channel. Throws `key_taken`. After any error, nothing is stored. */
async function storeChannel(needs: Dependencies, channel: AlertChannel): Promise<void> {
  const { accountId, id, version } = channel;
  const { alertChannels } = needs.stores;
  const store = async (): Promise<void> => {
    await alertChannels.create(accountId, channel);
    if (channel.isDefault) await clearOtherDefaults(needs, channel);
  };
  await runOrCompensate(needs, store, () => alertChannels.remove(accountId, id, version));
}

/**
 * Makes the chosen channel the only default channel of its type. After a crash, two default channels may be used until
 * the next change.
 */
async function clearOtherDefaults(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  chosen: AlertChannel,
): Promise<void> {
  const { accountId } = chosen;
  for (const alertChannel of await readChannels(stores.alertChannels, accountId)) {
    if (
      alertChannel.id === chosen.id ||
      alertChannel.type !== chosen.type ||
      !alertChannel.isDefault
    )
      continue;
    const changed = {
      ...alertChannel,
      isDefault: false,
      version: alertChannel.version + 1,
      updatedAtMs: clock.now(),
    };
    await stores.alertChannels.replace(accountId, changed, alertChannel.version);
  }
}

/** Reports changed secrets. They look the same in responses, because they are masked. */
function listHiddenChanges(
  { sealers }: Dependencies,
  before: AlertChannel,
  after: AlertChannel,
): readonly FieldChange[] {
  if (before.places === after.places) return [];
  const was = openConfig(sealers.stored, before).config;
  const will = openConfig(sealers.stored, after).config;
  const isHidden = (name: string): boolean =>
    !isSameJson(was[name] ?? null, will[name] ?? null) &&
    isSameJson(before.config[name] ?? null, after.config[name] ?? null);
  return Object.keys(will)
    .filter(isHidden)
    .map((path) => ({ path, before: '(hidden)', after: '(another value)' }));
}

/** Creates a channel. Only this response contains the signing secret of a webhook. */
export async function createAlertChannel(
  needs: Dependencies,
  changer: Changer,
  body: AlertChannelBody,
): Promise<NewAlertChannelResponse> {
  const channel = await createTypedObject(needs, ALERT_CHANNELS, changer, body);
  const known = await channelsFor(needs, changer.accountId, [channel]);
  const { signingSecret } = openConfig(needs.sealers.stored, channel);
  const response = presentAlertChannel(channel, known);
  return signingSecret === null ? response : { ...response, signingSecret };
}

export async function replaceAlertChannel(
  needs: Dependencies,
  changer: Changer,
  change: ObjectChange & { readonly body: AlertChannelBody },
): Promise<AlertChannelResponse> {
  return showChannel(needs, await replaceTypedObject(needs, ALERT_CHANNELS, changer, change));
}

/**
 * Gives a webhook a new signing secret. Only this response contains the secret. Alerts that are already being sent use
 * the old secret. Throws `validation_failed` for a channel of another type.
 */
export async function rotateSigningSecret(
  needs: Dependencies,
  accountId: string,
  id: string,
): Promise<RotatedSigningSecretResponse> {
  const signingSecret = newSigningSecret(needs);
  const change = { accountId, id, accept: anyVersion };
  await changeObject(needs, ALERT_CHANNELS.bind(needs), change, async (before) => {
    if (before.type !== 'webhook')
      throw new AppError('validation_failed', 'Only webhooks have a signing secret.');
    const channel = requireChannel(before.type);
    const { config } = openConfig(needs.sealers.stored, before);
    const addressed = { channel, config, signingSecret };
    return { ...before, places: sealDestinations(needs.sealers.stored, accountId, addressed) };
  });
  return { signingSecret };
}

/** Returns all channels of the account if one of the given channels has a fallback, and otherwise an empty list. */
async function channelsFor(
  { stores }: Needs,
  accountId: string,
  channels: readonly AlertChannel[],
): Promise<readonly AlertChannel[]> {
  const isNaming = channels.some(({ fallbackId }) => fallbackId !== null);
  return isNaming ? readChannels(stores.alertChannels, accountId) : [];
}

export async function getAlertChannel(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<AlertChannelResponse> {
  return showChannel(needs, await findTypedObject(needs, ALERT_CHANNELS, { accountId, id }));
}

async function showChannel(needs: Needs, channel: AlertChannel): Promise<AlertChannelResponse> {
  const { accountId, id } = channel;
  const [known, deliveries] = await Promise.all([
    channelsFor(needs, accountId, [channel]),
    readDeliveries(needs, accountId, id),
  ]);
  return presentAlertChannel(channel, known, deliveries);
}

/** Lists the channels, newest first. */
export async function listAlertChannels(
  { stores }: Needs,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<AlertChannelResponse>> {
  let known: readonly AlertChannel[] = [];
  let deliveries: ReadonlyMap<string, ShownDeliveries> = new Map();
  return readList({ accountId, list: 'alert-channels' }, request, {
    read: async (query) => {
      const page = await stores.alertChannels.list(accountId, query);
      known = await channelsFor({ stores }, accountId, page.items);
      const read = page.items.map(
        async ({ id }) => [id, await readDeliveries({ stores }, accountId, id)] as const,
      );
      deliveries = new Map(await Promise.all(read));
      return page;
    },
    present: (channel) => presentAlertChannel(channel, known, deliveries.get(channel.id)),
  });
}

/**
 * Converts a channel to its response. `channels` are all channels of the account. If the fallback was deleted, it is
 * null in the response.
 */
function presentAlertChannel(
  alertChannel: AlertChannel,
  channels: readonly AlertChannel[],
  deliveries: ShownDeliveries = NOTHING_SENT,
): AlertChannelResponse {
  const { id, version, name, key, type, isDefault, config, onlyKinds, fallbackId } = alertChannel;
  const fallback = channels.find((other) => other.id === fallbackId);
  return {
    ...config,
    id,
    version,
    name,
    key,
    type,
    isDefault,
    onlyKinds: onlyKinds === null ? null : [...onlyKinds],
    fallback: fallback?.key ?? fallback?.id ?? null,
    fallbackAfterMinutes: alertChannel.fallbackAfterMinutes,
    ...deliveries,
    createdAt: toInstant(alertChannel.createdAtMs),
    updatedAt: toInstant(alertChannel.updatedAtMs),
  };
}
