/** Converts notifications of Uptime Kuma to alert channels, and finds the monitors that use them. */
import { z } from 'zod';
import { parseJsonOrText } from '../json-or-text';
import {
  CHANNEL_WORDS,
  importApiUrl,
  type ReadChannel,
  readChannel,
  withoutUser,
} from './channel-source';
import { formatPlaceholder } from './environment-placeholders';
import {
  createKeyMaker,
  dropEmptyFields,
  type Fields,
  type ImportNote,
  type NoteTaker,
} from './imported';

export const notificationShape = z.looseObject({
  id: z.number().nullish(),
  name: z.string().nullish(),
  isDefault: z.union([z.boolean(), z.number()]).nullish(),
  active: z.union([z.boolean(), z.number()]).nullish(),
  /** The configuration. In some backups, it is a text that contains JSON. */
  config: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

type Notification = z.output<typeof notificationShape>;

const SEVERITIES: readonly string[] = ['critical', 'error', 'warning', 'info'];
const EMERGENCY = 2;

/** The functions that read channels, by the type in Uptime Kuma. */
const READERS: Readonly<Record<string, ReadChannel>> = {
  smtp: ({ list, note, pass }) => {
    pass('smtpHost', 'smtpPort', 'smtpUsername', 'smtpPassword', 'smtpFrom', 'smtpSecure');
    pass('smtpIgnoreTLSError');
    note('sends mail by the mail server of this service: set SMTP_URL');
    return { type: 'email', emails: list('smtpTo', 'smtpCC', 'smtpBCC') };
  },
  slack: ({ address }) => ({
    type: 'slack',
    webhookUrl: address('slackwebhookURL', 'WEBHOOK_URL'),
  }),
  discord: ({ address }) => ({
    type: 'discord',
    webhookUrl: address('discordWebhookUrl', 'WEBHOOK_URL'),
  }),
  teams: ({ address }) => ({ type: 'teams', webhookUrl: address('webhookUrl', 'WEBHOOK_URL') }),
  GoogleChat: ({ address }) => ({
    type: 'googlechat',
    webhookUrl: address('googleChatWebhookURL', 'WEBHOOK_URL'),
  }),
  mattermost: ({ address, text }) => ({
    type: 'mattermost',
    webhookUrl: address('mattermostWebhookUrl', 'WEBHOOK_URL'),
    channel: text('mattermostchannel'),
  }),
  webhook: readWebhook,
  telegram: ({ secret, required, count, text }) => ({
    type: 'telegram',
    botToken: secret('telegramBotToken', 'BOT_TOKEN'),
    chatId: required('telegramChatID'),
    threadId: count('telegramMessageThreadID'),
    ...importApiUrl(text('telegramServerUrl'), 'https://api.telegram.org'),
  }),
  ntfy: readNtfy,
  gotify: ({ required, secret, count, note }) => ({
    type: 'gotify',
    url: withoutUser(required('gotifyserverurl'), { note }),
    token: secret('gotifyapplicationToken', 'TOKEN'),
    priority: count('gotifyPriority'),
  }),
  pushover: ({ secret, count, text, note }) => {
    if (text('pushoverdevice') !== null)
      note('goes to one device; here it goes to all devices of the user');
    return {
      type: 'pushover',
      userKey: secret('pushoveruserkey', 'USER_KEY'),
      appToken: secret('pushoverapptoken', 'APP_TOKEN'),
      emergency: count('pushoverpriority') === EMERGENCY ? true : null,
    };
  },
  PagerDuty: ({ secret, text }) => {
    const severity = text('pagerdutyPriority') ?? '';
    return {
      type: 'pagerduty',
      routingKey: secret('pagerdutyIntegrationKey', 'ROUTING_KEY'),
      severityMap: SEVERITIES.includes(severity) ? { failure: severity } : null,
      ...importApiUrl(text('pagerdutyIntegrationUrl'), 'https://events.pagerduty.com'),
    };
  },
  Opsgenie: ({ secret, text }) => ({
    type: 'jira',
    apiKey: secret('opsgenieApiKey', 'API_KEY'),
    site: text('opsgenieRegion') === 'eu' ? 'opsgenie-eu' : 'opsgenie',
  }),
  JiraServiceManagement: ({ secret, note, pass }) => {
    pass('jsmEmail', 'jsmCloudId');
    note('signs in as a person; here its secret must be the key of an API integration');
    return { type: 'jira', apiKey: secret('jsmApiToken', 'API_KEY') };
  },
  twilio: ({ required, secret, list }) => ({
    type: 'twilio',
    accountSid: required('twilioAccountSID'),
    authToken: secret('twilioAuthToken', 'AUTH_TOKEN'),
    from: required('twilioFromNumber'),
    to: list('twilioToNumber'),
  }),
};

function readWebhook({ address, headers, text, note, pass }: Parameters<ReadChannel>[0]): Fields {
  pass('webhookContentType', 'webhookCustomBody');
  note('gets the signed JSON of Keepwatch; for another body, add a template');
  if (text('httpMethod')?.toLowerCase() === 'get') note('is called by GET; imported as POST');
  return {
    type: 'webhook',
    url: address('webhookURL', 'WEBHOOK_URL'),
    headers: headers(parseJsonOrText(text('webhookAdditionalHeaders') ?? '{}')),
  };
}

function readNtfy(source: Parameters<ReadChannel>[0]): Fields {
  const { required, secret, count, text, note, pass } = source;
  pass('ntfyusername', 'ntfypassword');
  const how = text('ntfyAuthenticationMethod');
  if (how === 'usernamePassword') note('signs in with a password; set an access token instead');
  return {
    type: 'ntfy',
    url: withoutUser(required('ntfyserverurl'), { note }),
    topic: required('ntfytopic'),
    token: how === 'accessToken' ? secret('ntfyaccesstoken', 'TOKEN') : null,
    priority: count('ntfyPriority'),
  };
}

export interface ImportedChannels {
  readonly alertChannels: readonly Fields[];
  /** Maps the id in Uptime Kuma to our key. null means that the notification has no counterpart. */
  readonly keys: ReadonlyMap<string, string | null>;
}

export function importNotifications(
  given: readonly Notification[],
  notes: ImportNote[],
): ImportedChannels {
  const keyOf = createKeyMaker(CHANNEL_WORDS, 'channel');
  const keys = new Map<string, string | null>();
  const alertChannels = given.flatMap((notification, index) => {
    const name = notification.name || `Notification ${index + 1}`;
    const note = (message: string) => notes.push({ name, message });
    const path = `notificationList[${index}].config`;
    const { id } = notification;
    const channel = importChannel(notification, { name, path, key: () => keyOf(name, id), note });
    if (typeof notification.id === 'number')
      keys.set(String(notification.id), channel === null ? null : String(channel['key']));
    return channel === null ? [] : [channel];
  });
  return { alertChannels, keys };
}

interface Named extends NoteTaker {
  readonly name: string;
  readonly path: string;
  readonly key: () => string;
}

function importChannel(
  { config: given, isDefault, active }: Notification,
  { name, path, key: takeKey, note }: Named,
): Fields | null {
  const config = typeof given === 'string' ? parseJsonOrText(given) : given;
  if (typeof config !== 'object' || config === null) {
    note(`cannot be imported: ${path} is not a JSON object`);
    return null;
  }
  const fields: Fields = { ...config };
  const type = typeof fields['type'] === 'string' ? fields['type'] : '';
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (read === undefined) {
    note(`is a notification by ${type}, which has no counterpart; set up an alert channel for it`);
    return null;
  }
  const key = takeKey();
  const { type: _type, name: _name, isDefault: _default, applyExisting: _all, ...own } = fields;
  const channel = readChannel(read, { config: own, path, key, note, variable: formatPlaceholder });
  if (active === false || active === 0) note('is disabled there, but enabled here');
  const isOn = isDefault === true || isDefault === 1;
  return channel && dropEmptyFields({ key, name, ...channel, isDefault: isOn ? true : null });
}
