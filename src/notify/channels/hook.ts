/**
 * A hook receives the requests that a service sends when someone has acknowledged an alert there. This file defines how
 * the requests are authenticated and read. Pure.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { HEADER_MASK } from '../../domain/secrets/sensitive-headers';
import { tokenText } from './fields';

export interface HookRequest {
  readonly header: (name: string) => string | undefined;
  /** The raw bytes of the body. Signatures are computed from them. */
  readonly body: Buffer;
}

export interface HookEvent {
  /** The key with which the alert was opened in the service. */
  readonly key: string;
  readonly action: 'acknowledge' | 'unacknowledge';
  /** The person's name in the service. */
  readonly person: string;
  /**
   * Id and time of the event. With them, an old request is not accepted again. Absent if the signature of the service
   * already covers the time.
   */
  readonly once?: { readonly id: string; readonly atMs: number };
}

export interface ChannelHook {
  /** True if the request comes from the service. Rejecting a forged request always takes the same time. */
  readonly isAuthentic: (request: HookRequest, secret: string) => boolean;
  /** Reads the event. null for events that need no action. */
  readonly read: (body: unknown) => HookEvent | null;
}

/**
 * The secret with which the service sends acknowledgements. It cannot refer to a stored secret, because it is needed
 * before the account is known.
 */
export const webhookSecret = tokenText
  .refine((text) => text === HEADER_MASK || text.length >= 16, 'must have at least 16 characters')
  .refine((text) => !text.includes('{{'), 'must be the secret itself, without {{references}}')
  .nullish();

export const webhookSecretField = {
  kind: 'secret',
  label: 'Webhook secret',
  hint: 'Lets the service report acknowledgements, by a webhook to /hooks/ followed by the id of this channel.',
} as const;

function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * True if the header `X-PagerDuty-Signature: v1=…,v1=…` has at least one valid signature. There are several signatures
 * while secrets are being rotated.
 */
function isSigned({ header, body }: HookRequest, secret: string): boolean {
  const expected = `v1=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const given = (header('x-pagerduty-signature') ?? '').split(',').slice(0, 5);
  return given.map((one) => isSame(one.trim(), expected)).includes(true);
}

function hasBearer({ header }: HookRequest, secret: string): boolean {
  return isSame(header('authorization') ?? '', `Bearer ${secret}`);
}

const name = z.string().max(200).optional().catch(undefined);
const pagerdutyEvent = z.looseObject({
  event: z.looseObject({
    id: z.string().max(200).optional().catch(undefined),
    event_type: z.string(),
    occurred_at: z.string().max(40).optional().catch(undefined),
    agent: z.looseObject({ summary: name }).nullish().catch(null),
    data: z.looseObject({ incident_key: z.string() }),
  }),
});
const jiraEvent = z.looseObject({
  action: z.string(),
  alert: z.looseObject({ alias: z.string(), username: name }),
});

const PAGERDUTY_ACTIONS: ReadonlyMap<string, HookEvent['action']> = new Map([
  ['incident.acknowledged', 'acknowledge'],
  ['incident.unacknowledged', 'unacknowledge'],
]);
const JIRA_ACTIONS: ReadonlyMap<string, HookEvent['action']> = new Map([
  ['Acknowledge', 'acknowledge'],
  ['UnAcknowledge', 'unacknowledge'],
]);

/** The hook of PagerDuty's webhooks v3. */
export const pagerdutyHook: ChannelHook = {
  isAuthentic: isSigned,
  read: (body) => {
    const parsed = pagerdutyEvent.safeParse(body);
    if (!parsed.success) return null;
    const { event_type: type, agent, data, id, occurred_at: at } = parsed.data.event;
    const action = PAGERDUTY_ACTIONS.get(type);
    if (action === undefined) return null;
    const event = { key: data.incident_key, action, person: agent?.summary ?? '' };
    const atMs = Date.parse(at ?? '');
    return id === undefined || Number.isNaN(atMs) ? event : { ...event, once: { id, atMs } };
  },
};

/**
 * The hook for the webhook integration of Jira Service Management and Opsgenie. Its requests are authenticated by a
 * custom header.
 */
export const jiraHook: ChannelHook = {
  isAuthentic: hasBearer,
  read: (body) => {
    const parsed = jiraEvent.safeParse(body);
    if (!parsed.success) return null;
    const { action: name, alert } = parsed.data;
    const action = JIRA_ACTIONS.get(name);
    return action === undefined ? null : { key: alert.alias, action, person: alert.username ?? '' };
  },
};
