/** An example of every type of channel: what its service gets for a failure, and how this service refuses. */
import type { CHANNELS } from '../../src/notify/channels/registry';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response with which the service refuses, and the outcome that must be read from it. */
type Refusal = readonly [reply: Reply, outcome: object];

export interface ChannelExample {
  readonly config: (server: string) => Readonly<Record<string, unknown>>;
  /** The path of the first request that is sent for a failure. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  /** The body as parsed JSON. The fields of a form are read as an object. */
  readonly body: object;
  /** Secret texts that must never appear in outcomes. */
  readonly secrets: readonly string[];
  readonly accepted: Reply;
  readonly refusals: readonly Refusal[];
}

type Type = Exclude<(typeof CHANNELS)[number]['type'], 'email'>;

/** The links in every message about an alert that can be acknowledged, in this order. */
const LINKS = [
  { label: 'Acknowledge', url: 'https://watch.example/acknowledge?token=sealed' },
  { label: 'Snooze 1 h', url: 'https://watch.example/acknowledge/snooze?token=sealed' },
  { label: 'View incident', url: 'https://watch.example/incidents/inc_1' },
];
const [ACKNOWLEDGE, SNOOZE] = LINKS;
const BUTTONS = LINKS.map(({ label: text, url }) => ({ text, onClick: { openLink: { url } } }));

const has = (part: object) => expect.objectContaining(part);
const busy = (headers: Readonly<Record<string, string>>, body = ''): Reply => ({
  status: 429,
  headers,
  body,
});

export const EXAMPLES: Readonly<Record<Type, ChannelExample>> = {
  slack: {
    config: (server) => ({ webhookUrl: `${server}/services/T0/B0/slack-secret` }),
    path: '/services/T0/B0/slack-secret',
    body: {
      text: expect.stringContaining('Down: Shop: no answer'),
      blocks: expect.anything(),
      attachments: [has({ actions: LINKS.map(({ label: text, url }) => has({ text, url })) })],
    },
    secrets: ['slack-secret'],
    accepted: { status: 200, body: 'ok' },
    refusals: [
      [busy({ 'retry-after': '30' }), { kind: 'later', afterMs: 30_000 }],
      [
        { status: 404, headers: { 'content-type': 'text/plain' }, body: 'no_service' },
        { kind: 'refused', detail: 'Receiver response: 404 (no_service).' },
      ],
    ],
  },
  webhook: {
    config: (server) => ({
      url: `${server}/hook-secret`,
      headers: { Authorization: 'Bearer header-secret' },
    }),
    path: '/hook-secret',
    headers: {
      authorization: 'Bearer header-secret',
      'keepwatch-event-id': 'alr_1',
      'keepwatch-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
    },
    body: {
      type: 'alert.failure',
      resource: { name: 'Shop' },
      headline: 'Down: Shop: no answer',
      acknowledgeUrl: ACKNOWLEDGE?.url,
    },
    secrets: ['hook-secret', 'header-secret'],
    accepted: { status: 200 },
    refusals: [[{ status: 410 }, { kind: 'refused' }]],
  },
  pagerduty: {
    config: (server) => ({
      routingKey: 'routing-secret',
      webhookSecret: 'pagerduty-hook-secret',
      apiUrl: server,
    }),
    path: '/v2/enqueue',
    body: {
      routing_key: 'routing-secret',
      event_action: 'trigger',
      dedup_key: 'inc_1',
      payload: has({ summary: 'Down: Shop: no answer', severity: 'critical', source: 'Shop' }),
    },
    secrets: ['routing-secret', 'pagerduty-hook-secret'],
    accepted: { status: 202, body: '{"status":"success"}' },
    refusals: [
      [busy({}), { kind: 'later', afterMs: null }],
      [
        {
          status: 400,
          body: '{"status":"invalid event","message":"Event object is invalid","errors":["x"]}',
        },
        { kind: 'refused', detail: 'Receiver response: 400 (Event object is invalid).' },
      ],
    ],
  },
  jira: {
    config: (server) => ({
      apiKey: 'jira-secret',
      site: 'jira',
      responders: ['team:t-1'],
      webhookSecret: 'jira-hook-secret',
      apiUrl: server,
    }),
    path: '/v2/alerts',
    headers: { authorization: 'GenieKey jira-secret' },
    body: {
      message: 'Down: Shop: no answer',
      alias: 'inc_1',
      priority: 'P1',
      responders: [{ type: 'team', id: 't-1' }],
    },
    secrets: ['jira-secret', 'jira-hook-secret'],
    accepted: { status: 202, body: '{"result":"Request will be processed"}' },
    refusals: [
      [busy({ 'x-ratelimit-period-in-sec': '60' }), { kind: 'later', afterMs: 60_000 }],
      [{ status: 422, body: '{"message":"Request body is not processable"}' }, { kind: 'refused' }],
    ],
  },
  teams: {
    config: (server) => ({ webhookUrl: `${server}/workflows/teams-secret` }),
    path: '/workflows/teams-secret',
    body: {
      type: 'message',
      attachments: [
        has({
          content: has({
            type: 'AdaptiveCard',
            actions: LINKS.map(({ label: title, url }) => has({ title, url })),
          }),
        }),
      ],
    },
    secrets: ['teams-secret'],
    accepted: { status: 202 },
    refusals: [
      [busy({ 'retry-after': '17' }), { kind: 'later', afterMs: 17_000 }],
      [
        { status: 400, body: '{"error":{"code":"WorkflowTriggerIsNotEnabled","message":"off"}}' },
        { kind: 'refused', detail: 'Receiver response: 400 (off).' },
      ],
    ],
  },
  discord: {
    config: (server) => ({ webhookUrl: `${server}/api/webhooks/1/discord-secret` }),
    path: '/api/webhooks/1/discord-secret?with_components=true',
    body: {
      allowed_mentions: { parse: [] },
      content: 'Down: Shop: no answer',
      embeds: [has({ description: expect.stringMatching(/^\*\*Since:\*\* /) })],
      components: [{ type: 1, components: LINKS.map((link) => has(link)) }],
    },
    secrets: ['discord-secret'],
    accepted: { status: 204 },
    refusals: [
      [
        busy({ 'retry-after': '1' }, '{"message":"limited","retry_after":0.75,"global":false}'),
        { kind: 'later', afterMs: 750 },
      ],
      [busy({ 'retry-after': '9' }), { kind: 'later', afterMs: 9_000 }],
      [{ status: 404, body: '{"message":"Unknown Webhook","code":10015}' }, { kind: 'refused' }],
    ],
  },
  telegram: {
    config: (server) => ({ botToken: '1:bot-secret', chatId: '-100', threadId: 7, apiUrl: server }),
    path: '/bot1:bot-secret/sendMessage',
    body: {
      chat_id: '-100',
      message_thread_id: 7,
      parse_mode: 'HTML',
      text: expect.stringMatching(/<b>Down: Shop: no answer<\/b>\n<b>Since:/),
      reply_markup: { inline_keyboard: [LINKS.map(({ label: text, url }) => ({ text, url }))] },
    },
    secrets: ['bot-secret'],
    accepted: { status: 200, body: '{"ok":true}' },
    refusals: [
      [
        busy({}, '{"ok":false,"description":"Too Many Requests","parameters":{"retry_after":35}}'),
        { kind: 'later', afterMs: 35_000 },
      ],
      [
        { status: 400, body: '{"ok":false,"description":"Bad Request: chat not found"}' },
        { kind: 'refused', detail: 'Receiver response: 400 (Bad Request: chat not found).' },
      ],
    ],
  },
  ntfy: {
    config: (server) => ({ url: server, topic: 'alerts', token: 'ntfy-secret', priority: 5 }),
    path: '/',
    headers: { authorization: 'Bearer ntfy-secret' },
    body: {
      topic: 'alerts',
      title: 'Down: Shop: no answer',
      message: expect.stringMatching(/^Since: /),
      priority: 5,
      actions: [has({ action: 'view', ...ACKNOWLEDGE }), has({ action: 'view', ...SNOOZE })],
    },
    secrets: ['ntfy-secret'],
    accepted: { status: 200, body: '{"id":"x"}' },
    refusals: [
      [busy({}, '{"code":42901,"error":"limit reached"}'), { kind: 'later', afterMs: null }],
      [
        { status: 403, body: '{"code":40301,"http":403,"error":"forbidden"}' },
        { kind: 'refused', detail: 'Receiver response: 403 (forbidden).' },
      ],
    ],
  },
  gotify: {
    config: (server) => ({ url: `${server}/gotify/`, token: 'gotify-secret' }),
    path: '/gotify/message',
    headers: { 'x-gotify-key': 'gotify-secret' },
    body: { title: 'Down: Shop: no answer', priority: 8 },
    secrets: ['gotify-secret'],
    accepted: { status: 200, body: '{"id":1}' },
    refusals: [
      [
        { status: 401, body: '{"error":"Unauthorized","errorDescription":"a valid token"}' },
        { kind: 'refused', detail: 'Receiver response: 401 (Unauthorized).' },
      ],
    ],
  },
  pushover: {
    config: (server) => ({
      userKey: 'user-secret',
      appToken: 'app-secret',
      emergency: true,
      apiUrl: server,
    }),
    path: '/1/messages.json',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: {
      user: 'user-secret',
      token: 'app-secret',
      message: expect.stringMatching(
        /^Since: .*\n(?:.*\n)*<a href="\S+\/snooze\?token=sealed">Snooze 1 h<\/a> · <a href="\S+\/incidents\/inc_1">View incident<\/a>$/,
      ),
      html: '1',
      priority: '2',
      retry: '60',
      expire: '10800',
      url: ACKNOWLEDGE?.url,
      url_title: ACKNOWLEDGE?.label,
    },
    secrets: ['user-secret', 'app-secret'],
    accepted: { status: 200, body: '{"status":1}' },
    refusals: [
      [busy({ 'x-limit-app-remaining': '0' }), { kind: 'later', afterMs: null }],
      [
        { status: 400, body: '{"user":"invalid","errors":["user key is invalid"],"status":0}' },
        { kind: 'refused', detail: 'Receiver response: 400 (user key is invalid).' },
      ],
    ],
  },
  twilio: {
    config: (server) => ({
      accountSid: `AC${'0'.repeat(32)}`,
      authToken: 'twilio-secret',
      from: '+15005550006',
      to: ['+4915112345678'],
      apiUrl: server,
    }),
    path: `/2010-04-01/Accounts/AC${'0'.repeat(32)}/Messages.json`,
    headers: { authorization: expect.stringMatching(/^Basic /) },
    body: {
      To: '+4915112345678',
      From: '+15005550006',
      Body: expect.stringContaining('Down: Shop: no answer'),
    },
    secrets: ['twilio-secret'],
    accepted: { status: 201, body: '{"sid":"SM1"}' },
    refusals: [
      [busy({}, '{"code":20429,"message":"Too Many Requests"}'), { kind: 'later' }],
      [
        { status: 400, body: '{"code":21211,"message":"Invalid \'To\' Phone Number"}' },
        { kind: 'refused' },
      ],
    ],
  },
  googlechat: {
    config: (server) => ({ webhookUrl: `${server}/v1/spaces/A/messages?key=k&token=chat-secret` }),
    path: '/v1/spaces/A/messages?key=k&token=chat-secret&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD',
    body: {
      text: expect.stringContaining('*Down: Shop: no answer*\n*Since:*'),
      cardsV2: [has({ card: { sections: [{ widgets: [{ buttonList: { buttons: BUTTONS } }] }] } })],
      thread: { threadKey: 'inc_1' },
    },
    secrets: ['chat-secret'],
    accepted: { status: 200, body: '{}' },
    refusals: [
      [
        busy({}, '{"error":{"code":429,"message":"Resource exhausted","status":"x"}}'),
        { kind: 'later', detail: 'Receiver response: 429 (Resource exhausted).' },
      ],
      [{ status: 403, body: '{"error":{"message":"Permission denied"}}' }, { kind: 'refused' }],
    ],
  },
  mattermost: {
    config: (server) => ({ webhookUrl: `${server}/hooks/mattermost-secret`, channel: 'ops' }),
    path: '/hooks/mattermost-secret',
    body: {
      channel: 'ops',
      attachments: [
        has({
          fallback: 'Down: Shop: no answer',
          title: 'Down: Shop: no answer',
          text: expect.stringContaining(
            LINKS.map(({ label, url }) => `[${label}](${url})`).join(' · '),
          ),
        }),
      ],
    },
    secrets: ['mattermost-secret'],
    accepted: { status: 200, body: 'ok' },
    refusals: [
      [{ status: 400, body: '{"message":"Couldn\'t find the channel"}' }, { kind: 'refused' }],
    ],
  },
  apprise: {
    config: (server) => ({ url: server, urls: ['mailto://apprise-secret'], tags: ['ops'] }),
    path: '/notify',
    body: {
      urls: 'mailto://apprise-secret',
      title: 'Down: Shop: no answer',
      type: 'failure',
      tag: 'ops',
    },
    secrets: ['apprise-secret'],
    accepted: { status: 200 },
    refusals: [
      [{ status: 204 }, { kind: 'refused' }],
      [{ status: 424 }, { kind: 'later', afterMs: null }],
      [{ status: 400, body: '{"error":"bad"}' }, { kind: 'refused' }],
    ],
  },
};
