/** Creates and changes alert channels. The very first channel of an account becomes a default by itself. */
import { type AlertChannel, listOfEvents } from '../../models/alerting/alert-channels';
import type { Channel, Config } from '../../notify/channels/channel';
import { findChannel } from '../../notify/channels/registry';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { AlertChannelBody } from '../../schemas/alerts';
import type {
  AlertChannelResponse,
  NewAlertChannelResponse,
  RotatedSigningSecretResponse,
} from '../../schemas/responses/alerts';
import { refuseProblems } from '../lists/field-problems';
import { orUndo } from '../lists/or-undo';
import {
  anyVersion,
  changeObject,
  newObject,
  nextVersion,
  type ObjectChange,
} from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { alertChannelKind, presentAlertChannel } from './alert-channels';
import { openConfig, readChannels, sealDestinations } from './alert-destinations';
import {
  addressesIn,
  configOf,
  findConfigProblems,
  findMovedSecrets,
  maskedConfig,
  unmaskedConfig,
} from './channel-config';
import { readDeliveries } from './channel-deliveries';
import { resolveFallback } from './channel-fallback';
import { refuseTemplate } from './refuse-template';

const SIGNING_SECRET_BYTES = 32;

type Needs = Pick<
  Dependencies,
  | 'stores'
  | 'clock'
  | 'sleep'
  | 'newId'
  | 'randomBytes'
  | 'sealers'
  | 'findBlockedTarget'
  | 'runTexts'
>;

/** A webhook's signing secret is in this one answer only. */
export async function createAlertChannel(
  needs: Needs,
  accountId: string,
  body: AlertChannelBody,
): Promise<NewAlertChannelResponse> {
  await refuseTemplate(needs, { accountId, given: body });
  const others = await readChannels(needs.stores.alertChannels, accountId);
  const { alertChannel, signingSecret } = newAlertChannel(needs, { accountId, body, others });
  await storeNewChannel(needs, alertChannel);
  const response = presentAlertChannel(alertChannel, others);
  return signingSecret === null ? response : { ...response, signingSecret };
}

interface NewChannelRequest {
  readonly accountId: string;
  readonly body: AlertChannelBody;
  /** Channels that are there. */
  readonly others: readonly AlertChannel[];
  /** Ids of channels that are to be made beside it, by their keys; its own among them. */
  readonly planned?: ReadonlyMap<string, string>;
}

interface NewChannel {
  readonly alertChannel: AlertChannel;
  /** Of a webhook. */
  readonly signingSecret: string | null;
}

/** What would be stored; nothing is yet. Throws `blocked_target`. */
export function newAlertChannel(
  needs: Needs,
  { accountId, body, others, planned = new Map() }: NewChannelRequest,
): NewChannel {
  const channel = channelOf(body.type);
  const config = configOf(channel, body);
  refuseConfig(needs, channel, config);
  const signingSecret = body.type === 'webhook' ? newSigningSecret(needs) : null;
  const made = newObject(needs, alertChannelKind(needs), accountId);
  const addressed = { channel, config, signingSecret };
  const id = planned.get(body.key ?? '') ?? made.id;
  const alertChannel: AlertChannel = {
    ...made,
    id,
    name: body.name,
    key: body.key,
    type: body.type,
    isDefault: body.isDefault ?? (others.length === 0 && listOfEvents(config).length === 0),
    onlyKinds: body.onlyKinds,
    fallbackId: resolveFallback({ id, others, planned, before: null }, body.fallback),
    fallbackAfterMinutes: body.fallbackAfterMinutes,
    config: maskedConfig(channel, config),
    places: sealDestinations(needs.sealers.stored, accountId, addressed),
    ...eventsFrom(config, made.createdAtMs),
  };
  return { alertChannel, signingSecret };
}

/** Throws `key_taken`; whatever it throws, nothing is stored. */
export async function storeNewChannel(needs: Needs, alertChannel: AlertChannel): Promise<void> {
  const { accountId, id, version } = alertChannel;
  const { alertChannels } = needs.stores;
  const store = async (): Promise<void> => {
    await alertChannels.create(accountId, alertChannel);
    if (alertChannel.isDefault) await dethroneOthers(needs, alertChannel);
  };
  await orUndo(needs, store, () => alertChannels.remove(accountId, id, version));
}

interface ChannelInPlace extends Pick<NewChannelRequest, 'others' | 'planned'> {
  readonly before: AlertChannel;
}

/**
 * The channel itself when nothing changes. A value as answers mask it is the stored one, unless requests
 * go to another scheme, host or port than before. Throws `blocked_target` and `validation_failed`.
 */
export function changedAlertChannel(
  needs: Needs,
  { before, others, planned = new Map() }: ChannelInPlace,
  body: AlertChannelBody,
): AlertChannel {
  const channel = channelOf(before.type);
  refuseOtherType(before, body.type);
  const { eventsFromMs = needs.clock.now(), ...rest } = before;
  const changed = changedConfig(needs, before, configOf(channel, body));
  return nextVersion(needs, before, {
    ...rest,
    name: body.name,
    key: body.key,
    isDefault: body.isDefault ?? before.isDefault,
    onlyKinds: body.onlyKinds,
    fallbackId: resolveFallback({ id: before.id, others, planned, before }, body.fallback),
    fallbackAfterMinutes: body.fallbackAfterMinutes,
    ...changed,
    ...eventsFrom(changed.config, eventsFromMs),
  });
}

/** From when on it is sent events, if it is. */
function eventsFrom(config: Config, eventsFromMs: number): Pick<AlertChannel, 'eventsFromMs'> {
  return listOfEvents(config).length === 0 ? {} : { eventsFromMs };
}

export interface ChannelChangeRequest extends ObjectChange {
  /** The whole channel, as it shall be. */
  readonly body: AlertChannelBody;
  readonly planned?: NewChannelRequest['planned'];
}

/** Alerts that are sent from now on use it; those under way keep the recipient that they have. */
export async function changeAlertChannel(
  needs: Needs,
  accountId: string,
  { body, planned = new Map(), ...change }: ChannelChangeRequest,
): Promise<AlertChannelResponse> {
  let others: readonly AlertChannel[] = [];
  let wasDefault = false;
  const kind = alertChannelKind(needs);
  const changed = await changeObject(needs, kind, { ...change, accountId }, async (before) => {
    await refuseTemplate(needs, { accountId, given: body, stored: before.config });
    const isNaming = (body.fallback ?? before.fallbackId) !== null;
    others = isNaming ? await readChannels(needs.stores.alertChannels, accountId) : [];
    wasDefault = before.isDefault;
    return changedAlertChannel(needs, { before, others, planned }, body);
  });
  if (changed.isDefault && !wasDefault) await dethroneOthers(needs, changed);
  return presentAlertChannel(changed, others, await readDeliveries(needs, accountId, changed.id));
}

/**
 * A webhook gets another signing secret, which is in this one answer only. Alerts that are sent from now on are
 * signed with it; those under way keep the one that they have. Throws `validation_failed` for another type.
 */
export async function rotateSigningSecret(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<RotatedSigningSecretResponse> {
  const signingSecret = newSigningSecret(needs);
  const change = { accountId, id, accept: anyVersion };
  await changeObject(needs, alertChannelKind(needs), change, async (before) => {
    if (before.type !== 'webhook')
      throw new AppError('validation_failed', 'Only webhooks have a signing secret.');
    const channel = channelOf(before.type);
    const { config } = openConfig(needs.sealers.stored, before);
    const addressed = { channel, config, signingSecret };
    return { ...before, places: sealDestinations(needs.sealers.stored, accountId, addressed) };
  });
  return { signingSecret };
}

function newSigningSecret({ randomBytes }: Pick<Needs, 'randomBytes'>): string {
  return randomBytes(SIGNING_SECRET_BYTES).toString('base64url');
}

/** Throws for a type that this version does not know, which no shape lets through. */
export function channelOf(type: string): Channel {
  const channel = findChannel(type);
  if (channel === undefined) throw new Error(`no channel has the type ${type}`);
  return channel;
}

/** The type never changes. */
export function refuseOtherType({ type }: Pick<AlertChannel, 'type'>, wanted: unknown): void {
  if (wanted === undefined || wanted === type) return;
  const message = `never changes, and is ${type}; make another channel instead`;
  refuseProblems([{ path: 'type', code: 'invalid_value', message }]);
}

/** A webhook keeps its signing secret when it moves; sealing the same again gives another text. */
function changedConfig(
  needs: Needs,
  alertChannel: AlertChannel,
  given: Config,
): Pick<AlertChannel, 'config' | 'places'> {
  const channel = channelOf(alertChannel.type);
  const sealer = needs.sealers.stored;
  const { config: stored, signingSecret } = openConfig(sealer, alertChannel);
  const config = unmaskedConfig(channel, given, stored);
  refuseProblems(findMovedSecrets(channel, { given, config, stored }));
  if (canonicalJson(config) === canonicalJson(stored))
    return { config: alertChannel.config, places: alertChannel.places };
  refuseConfig(needs, channel, config);
  const { template: _new, ...addressed } = config;
  const { template: _old, ...before } = stored;
  const isSameAddress = canonicalJson(addressed) === canonicalJson(before);
  return {
    config: maskedConfig(channel, config),
    places: isSameAddress
      ? alertChannel.places
      : sealDestinations(sealer, alertChannel.accountId, { channel, config, signingSecret }),
  };
}

function refuseConfig({ findBlockedTarget }: Needs, channel: Channel, config: Config): void {
  const blocked = addressesIn(channel, config).flatMap(({ path, url }) => {
    const message = findBlockedTarget(url);
    return message === null ? [] : [{ path, code: 'blocked_target', message }];
  });
  refuseProblems([...findConfigProblems(channel, config), ...blocked]);
}

/** One default of a type; a crash in between leaves two, and both are used until the next change. */
async function dethroneOthers({ stores, clock }: Needs, chosen: AlertChannel): Promise<void> {
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
