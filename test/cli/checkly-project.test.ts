/**
 * Tests the import of Checkly projects. Constructs are read from their source files, and these files are never
 * executed.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeChecklyProject } from './checkly-files';
import { convert } from './convert-files';
import { onTerminal } from './terminal';

const NETWORK = `
import { DnsAssertionBuilder, DnsMonitor, Frequency, IcmpAssertionBuilder, IcmpMonitor, SslAssertionBuilder, SslMonitor, TcpAssertionBuilder, TcpCheck, TcpMonitor, TlsVersion } from 'checkly/constructs'

const frequency = Frequency.EVERY_5M
new TcpMonitor('smtp', {
  name: 'Mail',
  frequency,
  degradedResponseTime: 400,
  maxResponseTime: 5000,
  request: {
    hostname: 'mail.example.com',
    port: 25,
    data: 'HELO\\r\\n',
    assertions: [TcpAssertionBuilder.responseData().contains('250.ok'), TcpAssertionBuilder.responseTime().lessThan(900)],
  },
})
new DnsMonitor('records', {
  frequency,
  request: {
    query: 'example.com.',
    recordType: 'A',
    nameServer: '8.8.4.4',
    port: 5353,
    protocol: 'TCP',
    assertions: [
      DnsAssertionBuilder.responseCode().equals('NOERROR'),
      DnsAssertionBuilder.jsonAnswer('$.Answer[0].data').equals('192.0.2.1'),
    ],
  },
})
new DnsMonitor('gone', { frequency, request: { query: 'gone.example.com', recordType: 'AAAA', assertions: [DnsAssertionBuilder.responseCode().equals('NXDOMAIN')] } })
new IcmpMonitor('host', {
  frequency,
  maxPacketLossThreshold: 30,
  request: {
    hostname: '192.0.2.1',
    pingCount: 50,
    assertions: [
      IcmpAssertionBuilder.latency('max').lessThan(200),
      IcmpAssertionBuilder.latency('avg').lessThan(100),
      IcmpAssertionBuilder.jsonResponse('$.packetLoss').lessThan(10),
    ],
  },
})
new SslMonitor('certificate', {
  frequency,
  request: {
    hostname: 'example.com',
    port: 8443,
    sslConfig: { serverName: 'shop.example.com', handshakeTimeout: 5000, alertDaysBeforeExpiry: 30 },
    assertions: [
      SslAssertionBuilder.connection('tlsVersion').equals(TlsVersion.TLS1_3),
      SslAssertionBuilder.connection('chainTrusted').equals(true),
      SslAssertionBuilder.certificate('issuerCN').contains('Example'),
    ],
  },
})
new TcpCheck('odd', { frequency, request: { hostname: 'odd.example.com' } })
`;

let project: string;

beforeAll(() => {
  project = join(mkdtempSync(join(tmpdir(), 'keepwatch-checkly-')), 'shop');
  writeChecklyProject(project);
});
afterAll(() => rmSync(join(project, '..'), { recursive: true, force: true }));

it('API checks and URL monitors of Checkly are imported with the defaults of their group and configuration', async () => {
  const { monitors, env } = await convert('checkly', project);
  expect(env).toEqual([
    'SLACK_WEBHOOK_URL',
    { name: 'BASE_URL', default: 'https://acme.example' },
    'API_TOKEN',
    'ORDERS_URL',
  ]);
  expect(monitors).toEqual([
    {
      key: 'list-books',
      name: 'List all books',
      group: 'Website',
      url: '${BASE_URL}/api/v1/books?q=tea%20%26%20milk',
      method: 'GET',
      interval: 30,
      timeoutMs: 20_000,
      tls: { warnDays: [21] },
      degradedAboveMs: 2_000,
      headers: {
        Accept: 'application/json',
        Authorization: 'Bearer {{API_TOKEN}}',
        'X-Cost': 'costs $${BASE_URL}',
      },
      variables: { LANGUAGE: 'en', API_TOKEN: { value: '${API_TOKEN}', secret: true } },
      assertions: [
        { type: 'status', operator: 'equals', value: 200 },
        { type: 'jsonPath', path: '$[0].id', operator: 'notEquals', value: null },
        { type: 'jsonPath', path: '$[0]["title"]', operator: 'exists' },
        { type: 'jsonPath', path: '$.length', operator: 'greaterThan', value: 3 },
        { type: 'header', name: 'content-type', operator: 'contains', value: 'json' },
        { type: 'responseTime', operator: 'lessThan', value: 1_000 },
        { type: 'body', operator: 'notContains', value: 'error' },
      ],
      retries: 3,
      failuresBeforeDown: 2,
      tags: ['webshop', 'mac', 'group', 'books'],
      alerts: { channels: ['email-channel-1', 'slack-channel-1'], onDegraded: true },
    },
    {
      key: 'create-order',
      name: 'Create an order',
      url: '${ORDERS_URL}/orders',
      method: 'POST',
      interval: 300,
      auth: { type: 'basic', user: 'shop', password: '{{secret:CREATE_ORDER_PASSWORD}}' },
      body: { item: 'coffee', count: 1 },
      assertions: [{ type: 'status', operator: 'equals', value: 201 }],
      retries: 0,
      tags: ['webshop'],
      enabled: false,
    },
    expect.objectContaining({ key: 'url-monitor-1', interval: 60, degradedAboveMs: 5_000 }),

    {
      type: 'heartbeat',
      key: 'nightly-job',
      name: 'Nightly job',
      schedule: { everySeconds: 86_400 },
      graceSeconds: 1_800,
      tags: ['webshop', 'jobs'],
    },
  ]);
});

it('channels and maintenance windows of Checkly are imported without their secret values', async () => {
  const { alertChannels, maintenanceWindows, ...rest } = await convert('checkly', project);
  expect(alertChannels).toEqual([
    {
      key: 'email-channel-1',
      name: 'email-channel-1',
      type: 'email',
      emails: ['alerts@acme.example'],
    },
    {
      key: 'slack-channel-1',
      name: 'slack-channel-1',
      type: 'slack',
      webhookUrl: '${SLACK_WEBHOOK_URL}',
    },
    {
      key: 'webhook-1',
      name: 'Pager',
      type: 'webhook',
      url: 'https://pager.acme.example/hooks/checkly',
    },
    {
      key: 'pagerduty-1',
      name: 'pagerduty-1',
      type: 'pagerduty',
      routingKey: '{{secret:PAGERDUTY_1_ROUTING_KEY}}',
      onlyKinds: ['failure', 'reminder', 'flapping'],
    },
    {
      key: 'opsgenie-1',
      name: 'On call',
      type: 'jira',
      apiKey: '{{secret:OPSGENIE_1_API_KEY}}',
      site: 'opsgenie-eu',
    },
  ]);
  expect(maintenanceWindows).toEqual([
    {
      key: 'weekly',
      name: 'Weekly release',
      mode: 'pause',
      startsAt: '2026-05-04T02:00:00.000Z',
      durationMinutes: 30,
      timeZone: 'UTC',
      rrule: 'FREQ=WEEKLY;INTERVAL=1;UNTIL=20261231T000000Z',
      target: { tags: ['webshop'] },
    },
  ]);
  expect(JSON.stringify(rest)).not.toContain('do-not-tell');
});

it('the import from Checkly reports constructs that cannot be imported by file and line', async () => {
  const { told } = await convert('checkly', project);
  const shown = told.map((line: string) => line.replace(/^.*?shop\//, ''));
  const begins = (text: string) => expect.stringMatching(new RegExp(`^${text}`));
  expect(shown).toEqual([
    begins('browser/broken.check.ts: is not TypeScript or JavaScript: .*3:29'),
    begins('checkly.config.ts: finds browser checks'),
    begins('checkly.config.ts: runs checks in us-east-1, eu-west-1'),
    begins('checks/api.check.ts:10: List all books: has a locked variable API_TOKEN'),
    begins('checks/api.check.ts:10: List all books: assertion on TEXT_BODY EQUALS'),
    begins('checks/api.check.ts:42: Create an order: has scripts before or after'),
    begins('checks/api.check.ts:42: Create an order: signs in with a password'),
    begins('checks/api.check.ts:50: value is worked out by a call; left out'),
    begins('checks/api.check.ts:58: ApiCheck is created in a function or a loop'),
    begins('checks/api.check.ts:64: url is worked out by a call; left out'),
    begins('checks/api.check.ts:64: Where: request.url cannot be imported'),
    begins('checks/url.check.js:13: Nightly job: has a new ping URL'),
    begins('checks/url.check.js:15: period is worked out by a call; left out'),
    begins('checks/url.check.js:15: Odd job: has no period that can be read; left out'),
    begins('checks/url.check.js:17: BrowserCheck login has no counterpart'),
    begins('checks/url.check.js:19: MultiStepCheck is inside a condition'),
    begins('checks/url.check.js:19: MultiStepCheck journey has no counterpart; write its requests'),
    begins(
      'utils/alert-channels.ts:12: SlackAlertChannel slack-channel-1 channel has no counterpart',
    ),
    begins('utils/alert-channels.ts:18: SmsAlertChannel sms-channel-1 has no counterpart'),
    begins('utils/alert-channels.ts:20: WebhookAlertChannel webhook-1 has its own payload'),
    begins('utils/alert-channels.ts:27: PagerdutyAlertChannel pagerduty-1 has a secret'),
    begins(
      'utils/alert-channels.ts:27: PagerdutyAlertChannel pagerduty-1 account, serviceName have no',
    ),
    begins('utils/alert-channels.ts:34: OpsgenieAlertChannel opsgenie-1 has a secret'),
    begins(
      'utils/alert-channels.ts:34: OpsgenieAlertChannel opsgenie-1 priority has no counterpart',
    ),
  ]);
});

it('single files of a Checkly project are imported, and values that other files define are named', async () => {
  const file = join(project, 'checks', 'api.check.ts');
  const { code, stdout, stderr } = await onTerminal(['import', 'checkly', file]);
  expect(code).toBe(0);
  expect(stdout).toContain('key: list-books');
  expect(stderr).toMatch(/api\.check\.ts:12: group comes from \.\.\/utils, which is not among/);
  expect(stderr).toMatch(/List all books: uses GROUP_BASE_URL, API_TOKEN; define them/);
  const both = await onTerminal(['import', 'checkly', file, join(project, 'utils')]);
  expect(both.stdout).toContain('group: Website');
});

it.each([
  ['https://pager.acme.example/hooks/on-call', 'https://pager.acme.example/hooks/on-call'],
  ['https://pager.acme.example/hooks/T0B1x9', '${HOOK_WEBHOOK_URL}'],
  ['https://pager.acme.example/hooks?id=a', '${HOOK_WEBHOOK_URL}'],
  ['https://ada:pw@pager.acme.example/', '${HOOK_WEBHOOK_URL}'],
])('the webhook %s is imported as %s', async (url, expected) => {
  const file = join(project, '..', 'hook.ts');
  writeFileSync(
    file,
    `import { WebhookAlertChannel } from 'checkly/constructs'\nnew WebhookAlertChannel('hook', { url: '${url}' })\n`,
  );
  const { alertChannels } = await convert('checkly', file);
  expect(alertChannels).toMatchObject([{ key: 'hook', url: expected }]);
});

it('the notes of the import name the settings that a heartbeat cannot have', async () => {
  const file = join(project, '..', 'beat.ts');
  writeFileSync(
    file,
    `import { HeartbeatMonitor } from 'checkly/constructs'\nnew HeartbeatMonitor('beat', { period: 1, periodUnit: 'hours', muted: true, description: 'Ask Ada' })\n`,
  );
  const { monitors, told } = await convert('checkly', file);
  expect(monitors).toMatchObject([{ key: 'beat' }]);
  expect(told.join('\n')).toMatch(/description has no counterpart[\s\S]*muted has no counterpart/);
});

it('TCP, DNS, ICMP and SSL monitors of Checkly are imported as checks of their types', async () => {
  const file = join(project, '..', 'network.ts');
  writeFileSync(file, NETWORK);
  const { monitors, told } = await convert('checkly', file);
  const common = { interval: 300, retries: 0 };
  expect(monitors).toEqual([
    {
      ...common,
      key: 'smtp',
      name: 'Mail',
      type: 'tcp',
      host: 'mail.example.com',
      port: 25,
      send: 'HELO\r\n',
      expect: '250\\.ok',
      timeoutMs: 900,
      degradedAboveMs: 400,
    },
    {
      ...common,
      key: 'records',
      name: 'records',
      type: 'dns',
      host: 'example.com',
      record: 'A',
      servers: ['8.8.4.4:5353'],
      transport: 'tcp',
      expect: '(?m)^192\\.0\\.2\\.1$',
    },
    {
      ...common,
      key: 'gone',
      name: 'gone',
      type: 'dns',
      host: 'gone.example.com',
      record: 'AAAA',
      rcode: 'NXDOMAIN',
    },
    {
      ...common,
      key: 'host',
      name: 'host',
      type: 'ping',
      host: '192.0.2.1',
      count: 10,
      lossPercent: 9,
      p95Ms: 200,
    },
    {
      ...common,
      key: 'certificate',
      name: 'certificate',
      type: 'tls',
      host: 'example.com',
      port: 8443,
      serverName: 'shop.example.com',
      minVersion: 'TLSv1.3',
      timeoutMs: 5_000,
      tls: { warnDays: [30] },
    },
  ]);
  expect(told.map((line: string) => line.replace(/^.*network\.ts/, ''))).toEqual([
    ':32: host: pingCount 50 lowered to 10, the maximum',
    ':32: host: assertion on LATENCY LESS_THAN has no counterpart',
    ':45: certificate: assertion on CERTIFICATE CONTAINS has no counterpart',
    ':58: odd: request.port cannot be imported (Invalid input: expected number, received undefined); left out',
  ]);
});

it('the import from Checkly ends even with circular names and endless nesting', async () => {
  const head = "import { ApiCheck } from 'checkly/constructs'\n";
  const circle = join(project, '..', 'circle.ts');
  writeFileSync(
    circle,
    `${head}const a = b\nconst b = a\nnew ApiCheck('a', { name: a, request: { url: 'http://x.example' } })\n`,
  );
  const { monitors, told } = await convert('checkly', circle);
  expect(monitors).toEqual([expect.objectContaining({ key: 'a', name: 'a' })]);
  expect(told).toEqual([expect.stringMatching(/circle\.ts:\d: name names itself; left out/)]);
  const deep = join(project, '..', 'deep.ts');
  writeFileSync(deep, `${head}const a = ${'['.repeat(50_000)}${']'.repeat(50_000)}\n`);
  const nothing = await onTerminal(['import', 'checkly', deep], { isTerminal: false });
  expect(nothing.stderr).toContain('deep.ts: is not TypeScript or JavaScript');
});

it.each([
  'checkly',
  'checkly/constructs',
  'checkly/dist/constructs',
  '@checkly/cli',
  '@checkly/cli/constructs',
  '@checkly/cli/dist/constructs',
])('a Checkly project that imports its constructs from %s is read', async (name) => {
  const file = join(project, '..', 'named.ts');
  const check = "('a', { name: 'A', request: { url: 'https://a.example', method: 'GET' } })";
  const forms = [
    `import { ApiCheck } from '${name}'\nnew ApiCheck${check}\n`,
    `import * as constructs from '${name}'\nnew constructs.ApiCheck${check}\n`,
    `const { ApiCheck } = require('${name}')\nnew ApiCheck${check}\n`,
  ];
  for (const text of forms) {
    writeFileSync(file, text);
    expect((await convert('checkly', file)).monitors).toEqual([
      expect.objectContaining({ key: 'a', url: 'https://a.example' }),
    ]);
  }
});

it('the import of a Checkly project without checks fails and writes nothing', async () => {
  const file = join(project, '..', 'other.ts');
  writeFileSync(file, "import { ApiCheck } from 'other-tool'\nnew ApiCheck('a', {})\n");
  const to = join(project, '..', 'written.yaml');
  const bare = await onTerminal(['import', 'checkly', file, '--file', to]);
  expect(bare).toMatchObject({ code: 2, stdout: '' });
  expect(bare.stderr).toContain('other.ts could be imported.');
  expect(bare.stderr).toContain('checkly/constructs');
  expect(existsSync(to)).toBe(false);
  writeFileSync(
    file,
    "import { BrowserCheck } from 'checkly/constructs'\nnew BrowserCheck('a', {})\n",
  );
  const told = await onTerminal(['import', 'checkly', file]);
  expect(told).toMatchObject({ code: 2, stdout: '' });
  expect(told.stderr).toMatch(/BrowserCheck a has no counterpart[\s\S]*The notes above say why/);
});

it('the import of a Gatus file without endpoints fails with exit code 2', async () => {
  const input = JSON.stringify({ endpoints: [] });
  const empty = await onTerminal(['import', 'gatus', '-'], { isTerminal: false, input });
  expect(empty).toMatchObject({ code: 2, stdout: '' });
  expect(empty.stderr).toContain('Nothing in - could be imported.');
});

it('the import of an empty project fails with exit code 2', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'keepwatch-empty-'));
  for (const path of [empty, '/nonexistent/x.ts'])
    expect((await onTerminal(['import', 'checkly', path])).code).toBe(2);
  rmSync(empty, { recursive: true });
  const two = ['import', 'healthchecks', 'a.json', 'b.json'];
  expect(await onTerminal(two)).toMatchObject({ code: 2, stderr: expect.stringContaining('One') });
});
