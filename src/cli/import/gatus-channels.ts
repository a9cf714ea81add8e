/** Converts the alerting of a Gatus configuration to alert channels, and the alerts of its endpoints to rules. */
import { z } from 'zod';
import {
  CHANNEL_WORDS,
  importApiUrl,
  type ReadChannel,
  readChannel,
  withoutUser,
} from './channel-source';
import {
  createKeyMaker,
  describeBound,
  dropEmptyFields,
  type Fields,
  type ImportNote,
  type NoteTaker,
} from './imported';

const alertFields = {
  enabled: z.boolean().nullish(),
  'failure-threshold': z.number().nullish(),
  'success-threshold': z.number().nullish(),
  'send-on-resolved': z.boolean().nullish(),
  'minimum-reminder-interval': z.string().nullish(),
  'provider-override': z.record(z.string(), z.unknown()).nullish(),
};

const alertShape = z.looseObject({ type: z.string(), ...alertFields });

export const alertsShape = z.array(alertShape).nullish();

const providerShape = z.looseObject({
  'default-alert': z.looseObject(alertFields).nullish(),
  overrides: z.array(z.looseObject({ group: z.string() })).nullish(),
});

export const alertingShape = z.record(z.string(), providerShape.nullish()).nullish();

type Alert = z.output<typeof alertShape>;
type Provider = z.output<typeof providerShape>;

function byAddress(type: string): ReadChannel {
  return ({ address }) => ({ type, webhookUrl: address('webhook-url', 'WEBHOOK_URL') });
}

/** The functions that read channels, by the provider's name in Gatus. */
const READERS: Readonly<Record<string, ReadChannel>> = {
  email: ({ list, note, pass }) => {
    pass('from', 'username', 'password', 'host', 'port');
    note('sends mail by the mail server of this service: set SMTP_URL');
    return { type: 'email', emails: list('to') };
  },
  slack: byAddress('slack'),
  discord: byAddress('discord'),
  googlechat: byAddress('googlechat'),
  'teams-workflows': byAddress('teams'),
  teams: (source) => {
    source.note('is a connector that Microsoft has retired: create a workflow and use its URL');
    return byAddress('teams')(source);
  },
  mattermost: (source) => ({
    ...byAddress('mattermost')(source),
    channel: source.text('channel'),
  }),
  telegram: ({ secret, required, count, text }) => ({
    type: 'telegram',
    botToken: secret('token', 'BOT_TOKEN'),
    chatId: required('id'),
    threadId: count('topic-id'),
    ...importApiUrl(text('api-url'), 'https://api.telegram.org'),
  }),
  ntfy: ({ text, required, count, secret, note }) => ({
    type: 'ntfy',
    url: text('url') === null ? null : withoutUser(required('url'), { note }),
    topic: required('topic'),
    token: text('token') === null ? null : secret('token', 'TOKEN'),
    priority: count('priority'),
  }),
  gotify: ({ required, secret, count, note }) => ({
    type: 'gotify',
    url: withoutUser(required('server-url'), { note }),
    token: secret('token', 'TOKEN'),
    priority: count('priority'),
  }),
  pushover: ({ secret, count }) => ({
    type: 'pushover',
    userKey: secret('user-key', 'USER_KEY'),
    appToken: secret('application-token', 'APP_TOKEN'),
    emergency: count('priority') === 2 ? true : null,
  }),
  pagerduty: ({ secret }) => ({
    type: 'pagerduty',
    routingKey: secret('integration-key', 'ROUTING_KEY'),
  }),
  opsgenie: ({ secret }) => ({
    type: 'jira',
    apiKey: secret('api-key', 'API_KEY'),
    site: 'opsgenie',
  }),
  jsm: ({ secret }) => ({ type: 'jira', apiKey: secret('api-key', 'API_KEY') }),
  twilio: ({ required, secret, list }) => ({
    type: 'twilio',
    accountSid: required('sid'),
    authToken: secret('token', 'AUTH_TOKEN'),
    from: required('from'),
    to: list('to'),
  }),
};

function readCustom(config: Fields): ReadChannel {
  return ({ address, headers, note, pass }) => {
    pass('method', 'body', 'placeholders', 'headers');
    note('gets the signed JSON of Keepwatch; for another body, add a template');
    return {
      type: 'webhook',
      url: address('url', 'WEBHOOK_URL'),
      headers: headers(config['headers']),
    };
  };
}

export interface GatusChannels {
  readonly alertChannels: readonly Fields[];
  /** Returns the key of the channel. null means that the provider cannot be imported, and that a note reports it. */
  readonly findKey: (type: string, group: string | null) => string | null;
  readonly readDefaults: (type: string) => Fields;
}

/** Converts the providers to channels. Each override for a group becomes a separate channel. */
export function importAlerting(
  alerting: z.output<typeof alertingShape>,
  notes: ImportNote[],
): GatusChannels {
  const providers = Object.entries(alerting ?? {}).filter(isGiven);
  const makeKey = createKeyMaker(CHANNEL_WORDS, 'channel');
  const keys = new Map<string, string>();
  const alertChannels = providers.flatMap(([type, provider]) =>
    listTargets(type, provider).flatMap(({ name, path, group, config }) => {
      const note = (message: string) => notes.push({ name: path, message });
      const read = type === 'custom' ? readCustom(config) : READERS[type];
      if (read === undefined || !(type === 'custom' || Object.hasOwn(READERS, type))) {
        note('has no counterpart; set up another alert channel for it');
        return [];
      }
      const key = makeKey(name);
      const origin = { config, path, key, note, variable: (named: string) => `\${${named}}` };
      const channel = readChannel(read, origin);
      if (channel === null) return [];
      keys.set(`${type}/${group ?? ''}`, key);
      return [dropEmptyFields({ key, name, ...channel })];
    }),
  );
  return {
    alertChannels,
    findKey: (type, group) => keys.get(`${type}/${group ?? ''}`) ?? keys.get(`${type}/`) ?? null,
    readDefaults: (type) => alerting?.[type]?.['default-alert'] ?? {},
  };
}

function isGiven(entry: [string, Provider | null | undefined]): entry is [string, Provider] {
  return entry[1] !== null && entry[1] !== undefined;
}

function listTargets(type: string, { overrides, 'default-alert': _default, ...config }: Provider) {
  const own = { name: `Alerts by ${type}`, path: `alerting.${type}`, group: null, config };
  const ofGroups = (overrides ?? []).map(({ group, ...override }, index) => ({
    name: `Alerts by ${type}, ${group}`,
    path: `alerting.${type}.overrides[${index}]`,
    group,
    config: { ...config, ...override },
  }));
  return [own, ...ofGroups];
}

/** Returns the alerts. Missing fields come from the defaults of their providers. */
export function addAlertDefaults(
  alerts: z.output<typeof alertsShape>,
  { readDefaults }: GatusChannels,
): readonly Alert[] {
  return (alerts ?? [])
    .map((alert) => alertShape.parse({ ...readDefaults(alert.type), ...dropEmptyFields(alert) }))
    .filter(({ enabled }) => enabled !== false);
}

function strayFields(alerts: readonly Alert[]): readonly string[] {
  const given = alerts.flatMap((alert) => Object.keys(dropEmptyFields(alert)));
  return [...new Set(given)].filter((name) => name !== 'type' && !(name in alertFields));
}

interface Endpoint extends NoteTaker {
  readonly group: string | null;
  readonly readSeconds: (duration: string) => number;
}

const REMINDER_MIN_MINUTES = 5;
const REMINDER_MAX_MINUTES = 10_080;

/**
 * Returns the channels that an endpoint notifies. An endpoint without alerts notifies no one. If none of the file's
 * channels or none of the endpoint's channels can be imported, the endpoint notifies the default channels.
 */
export function importAlertRule(
  alerts: readonly Alert[],
  { alertChannels, findKey }: GatusChannels,
  { group, note, readSeconds }: Endpoint,
): Fields {
  if (alerts.length === 0) return alertChannels.length === 0 ? {} : { channels: [] };
  const channels = alerts.flatMap(({ type }) => findKey(type, group) ?? []);
  for (const { type } of alerts.filter(({ type: each }) => findKey(each, group) === null))
    note(`alerts by ${type}, which is not imported; name an alert channel under alerts.channels`);
  for (const field of strayFields(alerts)) note(`${field} of an alert has no counterpart`);
  const thresholds = ['failure-threshold', 'success-threshold'] as const;
  if (thresholds.some((name) => new Set(alerts.map((alert) => alert[name])).size > 1))
    note('has alerts with different thresholds; those of the first alert are used');
  if (alerts.some((alert) => alert['provider-override']))
    note('overrides its provider; create a separate channel for that');
  const isRecovered = alerts.map((alert) => alert['send-on-resolved'] === true);
  if (new Set(isRecovered).size > 1) note('sends only some recoveries; here all are sent');
  const reminders = alerts.flatMap((alert) => alert['minimum-reminder-interval'] ?? []);
  const minutes = Math.min(...reminders.map((every) => Math.round(readSeconds(every) / 60)));
  const bounded = Math.min(REMINDER_MAX_MINUTES, Math.max(REMINDER_MIN_MINUTES, minutes));
  if (reminders.length > 0 && bounded !== minutes)
    note(`reminder every ${minutes} min ${describeBound(minutes, bounded, ' min')}`);
  return {
    ...(channels.length > 0 && { channels: [...new Set(channels)] }),
    ...(!isRecovered.includes(true) && { onRecovery: false }),
    ...(reminders.length > 0 && { remindEveryMinutes: bounded }),
  };
}
