/** Creates and changes alert channels. The first channel of an account becomes a default automatically. */
import { EVENTS_OVERLAP_MS, listChosenEvents } from '../../contracts/alerting/alert-kinds';
import type { AlertChannel } from '../../models/alerting/alert-channels';
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
import { runOrCompensate } from '../lists/run-or-compensate';
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
  findConfigProblems,
  findMovedSecrets,
  maskedConfig,
  readConfig,
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

/** Only this response contains the signing secret of a webhook. */
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
  /** The existing channels of the account. */
  readonly others: readonly AlertChannel[];
  /** Ids of all channels that the request creates, including the current channel, by key. */
  readonly planned?: ReadonlyMap<string, string>;
}

interface NewChannel {
  readonly alertChannel: AlertChannel;
  /** null unless the channel is a webhook. */
  readonly signingSecret: string | null;
}

/** Builds the channel without storing it. Throws `blocked_target`. */
export function newAlertChannel(
  needs: Needs,
  { accountId, body, others, planned = new Map() }: NewChannelRequest,
): NewChannel {
  const channel = requireChannel(body.type);
  const config = readConfig(channel, body);
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
    isDefault: body.isDefault ?? (others.length === 0 && listChosenEvents(config).length === 0),
    onlyKinds: body.onlyKinds,
    fallbackId: resolveFallback({ id, others, planned, before: null }, body.fallback),
    fallbackAfterMinutes: body.fallbackAfterMinutes,
    config: maskedConfig(channel, config),
    places: sealDestinations(needs.sealers.stored, accountId, addressed),
    ...eventsFrom(config, made.createdAtMs),
  };
  return { alertChannel, signingSecret };
}

/** Throws `key_taken`; on any error, nothing is stored. */
export async function storeNewChannel(needs: Needs, alertChannel: AlertChannel): Promise<void> {
  const { accountId, id, version } = alertChannel;
  const { alertChannels } = needs.stores;
  const store = async (): Promise<void> => {
    await alertChannels.create(accountId, alertChannel);
    if (alertChannel.isDefault) await clearOtherDefaults(needs, alertChannel);
  };
  await runOrCompensate(needs, store, () => alertChannels.remove(accountId, id, version));
}

interface ChannelInPlace extends Pick<NewChannelRequest, 'others' | 'planned'> {
  readonly before: AlertChannel;
}

/**
 * Returns `before` if nothing changes. A masked value means the stored value, unless the change sends requests to
 * another scheme, host or port. Throws `blocked_target` and `validation_failed`.
 */
export function changedAlertChannel(
  needs: Needs,
  { before, others, planned = new Map() }: ChannelInPlace,
  body: AlertChannelBody,
): AlertChannel {
  const channel = requireChannel(before.type);
  refuseOtherType(before, body.type);
  // Reads start earlier by the overlap. Adding the overlap here keeps them from sending events from
  // before this change.
  const { eventsFromMs = needs.clock.now() + EVENTS_OVERLAP_MS, ...rest } = before;
  const changed = changedConfig(needs, before, readConfig(channel, body));
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

/** From when events are sent to the channel. */
function eventsFrom(config: Config, eventsFromMs: number): Pick<AlertChannel, 'eventsFromMs'> {
  return listChosenEvents(config).length === 0 ? {} : { eventsFromMs };
}

export interface ChannelChangeRequest extends ObjectChange {
  /** The complete new definition of the channel. */
  readonly body: AlertChannelBody;
  readonly planned?: NewChannelRequest['planned'];
}

/** Applies to alerts that are sent from now on; alerts in flight keep their recipient. */
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
  if (changed.isDefault && !wasDefault) await clearOtherDefaults(needs, changed);
  return presentAlertChannel(changed, others, await readDeliveries(needs, accountId, changed.id));
}

/**
 * Gives a webhook a new signing secret, which only this response contains. Alerts that are being sent keep the old
 * secret. Throws `validation_failed` for another type of channel.
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
    const channel = requireChannel(before.type);
    const { config } = openConfig(needs.sealers.stored, before);
    const addressed = { channel, config, signingSecret };
    return { ...before, places: sealDestinations(needs.sealers.stored, accountId, addressed) };
  });
  return { signingSecret };
}

function newSigningSecret({ randomBytes }: Pick<Needs, 'randomBytes'>): string {
  return randomBytes(SIGNING_SECRET_BYTES).toString('base64url');
}

/** Throws for an unknown type, which the shapes never accept. */
export function requireChannel(type: string): Channel {
  const channel = findChannel(type);
  if (channel === undefined) throw new Error(`no channel has the type ${type}`);
  return channel;
}

/** The type never changes. */
export function refuseOtherType({ type }: Pick<AlertChannel, 'type'>, wanted: unknown): void {
  if (wanted === undefined || wanted === type) return;
  const message = `cannot be changed from ${type}; create another channel instead`;
  refuseProblems([{ path: 'type', code: 'invalid_value', message }]);
}

/** A webhook keeps its signing secret when its URL changes. Unchanged recipients keep their encrypted text. */
function changedConfig(
  needs: Needs,
  alertChannel: AlertChannel,
  given: Config,
): Pick<AlertChannel, 'config' | 'places'> {
  const channel = requireChannel(alertChannel.type);
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

/** Keeps one default per type. After a crash, two defaults are used until the next change. */
async function clearOtherDefaults({ stores, clock }: Needs, chosen: AlertChannel): Promise<void> {
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
