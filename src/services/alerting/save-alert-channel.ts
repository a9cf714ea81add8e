/** Builds new and changed alert channels from bodies. Stores nothing. */
import { EVENTS_OVERLAP_MS, listChosenEvents } from '../../contracts/alerting/alert-kinds';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { Channel, Config } from '../../notify/channels/channel';
import { findChannel } from '../../notify/channels/registry';
import { isSameJson } from '../../platform/canonical-json';
import type { AlertChannelBody } from '../../schemas/alerts';
import { refuseProblems } from '../lists/field-problems';
import type { ChangeContext } from '../objects/object-type';
import { type AccountObject, nextVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { openConfig, readChannels, sealDestinations } from './alert-destinations';
import {
  findConfigProblems,
  findMovedSecrets,
  listUrls,
  maskConfig,
  readConfig,
  unmaskConfig,
} from './channel-config';
import { refuseTemplate } from './refuse-template';

const SIGNING_SECRET_BYTES = 32;

type Needs = Pick<
  Dependencies,
  'clock' | 'randomBytes' | 'sealers' | 'findBlockedTarget' | 'runTextJob'
>;

interface NewChannel {
  readonly made: AccountObject;
  readonly body: AlertChannelBody;
  readonly context: ChangeContext;
}

/** Builds a new channel. Throws `blocked_target`, and `validation_failed` for a template that does not work. */
export async function buildAlertChannel(
  needs: Needs,
  { made, body, context }: NewChannel,
): Promise<AlertChannel> {
  const { accountId } = made;
  await refuseTemplate(needs, { accountId, given: body });
  const others = await readChannels(context.needs.stores.alertChannels, accountId);
  const channel = requireChannel(body.type);
  const config = readConfig(channel, body);
  refuseConfig(needs, channel, config);
  const signingSecret = body.type === 'webhook' ? newSigningSecret(needs) : null;
  const addressed = { channel, config, signingSecret };
  const planned = context.plannedChannels;
  const id = planned.get(body.key ?? '') ?? made.id;
  return {
    ...made,
    id,
    name: body.name,
    key: body.key,
    type: body.type,
    isDefault: body.isDefault ?? (others.length === 0 && listChosenEvents(config).length === 0),
    onlyKinds: body.onlyKinds,
    fallbackId: resolveFallback({ id, others, planned, before: null }, body.fallback),
    fallbackAfterMinutes: body.fallbackAfterMinutes,
    config: maskConfig(channel, config),
    places: sealDestinations(needs.sealers.stored, accountId, addressed),
    ...eventsFrom(config, made.createdAtMs),
  };
}

interface ChangedChannel extends Omit<NewChannel, 'made'> {
  readonly before: AlertChannel;
}

/**
 * Builds the changed channel. Returns `before` if nothing changes. A mask in the body means the stored value. If the
 * change would send requests to another scheme, host or port, refuses masks. Throws `blocked_target` and
 * `validation_failed`.
 */
export async function changeAlertChannel(
  needs: Needs,
  { before, body, context }: ChangedChannel,
): Promise<AlertChannel> {
  const { accountId, id } = before;
  await refuseTemplate(needs, { accountId, given: body, stored: before.config });
  const isNaming = (body.fallback ?? before.fallbackId) !== null;
  const others = isNaming ? await readChannels(context.needs.stores.alertChannels, accountId) : [];
  const channel = requireChannel(before.type);
  refuseOtherType(before, body.type);
  // Events are read from `eventsFromMs` minus the overlap. Adding the overlap here ensures that no events from before
  // this change are sent.
  const { eventsFromMs = needs.clock.now() + EVENTS_OVERLAP_MS, ...rest } = before;
  const changed = changedConfig(needs, before, readConfig(channel, body));
  const planned = context.plannedChannels;
  return nextVersion(needs, before, {
    ...rest,
    name: body.name,
    key: body.key,
    isDefault: body.isDefault ?? before.isDefault,
    onlyKinds: body.onlyKinds,
    fallbackId: resolveFallback({ id, others, planned, before }, body.fallback),
    fallbackAfterMinutes: body.fallbackAfterMinutes,
    ...changed,
    ...eventsFrom(changed.config, eventsFromMs),
  });
}

/** If the configuration selects any events, returns the time from which events are sent to the channel. */
function eventsFrom(config: Config, eventsFromMs: number): Pick<AlertChannel, 'eventsFromMs'> {
  return listChosenEvents(config).length === 0 ? {} : { eventsFromMs };
}

export function newSigningSecret({ randomBytes }: Pick<Needs, 'randomBytes'>): string {
  return randomBytes(SIGNING_SECRET_BYTES).toString('base64url');
}

/** Returns the type of the channel. Throws for an unknown type, which the schemas never accept. */
export function requireChannel(type: string): Channel {
  const channel = findChannel(type);
  if (channel === undefined) throw new Error(`no channel has the type ${type}`);
  return channel;
}

/** Throws if the body would change the type of the channel, which is not allowed. */
export function refuseOtherType({ type }: Pick<AlertChannel, 'type'>, wanted: unknown): void {
  if (wanted === undefined || wanted === type) return;
  const message = `cannot be changed from ${type}; create another channel instead`;
  refuseProblems([{ path: 'type', code: 'invalid_value', message }]);
}

/**
 * Returns the changed configuration. A webhook keeps its signing secret even if its URL changes. If only the template
 * changes, the recipients are not encrypted again.
 */
function changedConfig(
  needs: Needs,
  alertChannel: AlertChannel,
  given: Config,
): Pick<AlertChannel, 'config' | 'places'> {
  const channel = requireChannel(alertChannel.type);
  const sealer = needs.sealers.stored;
  const { config: stored, signingSecret } = openConfig(sealer, alertChannel);
  const config = unmaskConfig(channel, given, stored);
  refuseProblems(findMovedSecrets(channel, { given, config, stored }));
  if (isSameJson(config, stored))
    return { config: alertChannel.config, places: alertChannel.places };
  refuseConfig(needs, channel, config);
  const { template: _new, ...addressed } = config;
  const { template: _old, ...before } = stored;
  const isSameAddress = isSameJson(addressed, before);
  return {
    config: maskConfig(channel, config),
    places: isSameAddress
      ? alertChannel.places
      : sealDestinations(sealer, alertChannel.accountId, { channel, config, signingSecret }),
  };
}

function refuseConfig({ findBlockedTarget }: Needs, channel: Channel, config: Config): void {
  const blocked = listUrls(channel, config).flatMap(({ path, url }) => {
    const message = findBlockedTarget(url);
    return message === null ? [] : [{ path, code: 'blocked_target', message }];
  });
  refuseProblems([...findConfigProblems(channel, config), ...blocked]);
}

/** Maximum number of channels in a chain of fallbacks. */
const CHAIN_MAX = 5;

interface FallbackPlace {
  /** Id of the channel that has the fallback. */
  readonly id: string;
  readonly others: readonly AlertChannel[];
  /** Maps the keys of channels that the same request will create to their future ids. */
  readonly planned: ReadonlyMap<string, string>;
  /** The stored channel. null for a new one. */
  readonly before: AlertChannel | null;
}

/**
 * Returns the id of the fallback. Throws `validation_failed` for an unknown channel, a cycle, or a chain that is too
 * long.
 */
function resolveFallback(
  { id, others, planned, before }: FallbackPlace,
  reference: string | null,
): string | null {
  if (reference === null) return goneFallback(before, others);
  const found = others.find((other) => other.id === reference || other.key === reference);
  const fallbackId = found?.id ?? planned.get(reference);
  if (fallbackId === undefined) refuse('is not a channel of this account');
  const chain = [id];
  for (let next = fallbackId; next !== undefined; ) {
    if (next === id) refuse('leads back to this channel');
    chain.push(next);
    if (chain.length > CHAIN_MAX) refuse(`creates a chain of more than ${CHAIN_MAX} channels`);
    const current = next;
    next = others.find((other) => other.id === current)?.fallbackId ?? undefined;
  }
  return fallbackId ?? null;
}

/**
 * Returns the stored id of the fallback if that channel was deleted, and otherwise null. Responses show a deleted
 * fallback as null, so a body with null must not count as a change.
 */
function goneFallback(before: AlertChannel | null, others: readonly AlertChannel[]): string | null {
  const stored = before?.fallbackId ?? null;
  return others.some((other) => other.id === stored) ? null : stored;
}

function refuse(message: string): void {
  refuseProblems([{ path: 'fallback', code: 'invalid_value', message }]);
}
