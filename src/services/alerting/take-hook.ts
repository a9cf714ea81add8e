/**
 * Receives acknowledgements from PagerDuty and Jira Service Management. Callers without the secret cannot find out
 * whether a channel exists.
 */

import { isId } from '../../domain/definitions/ids';
import { cutText } from '../../domain/text/cut-text';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { ChannelHook, HookEvent, HookRequest } from '../../notify/channels/hook';
import { pagerdutyHook } from '../../notify/channels/hook';
import { findChannel } from '../../notify/channels/registry';
import { AppError } from '../../platform/errors';
import { listUnprovenCounters, runOnce, takeTries } from '../accounts/login-throttle';
import type { Dependencies } from '../ports/dependencies';
import { openConfig } from './alert-destinations';
import { acknowledgeIncident, unacknowledgeIncident } from './silence-incident';
import { findWholeIncident } from './whole-incident';

type Needs = Pick<
  Dependencies,
  'stores' | 'clock' | 'sleep' | 'gateway' | 'sealers' | 'randomBytes'
>;

const PERSON_LENGTH_MAX = 80;
const EVENT_AGE_MAX_MS = 3_600_000;
const EVENT_KEPT_MS = 7 * 24 * 3_600_000;

interface OpenHook {
  readonly hook: ChannelHook;
  readonly secret: string;
}

/**
 * Handles a request. Idempotent. Ignores events that are old, repeated or without effect. Throws `not_found` for an
 * unauthenticated request, and `rate_limited` after many of them.
 */
export async function takeHook(
  needs: Needs,
  {
    channelId,
    address,
    ...request
  }: HookRequest & { readonly channelId: string; readonly address: string },
): Promise<void> {
  const alertChannel = isId('channel', channelId)
    ? await needs.stores.alertChannels.findAny(channelId)
    : null;
  const open = alertChannel === null ? null : openHook(needs, alertChannel);
  // For an unknown channel, a random secret is compared, so that the response takes as long as for a known channel.
  const { hook, secret } = open ?? {
    hook: pagerdutyHook,
    secret: needs.randomBytes(32).toString('hex'),
  };
  if (!hook.isAuthentic(request, secret) || alertChannel === null || open === null) {
    await takeTries(needs, listUnprovenCounters('hook', address));
    throw new AppError('not_found', 'There is no webhook with this id and secret.');
  }
  const event = hook.read(parse(request.body));
  if (event === null) return;
  await takeOnce(needs, alertChannel, event, () => answerIncident(needs, alertChannel, event));
}

/**
 * Handles an event only once. The signature does not cover the time, so a recorded request could otherwise be sent
 * again at any time.
 */
async function takeOnce(
  needs: Needs,
  { id }: AlertChannel,
  event: HookEvent,
  work: () => Promise<void>,
) {
  const { once } = event;
  if (once === undefined) return work();
  if (once.atMs < needs.clock.now() - EVENT_AGE_MAX_MS) return;
  const seen = { parts: ['hook event', id, once.id], forgetAfterMs: EVENT_KEPT_MS };
  await runOnce(needs, seen, work);
}

function openHook({ sealers }: Needs, alertChannel: AlertChannel): OpenHook | null {
  const channel = findChannel(alertChannel.type);
  if (channel?.hook === undefined) return null;
  try {
    const { webhookSecret: secret } = openConfig(sealers.stored, alertChannel).config;
    return typeof secret === 'string' && secret !== '' ? { hook: channel.hook, secret } : null;
  } catch {
    return null;
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/**
 * Acknowledges the incident, or undoes the acknowledgement. Ignores an incident that is deleted, resolved or of another
 * account. An error would make the sender retry, which would not help.
 */
async function answerIncident(
  needs: Needs,
  alertChannel: AlertChannel,
  event: HookEvent,
): Promise<void> {
  const { accountId, name } = alertChannel;
  const { key: id, action } = event;
  const incident = await findWholeIncident(needs, accountId, id);
  if (incident === null || incident.closedAtMs !== null) return;
  const plain = event.person.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const person = cutText(plain, PERSON_LENGTH_MAX);
  const by = person === '' ? name : `${person} (${name})`;
  if (action === 'acknowledge') await acknowledgeIncident(needs, { accountId, by }, { id });
  else await unacknowledgeIncident(needs, { accountId, by }, id);
}
