/**
 * Tests the routes of scenarios and their runs, on the real application and database.
 *
 * Covers:
 * - services/lists/field-problems
 * - services/resources/proxies
 * - services/scenarios/compose-scenario
 * - services/scenarios/kind
 * - services/scenarios/runs
 * - services/scenarios/present-run
 * - services/scenarios/present-scenario
 * - services/scenarios/run-scenario
 */
import request from 'supertest';
import type { RunRecord } from '../../../src/contracts/records';
import { scenarioExample } from '../../../src/schemas/scenario-example';
import { accountOfSuite, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);

afterEach(() => {
  service.gateway.away = null;
});

const MINIMAL = { name: 'Login', steps: [{ name: 'open', url: 'https://shop.example.com/' }] };

function as(key: string) {
  return request.agent(service.app).set('Authorization', `Bearer ${key}`);
}

async function created(body: object = MINIMAL) {
  const answer = await as(account.key).post('/v1/scenarios').send(body);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function storedRun(runId: string): Promise<RunRecord> {
  const run = await service.services.stores.runs.find(account.id, runId);
  if (run === null) throw new Error('no such run');
  return run;
}

it('the documented example of a scenario is accepted', async () => {
  const example = await as(account.key).get('/v1/scenarios/example');
  expect(example.body).toEqual(scenarioExample);
  const { body } = await as(account.key).post('/v1/scenarios').send(example.body);
  expect(body).toMatchObject({ name: 'Order journey', interval: 300, regions: ['eu-west'] });
  expect(body.steps[0].extract).toEqual({ token: { from: 'jsonPath', path: '$.token' } });
  expect(service.gateway.lastConfigOf(body.id)).toMatchObject({
    regions: ['eu-west'],
    steps: [
      { name: 'log in', method: 'POST', host: 'shop.example.com', budgetMs: 10_000 },
      { name: 'create order' },
      { name: 'read order' },
      { name: 'delete order', always: true },
    ],
  });
});

it('a scenario is unchanged by a PUT of its GET response', async () => {
  const { id } = await created({ ...scenarioExample, name: 'copy' });
  const read = await as(account.key).get(`/v1/scenarios/${id}`);
  const replaced = await as(account.key).put(`/v1/scenarios/${id}`).send(read.body);
  expect(replaced.body).toEqual(read.body);
  expect(service.gateway.callsOf(id)).toEqual(['configureScenario']);
});

it('a scenario lists the secrets that its authentication and its steps use', async () => {
  const auth = { type: 'basic', user: 'ada', password: '{{secret:shared-password}}' };
  const steps = [...MINIMAL.steps, { ...MINIMAL.steps[0], name: 'other', auth: { type: 'none' } }];
  const { id } = await created({ name: 'Signed in', key: 'signed-in', auth, steps });
  const one = `/v1/scenarios/${id}`;
  const read = await as(account.key).get(one);
  expect(read.body).toMatchObject({ auth, steps: [{ auth: null }, { auth: { type: 'none' } }] });
  expect((await as(account.key).put(one).send(read.body)).body).toEqual(read.body);
  const exported = await as(account.key).get('/v1/export');
  expect(exported.body.scenarios.find(({ key }: { key: string }) => key === 'signed-in')).toEqual(
    expect.objectContaining({ auth }),
  );
  const value = 'top-secret';
  const secret = await as(account.key).put('/v1/secrets/shared-password').send({ value });
  expect(secret.body.usedBy).toEqual([id]);
  const bearer = { type: 'bearer', token: '{{secret:token}}' };
  const patched = await as(account.key).patch(one).send({ auth: bearer });
  expect(patched.body.auth).toEqual(bearer);
  const removed = await as(account.key).patch(one).send({ auth: null });
  expect(removed.body.auth).toBeNull();
  expect((await as(account.key).get('/v1/secrets/shared-password')).body.usedBy).toEqual([]);
});

it('a token URL that the target guard blocks is refused with its path', async () => {
  const auth = (tokenUrl: string) => ({
    type: 'oauth2',
    tokenUrl,
    clientId: 'shop',
    clientSecret: '{{secret:client}}',
  });
  const refused = await as(account.key)
    .post('/v1/scenarios')
    .send({
      name: 'Signed in',
      auth: auth('http://169.254.169.254/token'),
      steps: [
        MINIMAL.steps[0],
        { ...MINIMAL.steps[0], name: 'other', auth: auth('http://169.254.169.254/other') },
      ],
    });
  expect(refused.status).toBe(400);
  expect(refused.body.errors.map(({ path, code }: Record<string, string>) => [path, code])).toEqual(
    [
      ['auth.tokenUrl', 'blocked_target'],
      ['steps[1].auth.tokenUrl', 'blocked_target'],
    ],
  );
});

it('a scenario can be replaced, paused, resumed, listed and deleted', async () => {
  service.clock.nowMs += 1;
  const { id } = await created();
  const one = `/v1/scenarios/${id}`;
  const steps = [...MINIMAL.steps, { name: 'again', url: 'https://shop.example.com/2' }];
  const replaced = await as(account.key).put(one).send({ name: 'Two', steps });
  expect(replaced.body).toMatchObject({ name: 'Two', version: 2 });
  expect(service.gateway.lastConfigOf(id)).toMatchObject({ version: 2, revision: 2 });
  expect((await as(account.key).post(`${one}/pause`)).body.state).toBe('paused');
  expect((await as(account.key).post(`${one}/resume`)).body.state).toBe('active');
  const list = await as(account.key).get('/v1/scenarios?limit=1');
  expect(list.body.data[0].id).toBe(id);
  expect((await as(account.key).delete(one)).status).toBe(204);
  expect((await as(account.key).get(one)).status).toBe(404);
});

it('problems of steps are reported with their paths', async () => {
  const { body } = await as(account.key)
    .post('/v1/scenarios')
    .send({
      name: 'x',
      steps: [
        { name: 'a', url: 'ftp://example.com/' },
        { name: 'a', url: 'http://169.254.169.254/' },
      ],
    });
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(['steps[0].url', 'steps[1].name']),
  );
  const blocked = await as(account.key)
    .post('/v1/scenarios')
    .send({ name: 'x', steps: [{ name: 'a', url: 'http://169.254.169.254/' }] });
  expect(blocked.body.code).toBe('blocked_target');
  expect(blocked.body.errors[0].path).toBe('steps[0].url');
});

describe('a run by hand', () => {
  it('a manual run is stored as queued, passed to the workflow, and listed in the history', async () => {
    const { id } = await created();
    const source = { provider: 'ci', commit: 'abc', url: 'https://ci.example/7' };
    const answer = await as(account.key)
      .post(`/v1/scenarios/${id}/run`)
      .send({ variables: { size: 3 }, regions: ['us-east'], label: 'deploy 7', source });
    expect(answer.status).toBe(202);
    expect(answer.headers['location']).toBe(`/v1/scenarios/${id}/results/${answer.body.id}`);
    expect(answer.body).toMatchObject({
      scenarioId: id,
      revision: 1,
      status: 'queued',
      trigger: 'api',
      region: 'us-east',
      label: 'deploy 7',
      source: { provider: 'ci', branch: null, commit: 'abc' },
      startedAt: null,
      countedInUptime: false,
      steps: [{ index: 0, name: 'open', status: 'pending' }],
      links: { temporal: { workflowId: `scenario-${id}` } },
    });
    const call = service.gateway.calls.at(-1);
    expect(call).toMatchObject({
      name: 'runScenarioNow',
      id,
      request: {
        runs: [
          { runId: answer.body.id, region: 'us-east', variables: [{ name: 'size', value: 3 }] },
        ],
        countInUptime: false,
        notify: false,
      },
    });
    const { runs, ...run } = answer.body;
    expect(runs).toMatchObject([{ id: run.id, region: 'us-east', status: 'queued' }]);
    const history = await as(account.key).get(`/v1/scenarios/${id}/results`);
    expect(history.body).toEqual({ data: [run], nextCursor: null });
    const one = await as(account.key).get(`/v1/scenarios/${id}/results/${answer.body.id}`);
    expect(one.body).toEqual(run);
  });

  it('a manual run responds with 200 if the run ends in time, and with 202 otherwise', async () => {
    const { id } = await created();
    const late = await as(account.key).post(`/v1/scenarios/${id}/run?wait=1`);
    expect(late.status).toBe(202);
    const run = await storedRun(late.body.id);
    await service.services.stores.runs.save(account.id, {
      ...run,
      status: 'passed',
      sequence: 5,
      startedAtMs: run.queuedAtMs + 10,
      finishedAtMs: run.queuedAtMs + 250,
    });
    const polled = await as(account.key).get(`/v1/scenarios/${id}/results/${run.runId}?wait=60`);
    expect(polled.body).toMatchObject({ status: 'passed', durationMs: 240 });
  });

  it('a manual run is refused for an unknown region, an invalid body and an invalid wait', async () => {
    const { id } = await created();
    const send = (query: string, body: object) =>
      as(account.key).post(`/v1/scenarios/${id}/run${query}`).send(body);
    const unknown = (await send('', { regions: ['eu-west', 'mars'] })).body;
    expect(unknown).toMatchObject({ code: 'unknown_region', errors: [{ path: 'regions[1]' }] });
    expect((await send('', { colour: 1 })).body.code).toBe('validation_failed');
    expect((await send('?wait=61', {})).body.code).toBe('invalid_query');
  });

  it('a manual run does not stay queued if Temporal fails after the run was stored', async () => {
    const { id } = await created();
    service.gateway.away = 'work';
    const answer = await as(account.key).post(`/v1/scenarios/${id}/run`);
    expect(answer.status).toBe(503);
    service.gateway.away = null;
    const { body } = await as(account.key).get(`/v1/scenarios/${id}/results`);
    expect(body.data).toMatchObject([
      { status: 'error', failure: { code: 'internal_error' }, startedAt: null },
    ]);
  });

  it('a manual run is listed by filters, page by page, and found only under its own scenario', async () => {
    const { id } = await created();
    const other = await created();
    for (const label of ['a', 'b', 'c']) {
      service.clock.nowMs += 1;
      await as(account.key).post(`/v1/scenarios/${id}/run`).send({ label });
    }
    const history = `/v1/scenarios/${id}/results`;
    const first = await as(account.key).get(`${history}?limit=2&status=queued`);
    expect(first.body.data.map(({ label }: { label: string }) => label)).toEqual(['c', 'b']);
    const next = await as(account.key).get(first.headers['link']?.slice(1).split('>')[0] ?? '');
    expect(next.body.data.map(({ label }: { label: string }) => label)).toEqual(['a']);
    const none = await as(account.key).get(`${history}?trigger=schedule`);
    expect(none.body.data).toEqual([]);
    const moved = await as(account.key).get(`${history}?cursor=${first.body.nextCursor}`);
    expect(moved.body.code).toBe('invalid_cursor');
    const [{ id: runId }] = first.body.data;
    const foreign = await as(account.key).get(`/v1/scenarios/${other.id}/results/${runId}`);
    expect(foreign.status).toBe(404);
  });
});

it('a scenario keeps its own TLS rules and the TLS rules of its steps', async () => {
  const tls = { trust: { ca: '{{secret:ca}}' }, checkHost: false };
  const own = { ...MINIMAL.steps[0], name: 'own', tls: { trust: 'system', warnDays: [7] } };
  const { id } = await created({
    name: 'Company',
    key: 'company',
    tls,
    steps: [...MINIMAL.steps, own],
  });
  const one = `/v1/scenarios/${id}`;
  const read = await as(account.key).get(one);
  expect(read.body).toMatchObject({ tls, proxy: null });
  expect(read.body.steps.map(({ tls: given }: { tls: object }) => given)).toEqual([
    { warnDays: [14, 3] },
    { trust: 'system', warnDays: [7] },
  ]);
  expect((await as(account.key).put(one).send(read.body)).body).toEqual(read.body);
  const secret = await as(account.key).put('/v1/secrets/ca').send({ value: 'a certificate' });
  expect(secret.body.usedBy).toEqual([id]);
  const isUnchecked = async () => {
    const { body } = await as(account.key).get(`/v1/checks?q=company`);
    return body.data.find((check: { id: string }) => check.id === id)?.tlsUnchecked;
  };
  expect(await isUnchecked()).toBe(false);
  const pin = 'ab'.repeat(32);
  const pinned = await as(account.key)
    .patch(one)
    .send({ tls: { trust: { pin: [pin] } } });
  expect(pinned.body.tls).toEqual({ trust: { pin: [pin] }, checkHost: false });
  const unchecked = await as(account.key)
    .patch(one)
    .send({ tls: { trust: 'unchecked' } });
  expect(unchecked.body.tls).toEqual({ trust: 'unchecked', checkHost: false });
  expect(await isUnchecked()).toBe(true);
  const removed = await as(account.key).patch(one).send({ tls: null });
  expect(removed.body.tls).toBeNull();
  expect(await isUnchecked()).toBe(false);
});

it('a proxy that the operator does not list is refused, and the listed proxies are named', async () => {
  const steps = [
    { ...MINIMAL.steps[0], proxy: 'none' },
    { ...MINIMAL.steps[0], name: 'b', proxy: 'lab' },
  ];
  const refused = await as(account.key)
    .post('/v1/scenarios')
    .send({ name: 'Far', proxy: 'corporate', steps });
  expect(refused.status).toBe(400);
  const errors: Record<string, string>[] = refused.body.errors;
  expect(errors.map(({ path, message }) => [path, message])).toEqual([
    ['proxy', '“corporate” is not a proxy in KEEPWATCH_PROXIES: there are corp, dmz'],
    ['steps[1].proxy', '“lab” is not a proxy in KEEPWATCH_PROXIES: there are corp, dmz'],
  ]);
  const [first] = steps;
  const { id } = await created({
    name: 'Far',
    proxy: 'corp',
    httpVersion: '2',
    steps: [{ ...first, httpVersion: '1.1' }],
  });
  const read = await as(account.key).get(`/v1/scenarios/${id}`);
  expect(read.body).toMatchObject({
    proxy: 'corp',
    httpVersion: '2',
    ipFamily: null,
    steps: [{ proxy: 'none', httpVersion: '1.1', ipFamily: null }],
  });
  const monitor = { name: 'Far', url: 'https://shop.example.com/', proxy: 'lab' };
  const other = await as(account.key).post('/v1/monitors').send(monitor);
  expect(other.body.errors).toMatchObject([{ path: 'proxy' }]);
  const wrong = await as(account.key)
    .post('/v1/monitors')
    .send({ ...monitor, httpVersion: 2 });
  expect(wrong.body.errors).toMatchObject([
    { path: 'httpVersion', message: 'must be "auto", "1.1" or "2", as text' },
  ]);
});
