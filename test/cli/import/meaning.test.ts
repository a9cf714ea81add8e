/**
 * Tests that an imported definition means the same as the original, that apply accepts all of it, and that a note names
 * what is missing.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RE2JS } from 're2js';
import { convertText } from '../convert';
import { convert } from '../convert-files';

function kuma(...monitors: readonly object[]) {
  const whole = monitors.map((one, index) => ({
    id: index + 1,
    name: `Monitor ${index + 1}`,
    type: 'http',
    url: 'https://shop.example.com/',
    ...one,
  }));
  return convertText('uptime-kuma', { monitorList: whole });
}

function gatus(conditions: readonly string[], endpoint: object = {}) {
  const whole = { name: 'shop', url: 'https://shop.example.com/', conditions, ...endpoint };
  return convertText('gatus', { endpoints: [whole] });
}

describe('Gatus', () => {
  it.each([
    ['[BODY] == OK', ['OK', 'OK\n', '\r\n OK \n'], ['NOT OK', 'OK OK', 'ok', '']],
    ['[BODY] == a.c', ['a.c\n'], ['abc']],
    ['[BODY] == any(OK, UP)', ['UP\n', 'OK'], ['OK, UP', 'DOWN']],
    ['[BODY] == pat(OK*)', ['\nOK, all of it\n'], ['not OK']],
    ['[BODY] == pat(*OK)', ['it is OK\n'], ['OK not']],
  ])(
    'the Gatus condition %s ignores whitespace around the body',
    async (condition, taken, refused) => {
      const { monitors } = await gatus([condition]);
      const [, { type, operator, value }] = monitors[0].assertions;
      expect([type, operator]).toEqual(['body', 'matches']);
      const pattern = RE2JS.compile(value);
      expect(taken.filter((body) => !pattern.matcher(body).find())).toEqual([]);
      expect(refused.filter((body) => pattern.matcher(body).find())).toEqual([]);
    },
  );

  it('a Gatus condition with != becomes the opposite assertion', async () => {
    const { monitors } = await gatus(['[BODY] != OK']);
    expect(monitors[0].assertions[1]).toMatchObject({ type: 'body', operator: 'notMatches' });
  });

  it.each([
    [['[BODY] == OK']],
    [['[RESPONSE_TIME] < 300']],
    [['[CONNECTED] == true']],
    [['[CERTIFICATE_EXPIRATION] > 48h']],
    [['[STATUS] == pat(2*)']],
  ])(
    'with the Gatus conditions %j, every status is accepted, because no condition checks the status',
    async (conditions) => {
      const { monitors } = await gatus(conditions);
      const about = monitors[0].assertions.filter(
        ({ type }: { type: string }) => type === 'status',
      );
      expect(about).toEqual([{ type: 'status', operator: 'greaterThanOrEqual', value: 100 }]);
    },
  );

  it.each(['[BODY].a == [BODY].b', '[STATUS] == pat(2*)', '200 == [STATUS]', 'len([BODY]) < 3'])(
    'the Gatus condition %s is noted and not converted',
    async (condition) => {
      const { monitors, told } = await gatus(['[STATUS] == 200', condition]);
      expect(monitors[0].assertions).toHaveLength(1);
      expect(told).toContain(`shop: condition ${condition} has no counterpart`);
    },
  );

  it('the import from Gatus quotes names in a path where necessary', async () => {
    const { monitors } = await gatus(['[STATUS] == 200', '[BODY].status-page.all[0].x-y == UP']);
    expect(monitors[0].assertions[1].path).toBe("$['status-page'].all[0]['x-y']");
  });

  it('the import from Gatus reads all files of a folder, and several files, as one configuration', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepwatch-gatus-'));
    const endpoint = (name: string) =>
      `endpoints:\n  - name: ${name}\n    url: https://${name}.example.com/\n    conditions: ['[STATUS] == 200']\n    alerts: [{ type: slack }]\n`;
    writeFileSync(join(folder, 'a.yaml'), endpoint('a'));
    writeFileSync(join(folder, 'b.yml'), `alerting: { slack: { webhook-url: '\${URL}' } }\n`);
    writeFileSync(join(folder, 'c.yaml'), endpoint('c'));
    writeFileSync(join(folder, 'readme.txt'), '{');
    const whole = await convert('gatus', folder);
    expect(whole.monitors).toMatchObject([
      { key: 'a', alerts: { channels: ['alerts-by-slack'] } },
      { key: 'c', alerts: { channels: ['alerts-by-slack'] } },
    ]);
    const named = ['a.yaml', 'b.yml', 'c.yaml'].map((file) => join(folder, file));
    expect(await convert('gatus', ...named)).toEqual(whole);
    rmSync(folder, { recursive: true });
  });
});

describe('Uptime Kuma', () => {
  it.each([
    ['form', 'a=1&b=2', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'a=1&b=2'],
    ['xml', '<a/>', { 'Content-Type': 'text/xml; charset=utf-8' }, '<a/>'],
    ['json', '{"a":1}', undefined, { a: 1 }],
    [null, '{"a":1}', undefined, { a: 1 }],
    [
      'json',
      '{"id":1003200000000001759}',
      { 'Content-Type': 'application/json' },
      '{"id":1003200000000001759}',
    ],
  ])(
    'a %s body from Uptime Kuma gets the headers that send the same Content-Type',
    async (httpBodyEncoding, body, headers, expected) => {
      const { monitors } = await kuma({ method: 'POST', httpBodyEncoding, body });
      expect(monitors[0].headers).toEqual(headers);
      expect(monitors[0].body).toEqual(expected);
    },
  );

  it('the import from Uptime Kuma writes no notes for a monitor with default fields', async () => {
    const { monitors, told } = await convert('uptime-kuma', 'uptime-kuma-defaults.json');
    expect(told).toEqual([]);
    expect(monitors).toEqual([
      {
        key: 'shop',
        name: 'Shop',
        url: 'https://shop.example.com',
        method: 'GET',
        interval: 60,
        timeoutMs: 48_000,
        failuresBeforeDown: 1,
        tls: { warnDays: [] },
      },
    ]);
  });

  it.each(['http', 'push'])(
    'the import from Uptime Kuma turns the description of a monitor of type %s into its note',
    async (type) => {
      const { monitors, told } = await kuma({ type, description: 'Ask Ada.\n' });
      expect(monitors[0]).toMatchObject({ note: 'Ask Ada.' });
      expect(told).not.toContainEqual(expect.stringMatching(/description/));
    },
  );

  it('the import from Uptime Kuma prefers a Content-Type header to the encoding of the body', async () => {
    const headers = '{"content-type":"text/csv"}';
    const { monitors } = await kuma({
      method: 'PUT',
      httpBodyEncoding: 'form',
      body: 'a',
      headers,
    });
    expect(monitors[0].headers).toEqual({ 'content-type': 'text/csv' });
  });

  it.each([
    ['proxyId', { proxyId: 3 }, /goes through the proxy 3, which the backup does not have/],
    ['GET with a body', { method: 'GET', body: '{"a":1}' }, /has a body with GET/],
    [
      'a user in the URL',
      { url: 'https://ada:hunter2@shop.example.com/' },
      /has a user in its URL/,
    ],
    [
      'a comparison without a number',
      { type: 'json-query', jsonPath: 'a', jsonPathOperator: '>', expectedValue: 'many' },
      /compares a with many, which is not a number/,
    ],
    ['another retry interval', { maxretries: 2, interval: 60, retryInterval: 5 }, /after 5 s/],
    ['a custom certificate', { tlsCert: 'PEM hunter2' }, /has tlsCert without mTLS/],
  ])('the import from Uptime Kuma notes %s', async (_what, fields, note) => {
    const { monitors, told } = await kuma(fields);
    expect(monitors).toHaveLength(1);
    expect(told).toContainEqual(expect.stringMatching(note));
    expect(JSON.stringify([monitors, told])).not.toContain('hunter2');
  });

  it.each([
    ['a port of another protocol', { url: 'http://shop.example.com:6667/' }, /port 6667/],
    ['no host', { url: 'https://' }, /url is not a valid URL|url must name a host/],
  ])(
    'a monitor of Uptime Kuma with %s is left out, with its name and the reason',
    async (_what, fields, reason) => {
      const { monitors, told } = await kuma({}, { name: 'Odd', ...fields });
      expect(monitors).toHaveLength(1);
      expect(told).toContainEqual(expect.stringMatching(/^Odd: is left out: /));
      expect(told.join('\n')).toMatch(reason);
    },
  );

  it('the import from Uptime Kuma keeps {{ … }} as literal text', async () => {
    const { monitors } = await kuma({
      method: 'POST',
      type: 'keyword',
      keyword: '{{ done }}',
      url: 'https://shop.example.com/?q={{x}}',
      headers: '{"X-Template":"{{ name }}"}',
      body: '{"text":"Hello {{ name }}"}',
    });
    expect(monitors[0]).toMatchObject({
      url: 'https://shop.example.com/?q=%7B%7Bx%7D%7D',
      headers: { 'X-Template': "{{' name '}}" },
      body: { text: "Hello {{' name '}}" },
      assertions: [{ value: "{{' done '}}" }],
    });
  });

  it.each([
    ['$.status-page.ok', "$['status-page'].ok"],
    ['`status-page`.ok', "$['status-page'].ok"],
    ['a.b[0]', '$.a.b[0]'],
    ['$', '$'],
  ])('the import from Uptime Kuma converts the path %s to %s', async (jsonPath, path) => {
    const { monitors } = await kuma({ type: 'json-query', jsonPath, expectedValue: '1' });
    expect(monitors[0].assertions).toEqual([
      { type: 'jsonPath', path, operator: 'equals', value: '1' },
    ]);
  });

  it.each(['http://192.168.1.7:8080/', 'http://localhost/', 'https://[fd00::1]/'])(
    'the import from Uptime Kuma notes that the operator has to allow %s',
    async (url) => {
      const { monitors, told } = await kuma({ url });
      expect(monitors).toHaveLength(1);
      expect(told).toEqual([expect.stringContaining('KEEPWATCH_ALLOWED_PRIVATE_TARGETS')]);
    },
  );

  it('the import from Uptime Kuma imports an upside-down monitor as paused', async () => {
    const { monitors, told } = await kuma({ upsideDown: true });
    expect(monitors[0].enabled).toBe(false);
    expect(told).toContainEqual(expect.stringContaining('is upside down'));
  });

  it('the import from Uptime Kuma expands ranges of status codes', async () => {
    const { monitors } = await kuma({ accepted_statuscodes: ['200-202', '400-499', '600'] });
    expect(monitors[0].assertions).toEqual([
      { type: 'status', operator: 'in', value: [200, 201, 202, '4xx', 600] },
    ]);
  });

  it('the import from Uptime Kuma uses the id as the key if a name has no Latin letters', async () => {
    const names = [
      { id: 7, name: '首页' },
      { id: 3, name: 'Сайт 2' },
      { id: 9, name: 'Büro' },
    ];
    const keysOf = async (list: readonly object[]) =>
      (await kuma(...list)).monitors.map(({ key }: { key: string }) => key);
    expect(await keysOf(names)).toEqual(['monitor-7', 'monitor-3', 'buro']);
    expect(await keysOf(names.toReversed())).toEqual(['buro', 'monitor-3', 'monitor-7']);
  });
});

it('a Checkly check with shouldFail becomes a check that expects a failure', async () => {
  const check = {
    name: 'Shop',
    checkType: 'API',
    shouldFail: true,
    request: { url: 'https://a.example' },
  };
  const { monitors } = await convertText('checkly', [check]);
  expect(monitors[0].assertions).toEqual([
    { type: 'status', operator: 'greaterThanOrEqual', value: 400 },
  ]);
});

it('Gatus names without Latin letters become keys that do not depend on the order of endpoints', async () => {
  const list = ['首页', '订单'].map((name) => ({
    name,
    url: 'https://shop.example.com/',
    conditions: ['[STATUS] == 200'],
  }));
  const keysOf = async (endpoints: readonly object[]) =>
    (await convertText('gatus', { endpoints })).monitors.map(({ key }: { key: string }) => key);
  const keys = await keysOf(list);
  expect(keys).toEqual([
    expect.stringMatching(/^monitor-[0-9a-f]{8}$/),
    expect.stringMatching(/^monitor-[0-9a-f]{8}$/),
  ]);
  expect(await keysOf(list.toReversed())).toEqual(keys.toReversed());
});

it('an import drops the fields of a monitor that apply would refuse, and keeps the rest', async () => {
  const { monitors, told } = await kuma({
    name: `Line\nbreak`,
    tags: [{ name: 'fine' }, { name: 'x'.repeat(101) }],
    headers: '{"Host":"a","Content-Length":"1","X-Fine":"1"}',
    type: 'json-query',
    jsonPath: '$.a..[*',
    expectedValue: '1',
  });
  expect(monitors[0]).toMatchObject({ name: 'Line break', tags: ['fine'] });
  expect(monitors[0].headers).not.toHaveProperty('Content-Length');
  expect(monitors[0]).not.toHaveProperty('assertions');
  expect(told.join('\n')).toMatch(/header Content-Length is left out/);
  expect(told.join('\n')).toMatch(/assertion .* is left out/);
});

it('an import limits the channels of a monitor to the maximum', async () => {
  const ids = Array.from({ length: 25 }, (_, index) => index + 1);
  const { monitors, told } = await convertText('uptime-kuma', {
    notificationList: ids.map((id) => ({
      id,
      name: `Ops ${id}`,
      config: { type: 'smtp', smtpTo: 'ops@example.com' },
    })),
    monitorList: [
      {
        id: 1,
        name: 'All',
        type: 'http',
        url: 'https://a.example',
        notificationIDList: Object.fromEntries(ids.map((id) => [id, true])),
      },
    ],
  });
  expect(monitors[0].alerts.channels.length).toBeLessThan(25);
  expect(told).toContainEqual(expect.stringContaining('ops-25 is left out'));
});

it('an import drops a channel that apply would refuse, and every reference to that channel', async () => {
  const { alertChannels, monitors, told } = await convertText('uptime-kuma', {
    notificationList: [
      { id: 1, name: 'Odd', config: { type: 'smtp', smtpTo: 'nobody' } },
      { id: 2, name: 'Fine', config: { type: 'smtp', smtpTo: 'ops@example.com' } },
    ],
    monitorList: [
      {
        id: 1,
        name: 'Both',
        type: 'http',
        url: 'https://a.example',
        notificationIDList: { 1: true, 2: true },
      },
      {
        id: 2,
        name: 'One',
        type: 'http',
        url: 'https://a.example',
        notificationIDList: { 1: true },
      },
    ],
  });
  expect(alertChannels).toMatchObject([{ key: 'fine' }]);
  expect(monitors[0].alerts).toEqual({ channels: ['fine'] });
  expect(monitors[1]).not.toHaveProperty('alerts');
  expect(told.join('\n')).toMatch(/Odd: is left out: emails/);
  expect(told.join('\n')).toMatch(/One: .*default channels get its alerts/);
});

it('an import adds a suffix to the key of a channel that is named like a type', async () => {
  const { alertChannels } = await convertText('uptime-kuma', {
    notificationList: [
      { id: 1, name: 'Slack', config: { type: 'smtp', smtpTo: 'ops@example.com' } },
      { id: 2, name: 'Slack', config: { type: 'smtp', smtpTo: 'dev@example.com' } },
    ],
    monitorList: [{ id: 1, name: 'Shop', type: 'http', url: 'https://a.example' }],
  });
  expect(alertChannels).toMatchObject([{ key: 'slack-alerts' }, { key: 'slack-alerts-2' }]);
});
