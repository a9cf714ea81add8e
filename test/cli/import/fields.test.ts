/**
 * Tests that every field of a source format is either imported, which changes the output, or noted. Fields that do not
 * affect checks are listed as silent. So a new field requires a decision.
 */
import { convertText } from '../convert';

interface Format {
  readonly tool: string;
  /** Returns the content of a file that contains the object. */
  readonly wrap: (object: object) => unknown;
  readonly base: object;
  /** Each field of the format with a value other than its default. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields that do not affect checks, for example state, ids and appearance. */
  readonly silent: readonly string[];
}

const url = 'https://shop.example.com/';

const KUMA_FIELDS = {
  description: 'Ask Ada',
  method: 'HEAD',
  interval: 30,
  timeout: 20,
  maxretries: 2,
  retryInterval: 7,
  active: false,
  weight: 9,
  parent: 2,
  resendInterval: 30,
  headers: '{"X-A":"b"}',
  httpBodyEncoding: 'xml',
  body: '<b/>',
  maxredirects: 3,
  accepted_statuscodes: ['404'],
  ignoreTls: true,
  upsideDown: true,
  expiryNotification: true,
  domainExpiryNotification: true,
  notificationIDList: { 5: true },
  proxyId: 4,
  authMethod: 'ntlm',
  basic_auth_user: 'ada',
  basic_auth_pass: 'hunter2',
  tlsCa: 'PEM',
  tlsCert: 'PEM',
  tlsKey: 'PEM',
  tags: [{ name: 'shop' }],
  cacheBust: true,
  ipFamily: 'ipv6',
  retryOnlyOnStatusCodeFailure: true,
  conditions: [{ type: 'expression' }],
  childrenIDs: [3],
  path: ['Shop'],
  pathName: 'Shop',
  maintenance: true,
  forceInactive: true,
  screenshot: 'a.png',
  includeSensitiveData: true,
  saveResponse: true,
  saveErrorResponse: true,
  responseMaxLength: 1_024,
  hostname: 'db.example.com',
  port: 5_432,
  packetSize: 56,
  dns_resolve_type: 'A',
  docker_host: 1,
  mqttTopic: 'a',
  grpcUrl: 'a',
  radiusSecret: 'a',
  game: 'a',
  kafkaProducerTopic: 'a',
  snmpOid: 'a',
  rabbitmqNodes: ['a'],
  databaseQuery: 'SELECT 1',
  oauth_token_url: 'https://a.example',
};

const FORMATS: Readonly<Record<string, Format>> = {
  'monitors of Uptime Kuma': {
    tool: 'uptime-kuma',
    wrap: (monitor) => ({
      notificationList: [{ id: 5, name: 'Ops', config: { type: 'smtp', smtpTo: 'a@example.com' } }],
      monitorList: [monitor, { id: 2, name: 'Group', type: 'group' }],
    }),
    base: {
      id: 1,
      name: 'Shop',
      type: 'http',
      url,
      method: 'POST',
      maxretries: 1,
      body: '{"a":1}',
    },
    fields: KUMA_FIELDS,
    silent: [
      'weight',
      'childrenIDs',
      'path',
      'pathName',
      'maintenance',
      'forceInactive',
      'screenshot',
      'includeSensitiveData',
      'saveResponse',
      'saveErrorResponse',
      // Fields that are used only with basic_auth_user, or only by other types of monitors.
      'responseMaxLength',
      'basic_auth_pass',
      'hostname',
      'port',
      'packetSize',
      'game',
      'dns_resolve_type',
      'docker_host',
      'mqttTopic',
      'grpcUrl',
      'radiusSecret',
      'snmpOid',
      'kafkaProducerTopic',
      'rabbitmqNodes',
      'databaseQuery',
      'oauth_token_url',
    ],
  },
  'keyword monitors of Uptime Kuma': {
    tool: 'uptime-kuma',
    wrap: (monitor) => ({ monitorList: [monitor] }),
    base: { id: 1, name: 'Shop', type: 'keyword', url, keyword: 'a' },
    fields: { keyword: 'b', invertKeyword: true },
    silent: [],
  },
  'JSON queries of Uptime Kuma': {
    tool: 'uptime-kuma',
    wrap: (monitor) => ({ monitorList: [monitor] }),
    base: { id: 1, name: 'Shop', type: 'json-query', url, jsonPath: 'a', expectedValue: '1' },
    fields: { jsonPath: '$count(b)', expectedValue: '2', jsonPathOperator: '!=' },
    silent: [],
  },
  'notifications of Uptime Kuma': {
    tool: 'uptime-kuma',
    wrap: (notification) => ({ notificationList: [notification], monitorList: [] }),
    base: { id: 1, name: 'Ops', config: { type: 'discord', discordWebhookUrl: url } },
    fields: {
      active: false,
      isDefault: true,
      userId: 7,
      config: { type: 'discord', discordWebhookUrl: url, discordPrefixMessage: '@here' },
    },
    silent: ['userId'],
  },
  'endpoints of Gatus': {
    tool: 'gatus',
    wrap: (endpoint) => ({ alerting: { slack: { 'webhook-url': url } }, endpoints: [endpoint] }),
    base: { name: 'shop', url, method: 'POST', body: '{}', conditions: ['[STATUS] == 200'] },
    fields: {
      enabled: false,
      group: 'core',
      method: 'PUT',
      body: '{"a":1}',
      headers: { 'X-A': 'b' },
      graphql: true,
      interval: '5m',
      conditions: ['[STATUS] == 201'],
      alerts: [{ type: 'slack' }],
      dns: { 'query-name': 'a', 'query-type': 'A' },
      ssh: { username: 'a' },
      'maintenance-windows': [{ start: '23:00', duration: '1h' }],
      ui: { 'hide-url': true },
      'extra-labels': { a: 'b' },
      store: { a: 'b' },
      'always-run': true,
    },
    silent: [],
  },
  'clients of Gatus': {
    tool: 'gatus',
    wrap: (client) => ({
      endpoints: [{ name: 'shop', url, client, conditions: ['[STATUS] == 200'] }],
    }),
    base: {},
    fields: {
      insecure: true,
      'ignore-redirect': true,
      timeout: '5s',
      'dns-resolver': 'tcp://8.8.8.8:53',
      oauth2: { 'token-url': 'a' },
      'proxy-url': 'http://a',
      'identity-aware-proxy': { audience: 'a' },
      tls: { 'certificate-file': 'a' },
      network: 'ip6',
      tunnel: 'a',
    },
    silent: [],
  },
  'alerts of Gatus': {
    tool: 'gatus',
    wrap: (alert) => ({
      alerting: { slack: { 'webhook-url': url } },
      endpoints: [{ name: 'shop', url, alerts: [alert], conditions: ['[STATUS] == 200'] }],
    }),
    base: { type: 'slack', 'send-on-resolved': true },
    fields: {
      enabled: false,
      'failure-threshold': 5,
      'success-threshold': 4,
      'send-on-resolved': false,
      'minimum-reminder-interval': '10m',
      description: 'down',
      'provider-override': { 'webhook-url': 'https://other.example' },
    },
    silent: [],
  },
  'providers of Gatus': {
    tool: 'gatus',
    wrap: (mattermost) => ({ alerting: { mattermost }, endpoints: [] }),
    base: { 'webhook-url': url },
    fields: { channel: 'ops', client: { insecure: true }, title: 'Down' },
    silent: [],
  },
  'sections of Gatus': {
    tool: 'gatus',
    wrap: (sections) => ({
      endpoints: [{ name: 'shop', url, conditions: ['[STATUS] == 200'] }],
      ...sections,
    }),
    base: {},
    fields: Object.fromEntries(
      [
        'metrics',
        'storage',
        'security',
        'web',
        'ui',
        'maintenance',
        'announcements',
        'remote',
        'connectivity',
        'suites',
        'tunneling',
        'concurrency',
      ].map((name) => [name, { a: 'b' }]),
    ),
    silent: [],
  },
  'external endpoints of Gatus': {
    tool: 'gatus',
    wrap: (external) => ({ endpoints: [], 'external-endpoints': [external] }),
    base: { name: 'backup', token: 'hunter2', heartbeat: { interval: '24h' } },
    fields: {
      enabled: false,
      group: 'core',
      heartbeat: { interval: '12h' },
      alerts: [{ type: 'slack' }],
      'maintenance-windows': [{ start: '23:00' }],
      token: 'another',
    },
    silent: ['token'],
  },
  'checks of Healthchecks': {
    tool: 'healthchecks',
    wrap: (check) => ({ checks: [check] }),
    base: { name: 'Backup', timeout: 3_600, grace: 60 },
    fields: {
      name: 'Other',
      slug: 'backup-db',
      tags: 'prod',
      desc: 'Ask Ada',
      grace: 900,
      timeout: 60,
      status: 'paused',
      schedule: '0 3 * * *',
      tz: 'Europe/Berlin',
      manual_resume: true,
      methods: 'POST',
      subject: 'DONE',
      subject_fail: 'FAIL',
      start_kw: 'START',
      success_kw: 'OK',
      failure_kw: 'ERROR',
      filter_subject: true,
      filter_body: true,
      filter_http_body: true,
      filter_default_fail: true,
      channels: 'a,b',
      n_pings: 3,
      started: true,
      last_ping: '2026-01-01T00:00:00Z',
      next_ping: '2026-01-01T00:00:00Z',
      last_duration: 3,
      uuid: 'u',
      unique_key: 'k',
      badge_url: 'a',
      ping_url: 'a',
      update_url: 'a',
      pause_url: 'a',
      resume_url: 'a',
    },
    silent: [
      'tz',
      'n_pings',
      'started',
      'last_ping',
      'next_ping',
      'last_duration',
      'uuid',
      'unique_key',
      'badge_url',
      'ping_url',
      'update_url',
      'pause_url',
      'resume_url',
    ],
  },
  'checks of Checkly': {
    tool: 'checkly',
    wrap: (check) => [check],
    base: { name: 'Shop', checkType: 'API', request: { url } },
    fields: {
      id: 'a',
      name: 'Other',
      description: 'Ask Ada',
      activated: false,
      muted: true,
      shouldFail: true,
      frequency: 1,
      locations: ['eu-west-1'],
      privateLocations: ['mine'],
      tags: ['a'],
      degradedResponseTime: 9,
      maxResponseTime: 900,
      doubleCheck: true,
      retryStrategy: { maxRetries: 2 },
      setupSnippetId: 1,
      tearDownSnippetId: 1,
      localSetupScript: 'a',
      localTearDownScript: 'a',
      environmentVariables: [{ key: 'A', value: 'b' }],
      alertSettings: { a: 'b' },
      useGlobalAlertSettings: true,
      alertChannelSubscriptions: [{ a: 'b' }],
      runParallel: true,
      triggerIncident: { a: 'b' },
      created_at: 'a',
      updated_at: 'a',
      groupId: 1,
      groupOrder: 1,
      runtimeId: 'a',
      script: 'a',
    },
    silent: ['id', 'created_at', 'updated_at', 'groupId', 'groupOrder', 'runtimeId', 'script'],
  },
  'requests of Checkly': {
    tool: 'checkly',
    wrap: (request) => [{ name: 'Shop', checkType: 'API', request }],
    base: { url, method: 'POST', bodyType: 'JSON', body: '{"a":1}' },
    fields: {
      method: 'PUT',
      body: '{"a":2}',
      bodyType: 'RAW',
      followRedirects: false,
      headers: [{ key: 'X-A', value: 'b' }],
      queryParameters: [{ key: 'a', value: 'b' }],
      assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '201' }],
      skipSSL: true,
      basicAuth: { username: 'ada', password: 'hunter2' },
      ipFamily: 'IPv6',
    },
    silent: [],
  },
};

const all = Object.entries(FORMATS).flatMap(([name, { fields }]) =>
  Object.keys(fields).map((field) => [name, field] as const),
);

/** Imports a file with the object, and returns the definitions and notes as JSON. */
async function outcomeOf({ tool, wrap }: Format, object: object): Promise<string> {
  const filler = { id: 99, name: 'Filler', type: 'http', url };
  const file = wrap(object);
  const whole =
    tool === 'uptime-kuma'
      ? { ...(file as object), monitorList: [...(file as { monitorList: [] }).monitorList, filler] }
      : file;
  return JSON.stringify(await convertText(tool, whole));
}

it.each(all)('%s: the field %s is imported or noted', async (name, field) => {
  const format = FORMATS[name];
  if (format === undefined) throw new Error(name);
  const { base, fields, silent } = format;
  const without = await outcomeOf(format, base);
  const with_ = await outcomeOf(format, { ...base, [field]: fields[field] });
  expect(with_ !== without).toBe(!silent.includes(field));
  expect(with_).not.toContain('hunter2');
});
