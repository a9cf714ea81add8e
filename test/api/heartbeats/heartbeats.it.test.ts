/**
 * Tests heartbeats over HTTP: which definitions are refused, what responses show, and the pings of jobs.
 *
 * Covers:
 * - services/heartbeats/ping-address
 * - services/heartbeats/take-ping
 */
import request from 'supertest';
import { waitUntil } from '../../support/wait-until';
import { accountOfSuite, PUBLIC_URL, suiteService } from '../test-service';

const NIGHTLY = { type: 'heartbeat', name: 'Nightly backup', schedule: { everySeconds: 3_600 } };

const service = suiteService({ sleep: async () => undefined });
const account = accountOfSuite(service);

const as = (key: string) => ({ authorization: `Bearer ${key}` });

async function create(body: object = {}) {
  const created = await request(service.app)
    .post('/v1/monitors')
    .set(as(account.key))
    .send({ ...NIGHTLY, ...body });
  expect(created.status).toBe(201);
  return created.body;
}

function pathOf({ pingUrl }: { readonly pingUrl: string }): string {
  return new URL(pingUrl).pathname;
}

async function waitingOf({ id }: { readonly id: string }) {
  return service.services.stores.pings.listWaiting(account.id, id, 100);
}

async function problemsOf(body: object): Promise<Record<string, string>> {
  const refused = await request(service.app)
    .post('/v1/monitors')
    .set(as(account.key))
    .send({ ...NIGHTLY, ...body });
  expect(refused.status).toBe(400);
  const errors: { path: string; code: string }[] = refused.body.errors;
  return Object.fromEntries(errors.map(({ path, code }) => [path, code]));
}

describe('the definition of a heartbeat', () => {
  test('a heartbeat is returned with its defaults and ping URL, without fields of HTTP checks', async () => {
    const created = await create();
    expect(created).toMatchObject({
      type: 'heartbeat',
      schedule: { everySeconds: 3_600 },
      graceSeconds: 300,
      earlySeconds: 60,
      maxRunSeconds: null,
      minRunSeconds: null,
      failOn: [],
      health: 'pending',
      lastPingAt: null,
      nextDueAt: null,
      nextCheckAt: null,
      running: [],
    });
    expect(created.pingUrl).toMatch(new RegExp(`^${PUBLIC_URL}/ping/[A-Za-z0-9_-]{24}$`));
    expect(created).not.toHaveProperty('url');
    expect(created).not.toHaveProperty('regions');
  });

  test('a monitor without a type is created and returned as http', async () => {
    const created = await request(service.app)
      .post('/v1/monitors')
      .set(as(account.key))
      .send({ name: 'Shop', url: 'https://shop.example/' });
    expect(created.body).toMatchObject({ type: 'http', url: 'https://shop.example/' });
    expect(created.body).not.toHaveProperty('pingUrl');
  });

  test.each([
    [
      { url: 'https://a.example', regions: ['eu-west'], assertions: [], interval: 60 },
      ['url', 'regions', 'assertions', 'interval'],
    ],
    [{ schedule: undefined }, ['schedule']],
    [{ schedule: { everySeconds: 29 } }, ['schedule.everySeconds']],
    [{ schedule: { everySeconds: 31_536_001 } }, ['schedule.everySeconds']],
    [{ schedule: { everySeconds: 60, cron: '0 2 * * *' } }, ['schedule']],
    [{ schedule: { everySeconds: 60, timeZone: 'UTC' } }, ['schedule.timeZone']],
    [{ schedule: {} }, ['schedule']],
    [{ schedule: { cron: '0 2 30 2 *', timeZone: 'UTC' } }, ['schedule.cron']],
    [{ schedule: { cron: '0 0 2 * * *', timeZone: 'UTC' } }, ['schedule.cron']],
    [{ schedule: { cron: '@reboot', timeZone: 'UTC' } }, ['schedule.cron']],
    [
      { schedule: { cron: '61 2 * * *', timeZone: 'Mars/Base' } },
      ['schedule.cron', 'schedule.timeZone'],
    ],
    [{ minRunSeconds: 20, maxRunSeconds: 10 }, ['minRunSeconds']],
    [{ failOn: [{ matches: '(' }] }, ['failOn[0].matches']],
    [{ type: 'http', url: 'https://a.example' }, ['schedule']],
    [{ type: 'http', schedule: undefined }, ['url']],
  ])(
    'a heartbeat body with %j is refused, and every invalid field is named',
    async (body, paths) => {
      expect(Object.keys(await problemsOf(body)).sort()).toEqual([...paths].sort());
    },
  );

  test('the type of a monitor cannot be changed', async () => {
    const { id } = await create();
    const refused = await request(service.app)
      .put(`/v1/monitors/${id}`)
      .set(as(account.key))
      .send({ name: 'Shop', url: 'https://shop.example/' });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([{ path: 'type' }]);
  });

  test('a PUT of the GET response of a heartbeat changes nothing, and a PATCH keeps the ping URL', async () => {
    const created = await create({
      schedule: { cron: '30 2 * * 1-5', timeZone: 'Europe/Berlin' },
      failOn: [{ contains: 'ERROR' }, { matches: 'fatal: .*' }],
      maxRunSeconds: 3_600,
    });
    const sent = await request(service.app)
      .put(`/v1/monitors/${created.id}`)
      .set(as(account.key))
      .send(created);
    expect(sent.body).toEqual(created);
    const patched = await request(service.app)
      .patch(`/v1/monitors/${created.id}`)
      .set(as(account.key))
      .send({ graceSeconds: 900 });
    expect(patched.body).toMatchObject({ graceSeconds: 900, pingUrl: created.pingUrl, version: 2 });
  });

  test('apply creates a heartbeat by key, and its export contains no token', async () => {
    const entry = { ...NIGHTLY, key: 'nightly', graceSeconds: 600 };
    const apply = (monitors: readonly object[]) =>
      request(service.app).post('/v1/apply').set(as(account.key)).send({ monitors });
    const first = await apply([entry]);
    expect(first.status).toBe(200);
    expect((await apply([entry])).body).toMatchObject({ summary: { unchanged: 1 } });
    const exported = await request(service.app).get('/v1/export').set(as(account.key));
    const mine = exported.body.monitors.find(({ key }: { key?: string }) => key === 'nightly');
    expect(mine).toMatchObject({ type: 'heartbeat', graceSeconds: 600 });
    expect(mine).not.toHaveProperty('pingUrl');
    expect((await apply([mine])).body).toMatchObject({ summary: { unchanged: 1 } });
  });

  test('a heartbeat cannot be checked immediately or tested', async () => {
    const { id } = await create();
    const run = await request(service.app).post(`/v1/monitors/${id}/run`).set(as(account.key));
    expect(run.status).toBe(400);
    const tested = await request(service.app)
      .post('/v1/monitors/test')
      .set(as(account.key))
      .send({ ...NIGHTLY, region: 'eu-west' });
    expect(tested.status).toBe(400);
    expect(tested.body.errors).toContainEqual(expect.objectContaining({ path: 'type' }));
  });
});

describe('pings', () => {
  test.each([
    ['get', '', 'success', null],
    ['head', '', 'success', null],
    ['post', '', 'success', null],
    ['post', '/start', 'start', null],
    ['post', '/fail', 'fail', null],
    ['post', '/log', 'log', null],
    ['get', '/0', 'success', 0],
    ['get', '/255', 'fail', 255],
  ] as const)(
    'a %s request to the ping URL%s is stored as %s, and the workflow of the heartbeat is notified',
    async (method, signal, kind, exitCode) => {
      const heartbeat = await create();
      const path = `${pathOf(heartbeat)}${signal}?rid=run-1`;
      const answered = await request(service.app)[method](path);
      expect(answered.status).toBe(200);
      expect(await waitingOf(heartbeat)).toMatchObject([{ kind, exitCode, runId: 'run-1' }]);
      await waitUntil('the workflow is notified', () =>
        service.gateway.callsOf(heartbeat.id).includes('notifyHeartbeat'),
      );
    },
  );

  test('a ping repeated with its Idempotency-Key is stored once', async () => {
    const [one, other] = [await create(), await create()];
    const send = async (heartbeat: typeof one, signal: string, key = 'run-1') => {
      const path = `${pathOf(heartbeat)}${signal}?rid=a`;
      const answered = await request(service.app).post(path).set('Idempotency-Key', key);
      service.clock.nowMs += 1_000;
      return answered.status;
    };
    const firstMs = service.clock.nowMs;
    const statuses = [
      await send(one, '/start'),
      await send(one, '/start'),
      await send(one, '/0'),
      await send(one, '/0'),
      await send(one, '/0', 'run-2'),
      await send(other, '/0'),
    ];
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    const shown = (await waitingOf(one)).map(({ kind, atMs }) => [kind, atMs - firstMs]);
    expect(shown).toEqual([
      ['start', 0],
      ['success', 2_000],
      ['success', 4_000],
    ]);
    expect(await waitingOf(other)).toHaveLength(1);
    const refused = await request(service.app).get(pathOf(one)).set('Idempotency-Key', 'é');
    expect([refused.status, refused.body.errors]).toMatchObject([
      400,
      [{ path: 'Idempotency-Key' }],
    ]);
  });

  test('a ping sent many times in parallel is stored once', async () => {
    const heartbeat = await create();
    const sent = [1, 2, 3, 4].map(() =>
      request(service.app).post(pathOf(heartbeat)).set('Idempotency-Key', 'k').send('done'),
    );
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(await waitingOf(heartbeat)).toHaveLength(1);
  });

  test("the last 10 KiB of a ping's text are stored, without the secrets of the account", async () => {
    const value = 'correct horse battery';
    await request(service.app).put('/v1/secrets/PASSWORD').set(as(account.key)).send({ value });
    const heartbeat = await create({ failOn: [{ contains: 'ERROR' }] });
    const text = `${'x'.repeat(300_000)} ${value} ERROR at the end`;
    const answered = await request(service.app)
      .post(pathOf(heartbeat))
      .type('text/plain')
      .send(text);
    expect(answered.status).toBe(200);
    const [ping] = await waitingOf(heartbeat);
    expect(ping?.text).toHaveLength(10_240);
    expect(ping?.text).toMatch(/x \*\*\* ERROR at the end$/);
    expect(ping?.failedOn).toBe('contains "ERROR"');
  });

  test('while a secret of the account cannot be decrypted, a ping counts, but its text is not stored', async () => {
    const heartbeat = await create({ failOn: [{ contains: 'ERROR' }] });
    const body = { value: 'correct horse battery' };
    await request(service.app).put('/v1/secrets/LOST').set(as(account.key)).send(body);
    const { secrets } = service.database.database.models;
    await secrets.updateOne({ name: 'LOST' }, { $set: { sealed: 'AAAA' } });
    const ping = request(service.app).post(pathOf(heartbeat)).type('text/plain');
    expect((await ping.send('correct horse battery ERROR')).status).toBe(200);
    const failedOn = 'contains "ERROR"';
    expect(await waitingOf(heartbeat)).toMatchObject([{ kind: 'success', text: null, failedOn }]);
    await request(service.app).delete('/v1/secrets/LOST').set(as(account.key));
  });

  test('an unknown token, an unknown signal and a deleted heartbeat get the same 404', async () => {
    const heartbeat = await create();
    const path = pathOf(heartbeat);
    await request(service.app).delete(`/v1/monitors/${heartbeat.id}`).set(as(account.key));
    for (const gone of [path, '/ping/nothing-like-it', '/ping/a%20b', `${path}/stop`]) {
      const answered = await request(service.app).get(gone);
      expect([answered.status, answered.body.code]).toEqual([404, 'not_found']);
    }
  });

  test('a change or deletion of a heartbeat applies from the next ping on', async () => {
    const heartbeat = await create();
    const send = () => request(service.app).post(pathOf(heartbeat)).type('text').send('ERROR');
    const first = await send();
    expect([first.status, first.text]).toEqual([200, 'OK\n']);
    expect(first.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(first.headers['x-request-id']).toMatch(/^req_/);
    await request(service.app)
      .patch(`/v1/monitors/${heartbeat.id}`)
      .set({ ...as(account.key), 'content-type': 'application/merge-patch+json' })
      .send(JSON.stringify({ failOn: [{ contains: 'ERROR' }] }));
    service.clock.nowMs += 1;
    expect((await send()).status).toBe(200);
    const failedOn = (await waitingOf(heartbeat)).map((ping) => ping.failedOn);
    expect(failedOn).toEqual([null, 'contains "ERROR"']);
    await request(service.app).delete(`/v1/monitors/${heartbeat.id}`).set(as(account.key));
    expect((await send()).status).toBe(404);
  });

  test('a ping with an unsupported method gets 405, and an invalid run id gets 400', async () => {
    const path = pathOf(await create());
    const put = await request(service.app).put(path);
    expect([put.status, put.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
    const { status, body } = await request(service.app).get(`${path}?rid=${'r'.repeat(101)}`);
    expect([status, body.code]).toEqual([400, 'invalid_query']);
  });

  test('a token may send five pings per second, and refusals do not affect other tokens', async () => {
    const [one, other] = [await create(), await create()];
    const answers = [];
    for (let count = 0; count < 6; count += 1)
      answers.push(await request(service.app).get(pathOf(one)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.at(-1)?.headers['retry-after']).toBe('1');
    expect((await request(service.app).get(pathOf(other))).status).toBe(200);
    service.clock.nowMs += 1_000;
    expect((await request(service.app).get(pathOf(one))).status).toBe(200);
  });

  test('a ping that arrives while Temporal is away counts', async () => {
    const heartbeat = await create();
    service.gateway.away = 'work';
    const answered = await request(service.app).get(pathOf(heartbeat));
    expect(answered.status).toBe(200);
    expect(await waitingOf(heartbeat)).toHaveLength(1);
    service.gateway.away = null;
  });

  test('the former token of a heartbeat stays valid for a day after a rotation', async () => {
    const heartbeat = await create();
    const rotated = await request(service.app)
      .post(`/v1/monitors/${heartbeat.id}/rotate-token`)
      .set(as(account.key));
    expect(rotated.status).toBe(200);
    expect(rotated.body.pingUrl).not.toBe(heartbeat.pingUrl);
    const statusOf = async (path: string) => (await request(service.app).get(path)).status;
    expect(await statusOf(pathOf(heartbeat))).toBe(200);
    expect(await statusOf(pathOf(rotated.body))).toBe(200);
    service.clock.nowMs += 24 * 3_600_000 + 1_000;
    expect(await statusOf(pathOf(heartbeat))).toBe(404);
    expect(await statusOf(pathOf(rotated.body))).toBe(200);
  });

  test('only heartbeats have a token that can be rotated', async () => {
    const created = await request(service.app)
      .post('/v1/monitors')
      .set(as(account.key))
      .send({ name: 'Shop', url: 'https://shop.example/' });
    const refused = await request(service.app)
      .post(`/v1/monitors/${created.body.id}/rotate-token`)
      .set(as(account.key));
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
  });
});

test('an outage of the ping receivers is recorded once, even if several processes notice it', async () => {
  const { serviceUptime } = service.services.stores;
  const startMs = Date.now();
  await serviceUptime.note(startMs, 3_000);
  await serviceUptime.note(startMs + 2_000, 10_000);
  const backMs = startMs + 60_000;
  await Promise.all([serviceUptime.note(backMs, 10_000), serviceUptime.note(backMs, 10_000)]);
  expect(await serviceUptime.read()).toEqual({
    lastAtMs: backMs,
    absences: [{ fromMs: startMs + 2_000, toMs: backMs }],
  });
  // A clock that is set back does not hide later outages.
  await serviceUptime.note(startMs, Number.POSITIVE_INFINITY);
  await serviceUptime.note(startMs + 30_000, 10_000);
  expect((await serviceUptime.read()).absences.at(-1)).toEqual({
    fromMs: startMs,
    toMs: startMs + 30_000,
  });
});
