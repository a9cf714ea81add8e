/**
 * Tests headers that contain a secret in clear text. Only people who may change them can read them, and a masked value
 * never replaces a stored one.
 *
 * Covers:
 * - services/resources/restore-headers
 */
import request from 'supertest';
import { HEADER_MASK } from '../../../src/domain/secrets/sensitive-headers';
import { personOf } from '../people';
import { suiteService, type TestAccount } from '../test-service';

const service = suiteService();

const SECRET = 'in-clear-4711';

const HEADERS = {
  Authorization: `Bearer ${SECRET}`,
  'X-Api-Key': SECRET,
  'Proxy-Authorization': 'Bearer {{secret:TOKEN}}',
  'X-Auth-Token': '{{token}}',
  Accept: 'text/html',
};
const MASKED_HEADERS = { ...HEADERS, Authorization: HEADER_MASK, 'X-Api-Key': HEADER_MASK };

const MONITOR = {
  name: 'm',
  key: 'shop',
  url: 'https://shop.example.com/',
  variables: { token: 'plain' },
  headers: HEADERS,
};
const SCENARIO = {
  name: 's',
  key: 'buy',
  variables: { token: 'plain' },
  steps: [
    { name: 'one', url: 'https://shop.example.com/1', headers: { Cookie: `id=${SECRET}` } },
    { name: 'two', url: 'https://shop.example.com/2', headers: HEADERS },
  ],
};
const MASKED_STEPS = [
  { ...SCENARIO.steps[0], headers: { Cookie: HEADER_MASK } },
  { ...SCENARIO.steps[1], headers: MASKED_HEADERS },
];

interface Scene {
  readonly account: TestAccount;
  readonly paths: { readonly monitor: string; readonly scenario: string };
}

const as = (name: 'Authorization' | 'Cookie', value: string) =>
  request.agent(service.app).set({ [name]: value, 'Sec-Fetch-Site': 'same-origin' });
const asKey = (key: string) => as('Authorization', `Bearer ${key}`);
const asMember = async ({ id }: TestAccount, role: 'viewer' | 'editor') =>
  as('Cookie', (await personOf(service, id, role)).cookie);

async function setUp(): Promise<Scene> {
  const account = await service.newAccount();
  const monitor = await asKey(account.key).post('/v1/monitors').send(MONITOR).expect(201);
  const scenario = await asKey(account.key).post('/v1/scenarios').send(SCENARIO).expect(201);
  expect(monitor.body).toMatchObject(MONITOR);
  expect(scenario.body).toMatchObject(SCENARIO);
  const { location: ofMonitor = '' } = monitor.headers;
  const { location: ofScenario = '' } = scenario.headers;
  return { account, paths: { monitor: ofMonitor, scenario: ofScenario } };
}

async function readAll(reader: request.Agent, { monitor, scenario }: Scene['paths']) {
  const read = async (path: string) => (await reader.get(path).expect(200)).body;
  const exported = await read('/v1/export');
  return {
    monitors: [await read(monitor), (await read('/v1/monitors')).data[0], exported.monitors[0]],
    scenarios: [await read(scenario), (await read('/v1/scenarios')).data[0], exported.scenarios[0]],
  };
}

it('sensitive headers are unmasked only for people who may change them', async () => {
  const { account, paths } = await setUp();
  const readers = [
    await asMember(account, 'viewer'),
    asKey(await account.newKey({ scopes: ['read'] })),
    asKey(await account.newKey({ scopes: ['run'] })),
  ];
  for (const reader of readers) {
    const seen = await readAll(reader, paths);
    expect(JSON.stringify(seen)).not.toContain(SECRET);
    for (const monitor of seen.monitors) expect(monitor).toMatchObject({ headers: MASKED_HEADERS });
    for (const scenario of seen.scenarios) expect(scenario).toMatchObject({ steps: MASKED_STEPS });
  }
  const writers = [
    await asMember(account, 'editor'),
    asKey(await account.newKey({ scopes: ['write'] })),
  ];
  for (const writer of writers) {
    const seen = await readAll(writer, paths);
    for (const monitor of seen.monitors) expect(monitor).toMatchObject({ headers: HEADERS });
    for (const scenario of seen.scenarios)
      expect(scenario).toMatchObject({ steps: SCENARIO.steps });
  }
});

it('a masked response and an unmasked response have different ETags', async () => {
  const { account, paths } = await setUp();
  const reader = asKey(await account.newKey({ scopes: ['read'] }));
  for (const path of Object.values(paths)) {
    const masked = await reader.get(path).expect(200);
    const plain = await asKey(account.key).get(path).expect(200);
    expect(masked.headers['etag']).not.toBe(plain.headers['etag']);
  }
});

it('the audit trail never shows a sensitive header', async () => {
  const { account, paths } = await setUp();
  const admin = asKey(account.key);
  await admin
    .patch(paths.monitor)
    .send({ headers: { 'X-Key': `new-${SECRET}` } })
    .expect(200);
  const set = { monitors: [{ ...MONITOR, headers: { 'X-Key': `applied-${SECRET}` } }] };
  await admin.post('/v1/apply').send(set).expect(200);
  await admin.delete(paths.scenario).expect(204);
  const { body } = await admin.get('/v1/audit-events').expect(200);
  expect(body.data.length).toBe(5);
  expect(JSON.stringify(body)).not.toContain(SECRET);
});

it('a masked value that is sent back keeps the stored value', async () => {
  const { account, paths } = await setUp();
  const admin = asKey(account.key);
  const viewer = await asMember(account, 'viewer');
  const before = await readAll(admin, paths);
  for (const path of Object.values(paths)) {
    const { body: masked } = await viewer.get(path).expect(200);
    await admin.put(path).send(masked).expect(200);
    await admin.patch(path).send(masked).expect(200);
  }
  const { body: exported } = await viewer.get('/v1/export').expect(200);
  const { body: applied } = await admin.post('/v1/apply').send(exported).expect(200);
  expect(applied.summary).toMatchObject({ unchanged: 2, update: 0, failed: 0 });
  expect(await readAll(admin, paths)).toEqual(before);
});

it('masked header values are matched with stored values by step name and header name', async () => {
  const { account, paths } = await setUp();
  const admin = asKey(account.key);
  const headers = { accept: '*/*', authorization: HEADER_MASK };
  const changed = { ...MONITOR, name: 'renamed', headers };
  const { body: monitor } = await admin.put(paths.monitor).send(changed).expect(200);
  expect(monitor.headers).toEqual({ accept: '*/*', authorization: HEADERS.Authorization });
  const steps = MASKED_STEPS.toReversed().map((step) => ({ ...step, method: 'POST' }));
  const { body: scenario } = await admin.patch(paths.scenario).send({ steps }).expect(200);
  expect(scenario.steps).toMatchObject(SCENARIO.steps.toReversed());
});

it('a masked value without a stored value is refused with its path', async () => {
  const { account, paths } = await setUp();
  const admin = asKey(account.key);
  const monitor = { ...MONITOR, key: null, headers: MASKED_HEADERS };
  const [, two] = MASKED_STEPS;
  const steps = [{ ...two, name: 'renamed' }];
  const ofMonitor = ['headers.Authorization', 'headers.X-Api-Key'];
  const ofStep = ofMonitor.map((path) => `steps[0].${path}`);
  const refused = [
    [admin.post('/v1/monitors').send(monitor), ofMonitor],
    [admin.post('/v1/monitors/test').send({ ...monitor, region: 'eu-west' }), ofMonitor],
    [admin.patch(paths.monitor).send({ headers: { Cookie: HEADER_MASK } }), ['headers.Cookie']],
    [admin.patch(paths.monitor).send({ headers: { Accept: HEADER_MASK } }), ['headers.Accept']],
    [admin.post('/v1/scenarios').send({ ...SCENARIO, key: null, steps }), ofStep],
    [admin.patch(paths.scenario).send({ steps }), ofStep],
  ] as const;
  for (const [sent, expected] of refused) {
    const { body } = await sent.expect(400);
    expect(body).toMatchObject({ code: 'validation_failed' });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(expected);
  }
  const set = { monitors: [{ ...monitor, key: 'elsewhere' }] };
  const { body: applied } = await admin.post('/v1/apply').send(set).expect(200);
  const [{ outcome, problem }] = applied.objects;
  expect([outcome, problem.code]).toEqual(['failed', 'validation_failed']);
  expect(JSON.stringify(await readAll(admin, paths))).not.toContain(HEADER_MASK);
});
