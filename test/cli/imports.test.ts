/**
 * Tests that files of other tools become definitions that the service accepts. Also tests the notes on what is lost in
 * the import.
 */
import { join } from 'node:path';
import { parse } from 'yaml';
import { convertText, refusedText } from './convert';
import { convert, files } from './convert-files';
import { onTerminal } from './terminal';

it('monitors of Uptime Kuma are imported without passwords', async () => {
  const { monitors, env, told } = await convert('uptime-kuma', 'uptime-kuma.json');
  expect(env).toEqual(['CHAT_WEBHOOK_URL', 'HOOK_WEBHOOK_URL']);
  expect(monitors).toEqual([
    {
      key: 'shop',
      name: 'Shop',
      url: 'https://shop.example.com/',
      method: 'GET',
      interval: 60,
      timeoutMs: 48_000,
      failuresBeforeDown: 4,
      tls: { warnDays: [21, 14, 7] },
      tags: ['team:web'],
      group: 'Production/Shop',
      alerts: { channels: ['ops-mail', 'pager'] },
    },
    {
      key: 'login-page',
      tls: { trust: 'unchecked', warnDays: [] },
      name: 'Login page',
      url: 'https://shop.example.com/login',
      method: 'POST',
      interval: 20,
      timeoutMs: 16_000,
      failuresBeforeDown: 1,
      headers: { 'X-Test': '1' },
      auth: { type: 'basic', user: 'ada', password: '{{secret:LOGIN_PAGE_PASSWORD}}' },
      body: { user: 'ada' },
      assertions: [
        { type: 'status', operator: 'in', value: ['2xx', 301] },
        { type: 'body', operator: 'contains', value: 'Welcome' },
      ],
      enabled: false,
      alerts: { channels: [] },
    },
    expect.objectContaining({
      key: 'stock',
      assertions: [{ type: 'jsonPath', path: '$.stock.count', operator: 'greaterThan', value: 3 }],
    }),
    {
      type: 'tcp',
      key: 'database',
      name: 'Database',
      interval: 60,
      failuresBeforeDown: 1,
      host: 'db.example.com',
      port: 5432,
    },
    {
      type: 'heartbeat',
      key: 'backup',
      name: 'Backup',
      schedule: { everySeconds: 30 },
      graceSeconds: 120,
      alerts: { channels: ['chat'], remindEveryMinutes: 10 },
    },
  ]);
  expect(monitors[2]).not.toHaveProperty('alerts');
  expect(JSON.stringify([monitors, told])).not.toContain('hunter2');
  expect(told).toEqual(
    expect.arrayContaining([
      expect.stringContaining('Login page: ignores certificates'),
      expect.stringContaining('set the secret LOGIN_PAGE_PASSWORD'),
      expect.stringContaining('Stock: has no imported channel'),
      expect.stringContaining('Backup: has a new ping URL'),
      'Backup: interval 20 s raised to 30 s, the minimum',
    ]),
  );
});

it('notifications of Uptime Kuma are imported as channels, without secrets in the file', async () => {
  const { alertChannels, told } = await convert('uptime-kuma', 'uptime-kuma.json');
  expect(alertChannels).toEqual([
    {
      key: 'ops-mail',
      name: 'Ops mail',
      type: 'email',
      emails: ['ops@example.com', 'lead@example.com'],
      isDefault: true,
    },
    { key: 'chat', name: 'Chat', type: 'slack', webhookUrl: '${CHAT_WEBHOOK_URL}' },
    {
      key: 'pager',
      name: 'Pager',
      type: 'pagerduty',
      routingKey: '{{secret:PAGER_ROUTING_KEY}}',
      severityMap: { failure: 'error' },
      apiUrl: 'https://events.eu.pagerduty.com',
    },
    {
      key: 'phone',
      name: 'Phone',
      type: 'ntfy',
      url: 'https://ntfy.example.com',
      topic: 'ops',
      token: '{{secret:PHONE_TOKEN}}',
      priority: 5,
    },
    {
      key: 'group',
      name: 'Group',
      type: 'telegram',
      botToken: '{{secret:GROUP_BOT_TOKEN}}',
      chatId: '-1001234',
      threadId: 7,
    },
    {
      key: 'hook',
      name: 'Hook',
      type: 'webhook',
      url: '${HOOK_WEBHOOK_URL}',
      headers: { Authorization: '{{secret:HOOK_AUTHORIZATION}}' },
    },
  ]);
  expect(JSON.stringify([alertChannels, told])).not.toContain('hunter2');
  expect(told).toEqual(
    expect.arrayContaining([
      'Chat: has a URL that is a secret: set CHAT_WEBHOOK_URL in the environment when you apply',
      'Pager: has a secret that is not imported: set the secret PAGER_ROUTING_KEY',
      'Matrix room: is a notification by matrix, which has no counterpart; set up an alert channel for it',
      'Half: cannot be imported: notificationList[7].config.twilioAuthToken, notificationList[7].config.twilioToNumber are missing',
      'Broken: cannot be imported: notificationList[8].config is not a JSON object',
    ]),
  );
});

/** Each row: the provider in Uptime Kuma, its fields, and the expected fields of our channel. */
it.each([
  ['discord', { discordWebhookUrl: 'https://d.example/x' }, { webhookUrl: '${N_WEBHOOK_URL}' }],
  ['teams', { webhookUrl: 'https://t.example/x' }, { webhookUrl: '${N_WEBHOOK_URL}' }],
  [
    'GoogleChat',
    { googleChatWebhookURL: 'https://g.example/x' },
    { type: 'googlechat', webhookUrl: '${N_WEBHOOK_URL}' },
  ],
  [
    'mattermost',
    { mattermostWebhookUrl: 'https://m.example/x', mattermostchannel: 'ops' },
    { webhookUrl: '${N_WEBHOOK_URL}', channel: 'ops' },
  ],
  [
    'gotify',
    { gotifyserverurl: 'https://g.example', gotifyapplicationToken: 'x', gotifyPriority: 8 },
    { url: 'https://g.example', token: '{{secret:N_TOKEN}}', priority: 8 },
  ],
  [
    'pushover',
    { pushoveruserkey: 'x', pushoverapptoken: 'y', pushoverpriority: '2' },
    { userKey: '{{secret:N_USER_KEY}}', appToken: '{{secret:N_APP_TOKEN}}', emergency: true },
  ],
  [
    'Opsgenie',
    { opsgenieApiKey: 'x', opsgenieRegion: 'eu' },
    { type: 'jira', apiKey: '{{secret:N_API_KEY}}', site: 'opsgenie-eu' },
  ],
  [
    'JiraServiceManagement',
    { jsmApiToken: 'x', jsmEmail: 'a@example.com', jsmCloudId: 'c' },
    { type: 'jira', apiKey: '{{secret:N_API_KEY}}' },
  ],
  [
    'twilio',
    {
      twilioAccountSID: 'AC00000000000000000000000000000000',
      twilioAuthToken: 'x',
      twilioFromNumber: '+15005550006',
      twilioToNumber: '+4915112345678',
    },
    {
      accountSid: 'AC00000000000000000000000000000000',
      authToken: '{{secret:N_AUTH_TOKEN}}',
      from: '+15005550006',
      to: ['+4915112345678'],
    },
  ],
])('the import from Uptime Kuma converts a notification by %s', async (type, config, expected) => {
  const notification = { id: 1, name: 'n', config: JSON.stringify({ type, ...config }) };
  const { alertChannels } = await convertText('uptime-kuma', {
    notificationList: [notification],
    monitorList: [],
  });
  expect(alertChannels).toEqual([{ key: 'n', name: 'n', type, ...expected }]);
});

it('endpoints of Gatus are imported with their conditions and variables', async () => {
  const { monitors, env, told } = await convert('gatus', 'gatus.yaml');
  expect(env).toEqual([
    'ALERTS_BY_SLACK_WEBHOOK_URL',
    'SHOP_SLACK_URL',
    'ALERTS_BY_CUSTOM_WEBHOOK_URL',
    'API_TOKEN',
  ]);
  expect(monitors[0]).toEqual({
    key: 'core-front-end',
    name: 'front-end',
    group: 'core',
    url: 'https://example.org/health',
    interval: 300,
    timeoutMs: 5_000,
    headers: { Authorization: 'Bearer ${API_TOKEN}' },
    failuresBeforeDown: 5,
    successesBeforeUp: 2,
    assertions: [
      { type: 'status', operator: 'equals', value: 200 },
      { type: 'jsonPath', path: '$.status', operator: 'equals', value: 'UP' },
      { type: 'responseTime', operator: 'lessThan', value: 150 },
      { type: 'body', operator: 'matches', value: '(?s)^.*<h1>Hi\\.</h1>.*$' },
      { type: 'jsonPath', path: '$.errors', operator: 'notExists' },
      { type: 'jsonPath', path: '$.data[0].name', operator: 'in', value: ['john', 'jane'] },
      { type: 'jsonPath', path: '$.items', operator: 'lengthEquals', value: 3 },
    ],
    tls: { warnDays: [2] },
    alerts: { channels: ['alerts-by-slack'] },
  });
  expect(monitors[1]).toMatchObject({
    key: 'shop-graphql',
    failuresBeforeDown: 4,
    alerts: { channels: ['alerts-by-slack-shop', 'alerts-by-email'], remindEveryMinutes: 5 },
    method: 'POST',
    body: { query: '{ ok }' },
    enabled: false,
  });
  expect(monitors[2]).toEqual({
    type: 'heartbeat',
    key: 'core-backup',
    name: 'backup',
    group: 'core',
    schedule: { everySeconds: 86_400 },
    alerts: { onRecovery: false },
  });
  expect(JSON.stringify([monitors, told])).not.toContain('hunter2');
  expect(told).toEqual(
    expect.arrayContaining([
      expect.stringContaining('ssh-host: checks ssh'),
      expect.stringContaining('by-hand: is an external endpoint without heartbeat.interval'),
      expect.stringContaining('core front-end: condition len([BODY].items) < 5 has no counterpart'),
      expect.stringContaining('core backup: alerts by matrix, which is not imported'),
      expect.stringContaining('shop graphql: sends only some recoveries'),
      'shop graphql: reminder every 2 min raised to 5 min, the minimum',
      expect.stringContaining('client.dns-resolver has no counterpart'),
      expect.stringContaining('security: is a section that has no counterpart'),
    ]),
  );
});

it('the alerting of Gatus is imported as channels, with a separate channel for each group override', async () => {
  const { alertChannels, told } = await convert('gatus', 'gatus.yaml');
  expect(alertChannels).toEqual([
    {
      key: 'alerts-by-slack',
      name: 'Alerts by slack',
      type: 'slack',
      webhookUrl: '${ALERTS_BY_SLACK_WEBHOOK_URL}',
    },
    {
      key: 'alerts-by-slack-shop',
      name: 'Alerts by slack, shop',
      type: 'slack',
      webhookUrl: '${SHOP_SLACK_URL}',
    },
    {
      key: 'alerts-by-pagerduty',
      name: 'Alerts by pagerduty',
      type: 'pagerduty',
      routingKey: '{{secret:ALERTS_BY_PAGERDUTY_ROUTING_KEY}}',
    },
    {
      key: 'alerts-by-opsgenie',
      name: 'Alerts by opsgenie',
      type: 'jira',
      apiKey: '{{secret:OPSGENIE_KEY}}',
      site: 'opsgenie',
    },
    {
      key: 'alerts-by-email',
      name: 'Alerts by email',
      type: 'email',
      emails: ['ops@example.com', 'lead@example.com'],
    },
    {
      key: 'alerts-by-custom',
      name: 'Alerts by custom',
      type: 'webhook',
      url: '${ALERTS_BY_CUSTOM_WEBHOOK_URL}',
      headers: { 'Content-Language': '{{secret:ALERTS_BY_CUSTOM_CONTENT_LANGUAGE}}' },
    },
  ]);
  expect(JSON.stringify([alertChannels, told])).not.toContain('hunter2');
  expect(told).toEqual(
    expect.arrayContaining([
      'alerting.matrix: has no counterpart; set up another alert channel for it',
      'alerting.telegram: cannot be imported: alerting.telegram.id is missing',
      expect.stringContaining('alerting.email: sends mail by the mail server of this service'),
    ]),
  );
});

it('checks of Healthchecks are imported without their ping URLs', async () => {
  const { monitors, told } = await convert('healthchecks', 'healthchecks.json');
  expect(monitors).toEqual([
    {
      type: 'heartbeat',
      key: 'db-backup',
      name: 'Backup',
      schedule: { cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
      graceSeconds: 600,
      tags: ['prod', 'db'],
      enabled: false,
    },
    {
      type: 'heartbeat',
      key: 'worker',
      name: 'Worker',
      schedule: { everySeconds: 300 },
      graceSeconds: 60,
    },
  ]);
  expect(JSON.stringify([monitors, told])).not.toContain('hunter2');
  expect(told).toContainEqual(expect.stringContaining('Calendar: has the schedule Mon..Fri'));
});

it('API checks of Checkly are imported', async () => {
  const { monitors, told } = await convert('checkly', 'checkly.json');
  expect(monitors).toEqual([
    {
      key: 'orders-api',
      name: 'Orders API',
      url: 'https://api.example.com/orders?limit=10',
      method: 'POST',
      interval: 300,
      timeoutMs: 20_000,
      degradedAboveMs: 5_000,
      headers: { 'X-Api-Key': '{{secret:ORDERS_API_X_API_KEY}}' },
      body: { q: 1 },
      assertions: [
        { type: 'status', operator: 'equals', value: 200 },
        { type: 'jsonPath', path: '$.total', operator: 'greaterThan', value: 3 },
        { type: 'header', name: 'content-type', operator: 'contains', value: 'json' },
      ],
      retries: 1,
      tags: ['api'],
    },
    expect.objectContaining({ key: 'ping', interval: 20, retries: 0, enabled: false }),
  ]);
  expect(JSON.stringify(monitors)).not.toContain('very-secret');
  expect(told).toEqual(
    expect.arrayContaining([
      expect.stringContaining('Log in: is a BROWSER check'),
      expect.stringContaining('Orders API: runs in eu-west-1'),
    ]),
  );
});

const REQUEST = { url: 'https://api.example.com/', assertions: [] };

it.each([
  [
    'a form',
    { method: 'POST', bodyType: 'FORM', body: 'user=ada+l&password=a%26b&empty=' },
    {
      method: 'POST',
      form: { user: 'ada l', password: '{{secret:CHECK_PASSWORD}}', empty: '' },
    },
  ],
  [
    'a form with a field twice',
    { method: 'POST', bodyType: 'FORM', body: 'a=1&a=2' },
    { method: 'POST', body: 'a=1&a=2' },
  ],
  [
    'a GraphQL query, whatever its method',
    { method: 'GET', bodyType: 'GRAPHQL', body: '\nquery Shop { items { name } }\n' },
    { method: 'POST', graphql: { query: 'query Shop { items { name } }' } },
  ],
  [
    'GraphQL as JSON with variables',
    {
      method: 'POST',
      bodyType: 'GRAPHQL',
      body: JSON.stringify({ query: '{ a }', variables: { id: 1 }, operationName: 'A' }),
    },
    { method: 'POST', graphql: { query: '{ a }', variables: { id: 1 }, operationName: 'A' } },
  ],
  [
    'raw text that looks like JSON',
    { method: 'PUT', bodyType: 'RAW', body: '{"a": 1}' },
    { method: 'PUT', body: '{"a": 1}' },
  ],
  ['no body', { method: 'POST', bodyType: 'NONE', body: 'left over' }, { method: 'POST' }],
  ['a body with GET', { method: 'GET', bodyType: 'JSON', body: '{"a":1}' }, { method: 'GET' }],
])('the import from Checkly converts %s', async (_name, request, expected) => {
  const check = { name: 'Check', checkType: 'API', request: { ...REQUEST, ...request } };
  const { monitors } = await convertText('checkly', [check]);
  const [{ key, name, url, interval, retries, ...sent }] = monitors;
  expect({ key, name, url, interval, retries }).toMatchObject({ key: 'check', retries: 0 });
  expect(sent).toEqual(expected);
});

it('an import reports all problems of a file at once, each with its path', async () => {
  const wrong = {
    monitorList: [
      { id: 1, type: 'http' },
      { id: 'x', name: 'b', type: 'http' },
    ],
  };
  const told = await refusedText('uptime-kuma', wrong);
  expect(told).toContain('is not a file of uptime-kuma.');
  expect(told).toMatch(
    /monitorList\[0\]\.name is missing\n.*monitorList\[1\]\.id must be a number/,
  );
  expect(await refusedText('uptime-kuma', {})).toContain('monitorList is missing');
  expect(await refusedText('uptime-kuma', 'hello')).toContain('is not JSON.');
  expect(await refusedText('checkly', { checks: [{ name: 'a' }] })).toContain('[0].checkType');
});

it('an import writes a file that apply accepts, or says why the source cannot be read', async () => {
  const piped = await onTerminal(['import', 'gatus', join(files, 'gatus.yaml')], {
    isTerminal: false,
  });
  expect(parse(piped.stdout).monitors).toHaveLength(3);
  expect(piped.stderr).toMatch(/Imported .*3 monitors \(/);
  const wrong = await onTerminal(['import', 'gatus', join(files, 'checkly.json')]);
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a file of gatus'),
  });
  expect((await onTerminal(['import', 'pingdom', 'x'])).code).toBe(2);
  expect((await onTerminal(['import', 'gatus', '/nonexistent'])).code).toBe(2);
});
