/** Files of other tools, as definitions that the service takes, and what they lose on the way. */
import { join } from 'node:path';
import { parse } from 'yaml';
import { convert, files } from './convert';
import { onTerminal } from './terminal';

it('takes over monitors of Uptime Kuma, without passwords', async () => {
  const { monitors, told } = await convert('uptime-kuma', 'uptime-kuma.json');
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
    },
    {
      key: 'login-page',
      tls: { warnDays: [] },
      name: 'Login page',
      url: 'https://shop.example.com/login',
      method: 'POST',
      interval: 20,
      timeoutMs: 16_000,
      failuresBeforeDown: 1,
      headers: { 'X-Test': '1', Authorization: 'Basic {{secret:LOGIN_PAGE_BASIC_AUTH}}' },
      body: { user: 'ada' },
      assertions: [
        { type: 'status', operator: 'in', value: ['2xx', 301] },
        { type: 'body', operator: 'contains', value: 'Welcome' },
      ],
      enabled: false,
    },
    expect.objectContaining({
      key: 'stock',
      assertions: [{ type: 'jsonPath', path: '$.stock.count', operator: 'greaterThan', value: 3 }],
    }),
    {
      type: 'heartbeat',
      key: 'backup',
      name: 'Backup',
      schedule: { everySeconds: 30 },
      graceSeconds: 120,
    },
  ]);
  expect(JSON.stringify(monitors)).not.toContain('hunter2');
  expect(told).toEqual(
    expect.arrayContaining([
      expect.stringContaining('Database: is of type port'),
      expect.stringContaining('Login page: ignores certificates'),
      expect.stringContaining('set the secret LOGIN_PAGE_BASIC_AUTH'),
      expect.stringContaining('Ops mail: is a notification'),
      expect.stringContaining('Backup: is pushed to'),
      'Backup: interval 20 s became 30 s, our bound',
    ]),
  );
});

it('takes over endpoints of Gatus with their conditions and variables', async () => {
  const { monitors, env, told } = await convert('gatus', 'gatus.yaml');
  expect(env).toEqual(['API_TOKEN']);
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
  });
  expect(monitors[1]).toMatchObject({
    key: 'graphql',
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
  });
  expect(JSON.stringify([monitors, told])).not.toContain('hunter2');
  expect(told).toEqual(
    expect.arrayContaining([
      expect.stringContaining('ssh-host: checks ssh'),
      expect.stringContaining('by-hand: is an external endpoint without heartbeat.interval'),
      expect.stringContaining('core front-end: condition len([BODY].items) < 5 has no counterpart'),
      expect.stringContaining('alerts by slack'),
      expect.stringContaining('client.dns-resolver has no counterpart'),
      expect.stringContaining('security: is a section that has no counterpart'),
    ]),
  );
});

it('takes over checks of Healthchecks, without their ping URLs', async () => {
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

it('takes over API checks of Checkly', async () => {
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

it('writes a file that apply reads, and says what is wrong with one that it cannot read', async () => {
  const piped = await onTerminal(['import', 'gatus', join(files, 'gatus.yaml')], {
    isTerminal: false,
  });
  expect(parse(piped.stdout).monitors).toHaveLength(3);
  expect(piped.stderr).toContain('3 monitors taken over');
  const wrong = await onTerminal(['import', 'gatus', join(files, 'checkly.json')]);
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a file of gatus'),
  });
  expect((await onTerminal(['import', 'pingdom', 'x'])).code).toBe(2);
  expect((await onTerminal(['import', 'gatus', '/nonexistent'])).code).toBe(2);
});
