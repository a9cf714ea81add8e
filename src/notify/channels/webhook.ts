/**
 * A webhook gets one JSON event per alert. The event is signed by HMAC-SHA256 over `<timestamp>.<body>`. A template can
 * replace the body.
 */

import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { EVENT_TYPES } from '../../contracts/alerting/alert-kinds';
import {
  isFramingHeader,
  isHeaderName,
  isHeaderValue,
} from '../../domain/definitions/header-rules';
import { toWellFormed } from '../../domain/text/cut-text';
import { buildEvent } from '../event';
import type { PostRequest } from '../post';
import {
  type ChannelMessage,
  type Config,
  defineChannel,
  PLAIN_RECORD,
  toWellFormedJson,
} from './channel';
import { httpAddress } from './fields';
import { bodyTemplate } from './template-fields';

const HEADERS_MAX = 20;
const HEADER_VALUE_MAX = 2_048;
/** Matches headers that identify the event or its sender. Users cannot set them. */
const OWN_HEADERS = /^(?:keepwatch-.*|host|user-agent)$/i;

const headersField = z
  .record(z.string(), z.string().max(HEADER_VALUE_MAX))
  .refine(
    (headers) => Object.keys(headers).length <= HEADERS_MAX,
    `must have at most ${HEADERS_MAX} entries`,
  );

const METHODS = ['POST', 'PUT', 'PATCH'] as const;

const eventsField = z
  .array(z.enum(EVENT_TYPES))
  .max(EVENT_TYPES.length)
  .transform((types) => EVENT_TYPES.filter((type) => types.includes(type)));

const contentTypeField = z
  .string()
  .max(200)
  .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w-]+="?[\w.+-]+"?)*$/, 'must be a media type');

export const webhook = defineChannel({
  type: 'webhook',
  label: 'Webhook',
  about: 'Gets each alert as signed JSON, and events if you want.',
  fields: {
    url: httpAddress,
    method: z.enum(METHODS).nullish(),
    events: eventsField.nullish(),
    headers: headersField.nullish(),
    contentType: contentTypeField.nullish(),
    template: bodyTemplate.nullish(),
  },
  form: {
    url: { kind: 'secretUrl', label: 'Webhook URL' },
    method: { kind: 'choice', label: 'Method', choices: METHODS },
    events: {
      kind: 'list',
      label: 'Events',
      hint: 'For programs. Sent in addition to alerts, regardless of alert rules.',
      choices: EVENT_TYPES,
    },
    headers: {
      kind: 'headers',
      label: 'Headers',
      hint: 'One per line, like Authorization: Bearer {{secret:TOKEN}}.',
    },
    contentType: {
      kind: 'text',
      label: 'Content type of the template',
      placeholder: 'application/json',
    },
    template: { kind: 'longText', label: 'Template', hint: 'In Liquid. Empty: our JSON event.' },
  },
  hasBodyTemplate: true,
  markup: PLAIN_RECORD,
  findProblems: headerFaults,
  requests: (config, message) => [webhookPost(config, message)],
});

interface WebhookConfig {
  readonly url: string;
  readonly method?: (typeof METHODS)[number] | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | null | undefined;
  readonly contentType?: string | null | undefined;
}

function webhookPost(
  { url, method, headers, contentType }: WebhookConfig,
  message: ChannelMessage,
): PostRequest {
  const body = message.isCustom
    ? toWellFormed(message.text)
    : toWellFormedJson(buildEvent(message));
  const timestamp = String(Math.floor(message.sentAtMs / 1000));
  const isTyped = message.isCustom && contentType != null;
  return {
    ...(method != null && method !== 'POST' && { method }),
    url,
    headers: [
      ...(isTyped ? [{ name: 'content-type', value: contentType }] : []),
      ...Object.entries(headers ?? {}).map(([name, value]) => ({ name, value })),
      { name: 'Keepwatch-Event-Id', value: message.id },
      { name: 'Keepwatch-Timestamp', value: timestamp },
      { name: 'Keepwatch-Signature', value: signBody(message.signingSecret, timestamp, body) },
    ],
    body,
  };
}

function headerFaults({ headers }: Config) {
  const given = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  return given.flatMap(([name, value]) => {
    const message = headerFault(name, String(value));
    return message === null ? [] : [{ path: `headers.${name}`, message }];
  });
}

function headerFault(name: string, value: string): string | null {
  if (!isHeaderName(name)) return 'is not the name of a header';
  if (isFramingHeader(name) || OWN_HEADERS.test(name)) return 'is a header that Keepwatch sets';
  if (/^content-type$/i.test(name)) return 'must be set in contentType';
  // The value may still contain masks, which are ignored here. It is checked again after the stored value has replaced
  // them.
  return isHeaderValue(value.replaceAll('•', ''))
    ? null
    : 'contains characters that cannot be sent';
}

/** Signs a body. Returns `v1=` followed by 64 hex characters. */
export function signBody(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}
