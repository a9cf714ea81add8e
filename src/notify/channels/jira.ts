/**
 * Alerts in Jira Service Management, and in Opsgenie until it is shut down (April 2027). Each failure and each
 * degradation opens one alert.
 */

import { z } from 'zod';
import { cutText } from '../../domain/text/cut-text';
import { formatDetail, readWaitSeconds } from '../post';
import {
  appendPath,
  buildJsonPost,
  type ChannelMessage,
  defineChannel,
  fitLines,
  formatLinks,
  PLAIN_RECORD,
} from './channel';
import { apiUrl, createApiUrlField, tokenText } from './fields';
import { jiraHook, webhookSecret, webhookSecretField } from './hook';
import { listTroubleSteps } from './trouble';

/** Base URLs of the integration API. The paths below them are the same. */
const SITES = {
  jira: 'https://api.atlassian.com/jsm/ops/integration',
  opsgenie: 'https://api.opsgenie.com',
  'opsgenie-eu': 'https://api.eu.opsgenie.com',
} as const;

const RESPONDERS_MAX = 50;
/** Limits of the service's API. */
const MESSAGE_MAX = 130;
const DESCRIPTION_MAX = 15_000;
const ENTITY_MAX = 512;

const responder = z
  .string()
  .regex(
    /^(?:team|user|escalation|schedule):[A-Za-z0-9-]{1,100}$/,
    'must be team, user, escalation or schedule, followed by a colon and an id',
  );

export const jira = defineChannel({
  type: 'jira',
  markup: PLAIN_RECORD,
  label: 'Jira Service Management',
  about: 'API key of an API integration, appendPath Operations → Settings → Integrations.',
  fields: {
    apiKey: tokenText,
    site: z.enum(['jira', 'opsgenie', 'opsgenie-eu']).default('jira'),
    responders: z.array(responder).max(RESPONDERS_MAX).nullish(),
    webhookSecret,
    apiUrl,
  },
  form: {
    apiKey: { kind: 'secret', label: 'API key' },
    site: { kind: 'choice', label: 'Site', choices: Object.keys(SITES), isCommon: true },
    responders: {
      kind: 'list',
      label: 'Responders',
      hint: 'Like team:4513b7ea-3b91-438f-b7e4-e3e54af9147c. Empty: the responders of the integration.',
    },
    webhookSecret: webhookSecretField,
    apiUrl: createApiUrlField(SITES.jira),
  },
  hook: jiraHook,
  requests: ({ apiKey, site, responders, apiUrl: base }, message) =>
    listTroubleSteps(message.alert).map(({ key, action }) => {
      const path = `/v2/alerts/${encodeURIComponent(key)}/close?identifierType=alias`;
      const headers = { Authorization: `GenieKey ${apiKey}` };
      const api = base ?? SITES[site];
      return action === 'close'
        ? buildJsonPost(
            appendPath(api, path),
            { source: 'Keepwatch', note: message.title },
            headers,
          )
        : buildJsonPost(
            appendPath(api, '/v2/alerts'),
            buildAlert(message, key, responders ?? []),
            headers,
          );
    }),
  read: (response) => {
    const period = Number(response.headers.get('x-ratelimit-period-in-sec') ?? Number.NaN);
    if (response.status !== 429 || !Number.isFinite(period)) return null;
    return { kind: 'later', detail: formatDetail(response), afterMs: readWaitSeconds(period) };
  },
});

function buildAlert(
  { alert, title, text, words }: ChannelMessage,
  alias: string,
  responders: readonly string[],
): object {
  const links = formatLinks(words);
  // A title that is too long continues in the text, because the text does not repeat the title.
  const whole = title.length > MESSAGE_MAX ? `${title}\n${text}` : text;
  const isUrgent = words.tone === 'bad' && alert.kind !== 'degraded';
  const named = responders.map((each) => {
    const [type, id] = each.split(':');
    return { type, id };
  });
  return {
    message: fitLines(title, MESSAGE_MAX),
    alias,
    description: fitLines(whole, DESCRIPTION_MAX - links.length - 2).concat('\n\n', links),
    ...(named.length > 0 && { responders: named }),
    entity: cutText(alert.resourceName, ENTITY_MAX),
    source: 'Keepwatch',
    priority: alert.kind === 'test' ? 'P5' : isUrgent ? 'P1' : 'P3',
    tags: ['keepwatch', alert.kind],
  };
}
