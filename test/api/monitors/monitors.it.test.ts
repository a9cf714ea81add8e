/**
 * Tests the routes of monitors, on the real application and database.
 *
 * Covers:
 * - services/monitors/check-monitor-now
 * - services/monitors/compose-monitor
 * - services/monitors/kind
 * - services/monitors/present-monitor
 * - services/resources/compose-fields
 * - services/resources/resource-verbs
 */
import request from 'supertest';
import { manyTimes } from '../../support/many-times';
import { accountOfSuite, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);

const MINIMAL = { name: 'Shop', url: 'https://www.shop.example.co.uk/health?full=1' };

function as(key: string) {
  const agent = request.agent(service.app);
  return agent.set('Authorization', `Bearer ${key}`);
}

async function created(body: object = MINIMAL) {
  const answer = await as(account.key).post('/v1/monitors').send(body);
  expect(answer.status).toBe(201);
  return answer;
}

describe('creating a monitor', () => {
  it('creating a monitor responds with 201 and every default, and starts the workflow', async () => {
    const { body, headers } = await created();
    expect(headers['location']).toBe(`/v1/monitors/${body.id}`);
    expect(headers['etag']).toMatch(/^"1\./);
    expect(body).toMatchObject({
      ...MINIMAL,
      method: 'GET',
      interval: 60,
      regions: ['eu-west', 'us-east'],
      headers: {},
      body: null,
      assertions: [],
      group: null,
      groupKey: 'example.co.uk',
      variables: {},
      timeoutMs: 10_000,
      retries: 1,
      followRedirects: true,
      degradedAboveMs: null,
      quorum: 1,
      failuresBeforeDown: 1,
      successesBeforeUp: 1,
      tags: [],
      key: null,
      enabled: true,
      version: 1,
      state: 'active',
      health: 'pending',
      status: 'pending',
      currentIncidentId: null,
      links: { temporal: { workflowId: `monitor-${body.id}` } },
    });
    expect(service.gateway.callsOf(body.id)).toEqual(['configureMonitor']);
    expect(service.gateway.lastConfigOf(body.id)).toMatchObject({
      version: 1,
      revision: 1,
      intervalMs: 60_000,
      budgetMs: 20_000,
      paused: false,
      anchorMs: Date.parse(body.createdAt),
    });
  });

  it('creating a monitor stores the shorthand fields of the dashboard as assertions', async () => {
    const { body } = await created({ ...MINIMAL, expectedStatus: '2xx', expectedText: 'ok' });
    expect(body.assertions).toEqual([
      { type: 'status', operator: 'equals', value: '2xx', severity: 'fail' },
      { type: 'body', operator: 'contains', value: 'ok', severity: 'fail' },
    ]);
    expect(body).not.toHaveProperty('expectedStatus');
  });

  it('a monitor that is created with `enabled: false` is paused', async () => {
    const { body } = await created({ ...MINIMAL, enabled: false });
    expect(body).toMatchObject({ state: 'paused', status: 'paused', nextCheckAt: null });
    expect(service.gateway.lastConfigOf(body.id)).toMatchObject({ paused: true });
  });

  it('creating a monitor reports every problem of the body at once, each with its path', async () => {
    const answer = await as(account.key)
      .post('/v1/monitors')
      .send({
        url: 'ftp://x',
        interval: 5,
        assertions: [{ type: 'status', operator: 'near', value: 200 }],
        colour: 'red',
      });
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body.code).toBe('validation_failed');
    expect(answer.body.requestId).toBe(answer.headers['x-request-id']);
    const paths = answer.body.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['name', 'url', 'interval', 'assertions[0].operator', 'colour']),
    );
  });

  it('creating a monitor reports an unknown region, a refused target and an unknown variable by separate error codes', async () => {
    const region = await as(account.key)
      .post('/v1/monitors')
      .send({ ...MINIMAL, regions: ['eu-west', 'mars'] });
    expect(region.body).toMatchObject({ status: 400, code: 'unknown_region' });
    expect(region.body.errors[0].path).toBe('regions[1]');
    const target = await as(account.key)
      .post('/v1/monitors')
      .send({ name: 'x', url: 'http://{{host}}/', variables: { host: '169.254.169.254' } });
    expect(target.body).toMatchObject({ status: 400, code: 'blocked_target' });
    const variable = await as(account.key)
      .post('/v1/monitors')
      .send({ name: 'x', url: 'http://example.com/{{id}}' });
    expect(variable.body).toMatchObject({ status: 400, code: 'unknown_variable' });
  });

  it('creating a monitor responds with validation_failed if different kinds of problems occur', async () => {
    const answer = await as(account.key)
      .post('/v1/monitors')
      .send({ ...MINIMAL, regions: ['mars'], url: 'http://169.254.169.254/' });
    expect(answer.body.code).toBe('validation_failed');
    expect(answer.body.errors.map(({ code }: { code: string }) => code).sort()).toEqual([
      'blocked_target',
      'unknown_region',
    ]);
  });

  it('creating a monitor refuses a key that another monitor of the account has', async () => {
    await created({ ...MINIMAL, key: 'taken' });
    const before = await as(account.key).get('/v1/monitors?limit=500');
    const answer = await as(account.key)
      .post('/v1/monitors')
      .send({ ...MINIMAL, key: 'taken' });
    expect(answer.body).toMatchObject({ status: 409, code: 'key_taken' });
    const after = await as(account.key).get('/v1/monitors?limit=500');
    expect(after.body.data).toHaveLength(before.body.data.length);
    const { statuses, revisions } = service.database.database.models;
    const ids = new Set(after.body.data.map(({ id }: { id: string }) => id));
    const known = await statuses.find({ accountId: account.id }).lean();
    expect(known.filter(({ _id }) => !ids.has(_id))).toEqual([]);
    const defined = await revisions.find({ accountId: account.id }).lean();
    expect(defined.filter(({ _id }) => !ids.has(_id.split(':')[0] ?? ''))).toEqual([]);
  });
});

describe('while Temporal is away', () => {
  afterEach(() => {
    service.gateway.away = null;
  });

  it.each([
    ['does not respond at all', 'ping'],
    ['fails after it was pinged', 'work'],
  ] as const)(
    'every write of a monitor is refused with 503 and stores nothing if Temporal %s',
    async (_what, away) => {
      const monitor = (await created()).body;
      const before = await as(account.key).get('/v1/monitors?limit=500');
      service.gateway.away = away;
      const one = `/v1/monitors/${monitor.id}`;
      const refused = await Promise.all([
        as(account.key).post('/v1/monitors').send(MINIMAL),
        as(account.key).post(`${one}/run`),
      ]);
      for (const answer of [
        ...refused,
        await as(account.key).put(one).send({ name: 'other', url: 'https://other.example' }),
        await as(account.key).post(`${one}/pause`),
        await as(account.key).delete(one),
      ]) {
        expect(answer.body).toMatchObject({ status: 503, code: 'unavailable' });
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
      const after = await as(account.key).get('/v1/monitors?limit=500');
      expect(after.body.data).toHaveLength(before.body.data.length);
      const stored = after.body.data.find(({ id }: { id: string }) => id === monitor.id);
      const { version: _, ...content } = monitor;
      expect(stored).toMatchObject(content);
    },
  );

  it('once Temporal is back, the next change gets a version and a revision that differ from those of failed changes', async () => {
    const { id } = (await created()).body;
    service.gateway.away = 'work';
    await as(account.key)
      .put(`/v1/monitors/${id}`)
      .send({ ...MINIMAL, name: 'lost' });
    service.gateway.away = null;
    const changed = await as(account.key)
      .put(`/v1/monitors/${id}`)
      .send({ ...MINIMAL, name: 'kept' });
    expect(changed.status).toBe(200);
    const { revision, version } = service.gateway.lastConfigOf(id) ?? {};
    expect(version).toBe(4);
    const { stores } = service.services;
    const stored = await stores.revisions.find(account.id, 'monitor', id, revision ?? 0);
    expect(stored?.steps[0]?.name).toBe('kept');
  });

  it('monitors can be read while Temporal is away', async () => {
    service.gateway.away = 'ping';
    expect((await as(account.key).get('/v1/monitors')).status).toBe(200);
  });
});

describe('replacing a monitor', () => {
  it('replacing a monitor changes nothing if the body is the GET response', async () => {
    const body = {
      ...MINIMAL,
      headers: { 'X-Test': '1', __proto__x: 'y' },
      method: 'post',
      body: { a: [1, { 'b.c': null, $d: '{{v}}' }] },
      variables: { v: 'w' },
      assertions: [{ type: 'header', name: 'etag', operator: 'exists' }],
      tags: ['b', 'a'],
      group: 'shop/eu',
      degradedAboveMs: 500,
    };
    const { id } = (await created(body)).body;
    const calls = service.gateway.callsOf(id).length;
    const read = await as(account.key).get(`/v1/monitors/${id}`);
    const replaced = await as(account.key).put(`/v1/monitors/${id}`).send(read.body);
    expect(replaced.status).toBe(200);
    expect(replaced.body).toEqual(read.body);
    expect(replaced.headers['etag']).toMatch(/^"1\./);
    expect(service.gateway.callsOf(id)).toHaveLength(calls);
  });

  it('replacing a monitor keeps a pause if the body is the GET response', async () => {
    const { id } = (await created()).body;
    await as(account.key)
      .post(`/v1/monitors/${id}/pause`)
      .send({ until: '2100-01-01T00:00:00Z', reason: 'move' });
    const read = await as(account.key).get(`/v1/monitors/${id}`);
    const replaced = await as(account.key).put(`/v1/monitors/${id}`).send(read.body);
    expect(replaced.body).toEqual(read.body);
  });

  it('replacing a monitor resets missing fields to their defaults, and notifies the workflow', async () => {
    const { id } = (await created({ ...MINIMAL, interval: 30, tags: ['x'] })).body;
    service.clock.nowMs += 5000;
    const { body } = await as(account.key)
      .put(`/v1/monitors/${id}`)
      .send({ ...MINIMAL, name: 'Renamed' });
    expect(body).toMatchObject({ name: 'Renamed', interval: 60, tags: [], version: 2 });
    expect(service.gateway.callsOf(id)).toEqual(['configureMonitor', 'configureMonitorNow']);
    expect(service.gateway.lastConfigOf(id)).toMatchObject({
      version: 2,
      revision: 2,
      anchorMs: service.clock.nowMs,
    });
  });

  it('replacing a monitor keeps the revision and the anchor when only the alert rules change', async () => {
    const { body } = await created();
    service.clock.nowMs += 5000;
    await as(account.key)
      .put(`/v1/monitors/${body.id}`)
      .send({ ...MINIMAL, failuresBeforeDown: 3 });
    expect(service.gateway.lastConfigOf(body.id)).toMatchObject({
      version: 2,
      revision: 1,
      anchorMs: Date.parse(body.createdAt),
      failuresBeforeDown: 3,
    });
  });

  it('replacing a monitor changes a pause only if the body contains `enabled`', async () => {
    const { id } = (await created()).body;
    await as(account.key).post(`/v1/monitors/${id}/pause`);
    const silent = await as(account.key).put(`/v1/monitors/${id}`).send(MINIMAL);
    expect(silent.body.state).toBe('paused');
    const explicit = await as(account.key)
      .put(`/v1/monitors/${id}`)
      .send({ ...MINIMAL, enabled: true });
    expect(explicit.body.state).toBe('active');
  });

  it('replacing a monitor refuses an outdated If-Match, and accepts the current If-Match and `*`', async () => {
    const { id } = (await created()).body;
    const put = (ifMatch: string, name: string) =>
      as(account.key)
        .put(`/v1/monitors/${id}`)
        .set('If-Match', ifMatch)
        .send({ ...MINIMAL, name });
    expect((await put('"1"', 'a')).status).toBe(200);
    expect((await put('"1"', 'b')).body).toMatchObject({ status: 412, code: 'version_mismatch' });
    expect((await put('W/"2"', 'b')).status).toBe(412);
    expect((await put('*', 'b')).body.version).toBe(3);
    const refused = await as(account.key).delete(`/v1/monitors/${id}`).set('If-Match', '"1"');
    expect(refused.status).toBe(412);
  });

  it('replacing a monitor succeeds for exactly one of many writers with the same version', async () => {
    const { id } = (await created()).body;
    const answers = await manyTimes(20, async (index) =>
      as(account.key)
        .put(`/v1/monitors/${id}`)
        .set('If-Match', '"1"')
        .send({ ...MINIMAL, name: `writer ${index}` }),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
  });
});

describe('patching a monitor', () => {
  const patch = (id: string, body: object) =>
    as(account.key)
      .patch(`/v1/monitors/${id}`)
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify(body));

  it('patching a monitor merges into the stored monitor, and resets null fields to their defaults', async () => {
    const headers = { 'X-A': '1', 'X-B': '2' };
    const { id } = (await created({ ...MINIMAL, headers, interval: 30, tags: ['x'] })).body;
    const changed = await patch(id, { headers: { 'X-A': null, 'X-C': '3' }, interval: null });
    expect(changed.body).toMatchObject({
      ...MINIMAL,
      headers: { 'X-B': '2', 'X-C': '3' },
      interval: 60,
      tags: ['x'],
      version: 2,
    });
    expect((await patch(id, {})).body).toEqual(changed.body);
  });

  it('patching a monitor validates the merged monitor', async () => {
    const { id } = (await created()).body;
    const answer = await patch(id, { interval: 1, colour: 'red', name: null });
    expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'colour',
      'interval',
      'name',
    ]);
    expect((await patch(id, [])).status).toBe(400);
  });

  it('patching a monitor keeps every change of many parallel PATCH requests', async () => {
    const { id } = (await created()).body;
    const names = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(
      names.map((name) => patch(id, { headers: { [`X-${name}`]: name } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await as(account.key).get(`/v1/monitors/${id}`);
    expect(Object.keys(body.headers)).toHaveLength(names.length);
  });

  it('patching a monitor pauses and resumes by `enabled`, and refuses an outdated If-Match', async () => {
    const { id } = (await created()).body;
    expect((await patch(id, { enabled: false })).body.state).toBe('paused');
    expect((await patch(id, { name: 'still' })).body.state).toBe('paused');
    expect((await patch(id, { enabled: true })).body.state).toBe('active');
    const stale = await patch(id, { name: 'x' }).set('If-Match', '"1"');
    expect(stale.body.code).toBe('version_mismatch');
  });
});

describe('reading monitors', () => {
  it('reading monitors responds with 304 to a client that has the current version', async () => {
    const { id } = (await created()).body;
    const { headers } = await as(account.key).get(`/v1/monitors/${id}`);
    const answer = await as(account.key)
      .get(`/v1/monitors/${id}`)
      .set('If-None-Match', `"7", W/${headers['etag']}`);
    expect(answer.status).toBe(304);
    expect(answer.text).toBe('');
  });

  it('a list of monitors has no gaps or repeats while new monitors arrive', async () => {
    const own = await service.newAccount();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      service.clock.nowMs += 1;
      const { body } = await as(own.key).post('/v1/monitors').send(MINIMAL);
      ids.unshift(body.id);
    }
    const first = await as(own.key).get('/v1/monitors?limit=2');
    service.clock.nowMs += 1;
    await as(own.key).post('/v1/monitors').send(MINIMAL);
    expect(first.headers['link']).toBe(
      `</v1/monitors?limit=2&cursor=${first.body.nextCursor}>; rel="next"`,
    );
    const seen = first.body.data.map(({ id }: { id: string }) => id);
    let next: string | null = first.body.nextCursor;
    while (next !== null) {
      const page = await as(own.key).get(`/v1/monitors?limit=2&cursor=${next}`);
      seen.push(...page.body.data.map(({ id }: { id: string }) => id));
      next = page.body.nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  it('reading monitors refuses made-up cursors, and cursors of other accounts or lists', async () => {
    const other = await service.newAccount();
    for (const account of [other]) {
      await as(account.key).post('/v1/monitors').send(MINIMAL);
      await as(account.key).post('/v1/monitors').send(MINIMAL);
    }
    const { body } = await as(other.key).get('/v1/monitors?limit=1');
    for (const [key, url] of [
      [account.key, `/v1/monitors?cursor=${body.nextCursor}`],
      [other.key, `/v1/scenarios?cursor=${body.nextCursor}`],
      [other.key, '/v1/monitors?cursor=nonsense'],
      [other.key, `/v1/monitors?cursor=${Buffer.from('[]').toString('base64url')}`],
    ] as const) {
      expect((await as(key).get(url)).body).toMatchObject({ status: 400, code: 'invalid_cursor' });
    }
  });

  it('reading monitors refuses unknown and malformed query parameters', async () => {
    for (const query of ['limit=0', 'limit=501', 'limit=1&limit=2', 'colour=red', 'limit[a]=1']) {
      const answer = await as(account.key).get(`/v1/monitors?${query}`);
      expect(answer.body).toMatchObject({ status: 400, code: 'invalid_query' });
    }
  });
});

describe('pausing and resuming a monitor', () => {
  it('pausing a monitor takes effect, is idempotent, and ends at the given time', async () => {
    const { id } = (await created()).body;
    const until = new Date(service.clock.nowMs + 60_000).toISOString();
    const paused = await as(account.key).post(`/v1/monitors/${id}/pause`).send({ until });
    expect(paused.body).toMatchObject({ state: 'paused', enabled: false, pausedUntil: until });
    expect(service.gateway.lastConfigOf(id)).toMatchObject({ paused: true });
    const again = await as(account.key).post(`/v1/monitors/${id}/pause`);
    expect(again.body).toEqual(paused.body);
    service.clock.nowMs += 61_000;
    const read = await as(account.key).get(`/v1/monitors/${id}`);
    expect(read.body).toMatchObject({ state: 'active', enabled: true, pausedUntil: null });
  });

  it('pausing a monitor refuses an end in the past, and an end of null makes the pause indefinite', async () => {
    const { id } = (await created()).body;
    const pause = (body: object) => as(account.key).post(`/v1/monitors/${id}/pause`).send(body);
    const past = new Date(service.clock.nowMs).toISOString();
    const refused = await pause({ until: past });
    expect(refused.body).toMatchObject({ status: 400, errors: [{ path: 'until' }] });
    const bulk = { ids: [id], action: 'pause', until: past };
    const many = await as(account.key).post('/v1/monitors/bulk').send(bulk);
    expect(many.body).toMatchObject({ status: 400, errors: [{ path: 'until' }] });
    const until = new Date(service.clock.nowMs + 60_000).toISOString();
    expect((await pause({ until })).body).toMatchObject({ pausedUntil: until });
    expect((await pause({ reason: 'kept' })).body).toMatchObject({ pausedUntil: until });
    expect((await pause({ until: null })).body).toMatchObject({ pausedUntil: null, version: 4 });
    expect(service.gateway.lastConfigOf(id)).toMatchObject({ paused: true, pausedUntilMs: null });
  });

  it('resuming a monitor that is not paused succeeds', async () => {
    const { id } = (await created()).body;
    const untouched = await as(account.key).post(`/v1/monitors/${id}/resume`);
    expect(untouched.body).toMatchObject({ state: 'active', version: 1 });
    await as(account.key).post(`/v1/monitors/${id}/pause`);
    const resumed = await as(account.key).post(`/v1/monitors/${id}/resume`).send({});
    expect(resumed.body).toMatchObject({ state: 'active', version: 3 });
    expect(service.gateway.lastConfigOf(id)).toMatchObject({ paused: false, version: 3 });
  });

  it('a check on request is refused for a paused monitor, and starts at once for an active monitor', async () => {
    const { id } = (await created()).body;
    const run = await as(account.key).post(`/v1/monitors/${id}/run`);
    expect(run.status).toBe(202);
    expect(run.headers['location']).toBe(`/v1/monitors/${id}/results?requestId=${run.body.id}`);
    expect(service.gateway.callsOf(id)).toContain('checkMonitorNow');
    await as(account.key).post(`/v1/monitors/${id}/pause`);
    expect((await as(account.key).post(`/v1/monitors/${id}/run`)).status).toBe(400);
  });
});

it('deleting a monitor also deletes its status and revisions, and ends its workflow', async () => {
  const { id } = (await created()).body;
  const answer = await as(account.key).delete(`/v1/monitors/${id}`);
  expect(answer.status).toBe(204);
  expect(answer.text).toBe('');
  expect(service.gateway.callsOf(id)).toContain('removeMonitor');
  for (const gone of [
    await as(account.key).get(`/v1/monitors/${id}`),
    await as(account.key).delete(`/v1/monitors/${id}`),
    await as(account.key).get(`/v1/monitors/${id}/results`),
  ]) {
    expect(gone.body).toMatchObject({ status: 404, code: 'not_found' });
  }
  const { stores } = service.services;
  expect(await stores.statuses.findMany(account.id, [id])).toEqual([]);
});
