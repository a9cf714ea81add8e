/**
 * PagerDuty: sends events to the Events API v2. Each problem opens one alert, which is resolved when the problem ends.
 */
import { z } from 'zod';
import type { AlertKind } from '../../contracts/alerting/alert-kinds';
import type { AlertMessage } from '../../contracts/alerts';
import { cutText } from '../../domain/text/cut-text';
import { parseHost } from '../../domain/text/parse-host';
import {
  appendPath,
  buildJsonPost,
  type ChannelMessage,
  defineChannel,
  fitLines,
  PLAIN_RECORD,
} from './channel';
import { apiUrl, createApiUrlField, tokenText } from './fields';
import { pagerdutyHook, webhookSecret, webhookSecretField } from './hook';
import { listTroubleSteps, type TroubleStep } from './trouble';

const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;
type Severity = (typeof SEVERITIES)[number];

/** Kinds of alerts that open an alert in PagerDuty, with their default severities. */
const DEFAULT_SEVERITIES = {
  failure: 'critical',
  reminder: 'critical',
  degraded: 'warning',
  flapping: 'warning',
  certificate: 'warning',
  digest: 'critical',
} as const satisfies Partial<Record<AlertKind, Severity>>;

const severity = z.enum(SEVERITIES).meta({ description: 'Severity of such alerts' }).optional();
/** Limits of the Events API. */
const SUMMARY_MAX = 1_024;
const DETAILS_MAX = 20_000;
const DETAIL_MAX = 2_000;
const API = 'https://events.pagerduty.com';

export const pagerduty = defineChannel({
  type: 'pagerduty',
  markup: PLAIN_RECORD,
  label: 'PagerDuty',
  about: 'Integration key of a service with the integration “Events API v2”.',
  fields: {
    routingKey: tokenText,
    severityMap: z
      .strictObject({
        failure: severity,
        reminder: severity,
        degraded: severity,
        flapping: severity,
        certificate: severity,
        digest: severity,
      })
      .nullish(),
    webhookSecret,
    apiUrl,
  },
  form: {
    routingKey: { kind: 'secret', label: 'Integration key' },
    severityMap: {
      kind: 'choices',
      label: 'Severity',
      names: Object.keys(DEFAULT_SEVERITIES),
      choices: SEVERITIES,
    },
    webhookSecret: webhookSecretField,
    apiUrl: createApiUrlField('https://events.eu.pagerduty.com'),
  },
  hook: pagerdutyHook,
  requests: ({ routingKey, severityMap, apiUrl: base }, message) =>
    listTroubleSteps(message.alert).map((step) =>
      buildJsonPost(appendPath(base ?? API, '/v2/enqueue'), {
        routing_key: routingKey,
        dedup_key: step.key,
        ...buildEvent(step, message, severityMap ?? {}),
      }),
    ),
});

function buildEvent(
  { action }: TroubleStep,
  message: ChannelMessage,
  severities: Readonly<Record<string, Severity | undefined>>,
): object {
  if (action === 'close') return { event_action: 'resolve' };
  const { alert, title, words } = message;
  const { link, runbook, tone } = words;
  const defaults: Readonly<Record<string, Severity | undefined>> = DEFAULT_SEVERITIES;
  const isOver = alert.kind === 'digest' && tone === 'good';
  const severityOfKind = severities[alert.kind] ?? defaults[alert.kind] ?? 'info';
  return {
    event_action: 'trigger',
    client: 'Keepwatch',
    client_url: link.url,
    links: [link, ...(runbook === null ? [] : [runbook])].map(({ url, label }) => {
      return { href: url, text: label };
    }),
    payload: {
      summary: fitLines(title, SUMMARY_MAX),
      severity: isOver ? 'info' : severityOfKind,
      timestamp: new Date(alert.sinceMs).toISOString(),
      ...describeSource(alert.only ?? alert),
      custom_details: buildDetails(message),
    },
  };
}

/** Returns the source of the event. For a digest, this is the account, and there is no component. */
function describeSource(alert: AlertMessage): object {
  const { kind, resourceId, resourceName, cause, certificate, exchange } = alert;
  if (kind === 'digest' || resourceName === '') return { source: 'Keepwatch' };
  const host = parseHost(exchange?.url ?? '') ?? certificate?.host ?? certificate?.domain;
  return {
    source: resourceName,
    component: host ?? resourceId,
    ...(cause === null ? {} : { class: cause.code }),
  };
}

/** Returns the lines of the alert with their names. PagerDuty shows them as a table. */
function buildDetails({ isCustom, text, alert, words: { lead, facts } }: ChannelMessage): object {
  if (isCustom) return { text: fitLines(text, DETAILS_MAX) };
  if (alert.kind === 'digest' && alert.only === undefined)
    return { alerts: fitLines(text, DETAILS_MAX) };
  const { exchange, certificate } = alert.only ?? alert;
  const named = [...lead, ...facts].map(({ name, value }) => {
    return [name.toLowerCase().replaceAll(' ', '_'), cutText(value, DETAIL_MAX)] as const;
  });
  return {
    ...Object.fromEntries(named),
    ...(exchange !== undefined && { url: exchange.url, status: exchange.status }),
    ...(certificate !== null && { fingerprint: certificate.fingerprint }),
  };
}
