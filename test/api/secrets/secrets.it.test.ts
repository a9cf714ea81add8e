/**
 * Tests secrets and secret variables over /v1. Responses never contain their values, and a stored value cannot be moved
 * to another record.
 *
 * Covers:
 * - services/resources/restore-variables
 * - services/secrets/secrets
 * - services/secrets/read-secrets
 * - services/secrets/secret-variables
 */
import request from 'supertest';
import { definitionPath, secretsPath } from '../../../src/contracts/probe-protocol';
import { stepDefinition } from '../../models/example-records';
import { asLocalProbe } from '../../support/as-probe';
import { accountOfEach, SECRET_KEY, suiteService } from '../test-service';

const CANARY = 'canary-that-must-not-come-back';
const probe = asLocalProbe(SECRET_KEY, 'eu-west');
const asProbe = probe.headers;

const service = suiteService();
const account = accountOfEach(service);
let as: ReturnType<typeof request.agent>;

beforeEach(async () => {
  as = request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
});

async function openAsProbe(path: string): Promise<unknown> {
  const answer = await request(service.app).get(path).set(asProbe).responseType('blob');
  if (answer.status !== 200) return answer.status;
  return probe.open(answer.body, path);
}

/** Stores a definition that names the secrets, for the region of the probe. */
async function nameSecrets(accountId: string, names: readonly string[]) {
  const { stores, newId, clock } = service.services;
  const id = newId('monitor');
  const body = names.map((name) => `{{secret:${name}}}`).join(' ');
  const steps = [{ ...stepDefinition(), body }];
  const definition = { kind: 'monitor', id, revision: 1, variables: [], steps } as const;
  const test = { region: probe.key.region, expiresAtMs: clock.now() + 60_000 };
  await stores.revisions.saveForTest(accountId, definition, test);
  return { accountId, kind: 'monitor', id, revision: 1 } as const;
}

async function secretsOf(accountId: string, ...names: string[]): Promise<unknown> {
  return openAsProbe(secretsPath(await nameSecrets(accountId, names), names));
}

describe('a stored secret', () => {
  it('a secret is created, changed and deleted without ever returning its value', async () => {
    const created = await as.put('/v1/secrets/API_KEY').send({ value: CANARY });
    expect(created.status).toBe(201);
    expect(created.headers).toMatchObject({ location: '/v1/secrets/API_KEY' });
    expect(created.headers['etag']).toMatch(/^"1\./);
    expect(created.body).toMatchObject({ name: 'API_KEY', version: 1, usedBy: [] });
    const changed = await as.put('/v1/secrets/API_KEY').send({ value: `${CANARY}-2` });
    expect([changed.status, changed.body.version]).toEqual([200, 2]);
    const again = await as.put('/v1/secrets/API_KEY').send({ value: `${CANARY}-2` });
    expect([again.status, again.body.version]).toEqual([200, 2]);
    const list = await as.get('/v1/secrets');
    expect(list.body).toEqual({ data: [changed.body], nextCursor: null });
    for (const { text } of [created, changed, again, list]) expect(text).not.toContain(CANARY);
    expect((await as.delete('/v1/secrets/API_KEY')).status).toBe(204);
    expect((await as.get('/v1/secrets/API_KEY')).status).toBe(404);
    expect((await as.delete('/v1/secrets/API_KEY')).status).toBe(404);
  });

  it('a secret is accessible to its account only', async () => {
    await as.put('/v1/secrets/mine').send({ value: CANARY });
    const other = await service.newAccount();
    const asOther = request.agent(service.app).set('Authorization', `Bearer ${other.key}`);
    expect((await asOther.get('/v1/secrets/mine')).status).toBe(404);
    expect((await asOther.delete('/v1/secrets/mine')).status).toBe(404);
    expect((await asOther.put('/v1/secrets/mine').send({ value: 'theirs' })).status).toBe(201);
    expect(await secretsOf(account.id, 'mine')).toEqual({
      secrets: [{ name: 'mine', value: CANARY }],
    });
    expect(await secretsOf(other.id, 'mine')).toEqual({
      secrets: [{ name: 'mine', value: 'theirs' }],
    });
  });

  it('a secret has allowed hosts that change only together with its value', async () => {
    const put = (body: object) => as.put('/v1/secrets/bound').send(body);
    const created = await put({ value: CANARY, hosts: ['API.example.com', '*.shop.example'] });
    expect(created.body.hosts).toEqual(['api.example.com', '*.shop.example']);
    expect(await secretsOf(account.id, 'bound')).toEqual({
      secrets: [{ name: 'bound', value: CANARY, hosts: ['api.example.com', '*.shop.example'] }],
    });
    expect((await put({ hosts: ['evil.example'] })).body.errors).toMatchObject([{ path: 'value' }]);
    const rotated = await put({ value: `${CANARY}-2` });
    expect(rotated.body).toMatchObject({ version: 2, hosts: created.body.hosts });
    const moved = await put({ value: `${CANARY}-2`, hosts: ['other.example'] });
    expect(moved.body).toMatchObject({ version: 3, hosts: ['other.example'] });
    expect((await put({ value: `${CANARY}-2`, hosts: null })).body.hosts).toBeNull();
    for (const hosts of [[], ['http://x/y'], ['ftp://x'], ['*'], ['a/b'], [1]])
      expect((await put({ value: CANARY, hosts })).body).toMatchObject({ status: 400 });
  });

  it('a secret is refused if its name or value is invalid or its version differs', async () => {
    for (const name of ['.hidden', 'a b', 'a%2Fb', 'x'.repeat(101), 'ü']) {
      const answer = await as.put(`/v1/secrets/${encodeURI(name)}`).send({ value: CANARY });
      expect(answer.body).toMatchObject({ status: 400, errors: [{ path: 'name' }] });
    }
    for (const value of ['', 'abc', 'x'.repeat(8193), 7, null]) {
      const answer = await as.put('/v1/secrets/a').send({ value });
      expect(answer.body).toMatchObject({ status: 400, errors: [{ path: 'value' }] });
    }
    const stale = as.put('/v1/secrets/a').set('If-Match', '"3"').send({ value: CANARY });
    expect((await stale).status).toBe(412);
  });

  it('if parallel requests send one new secret, the first creates the secret and all others change it', async () => {
    const put = (index: number) => as.put('/v1/secrets/race').send({ value: `value-${index}` });
    const answers = await Promise.all([1, 2, 3, 4].map(put));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const versions = answers.map(({ body }) => Number(body.version)).sort((a, b) => a - b);
    expect(versions).toEqual([1, 2, 3, 4]);
  });

  it('a secret lists the monitors, scenarios and channels that use the secret', async () => {
    await as.put('/v1/secrets/shared').send({ value: CANARY });
    const monitor = await as.post('/v1/monitors').send({
      name: 'm',
      url: 'http://example.com',
      headers: { 'X-Key': 'a {{secret:shared}} {{ secret:absent }}' },
    });
    const steps = [
      { name: 'a', url: 'http://example.com' },
      { name: 'b', url: 'http://example.com', method: 'POST', body: [{ k: '{{secret:shared}}' }] },
    ];
    const scenario = await as.post('/v1/scenarios').send({ name: 's', steps });
    await as.post('/v1/monitors').send({ name: 'n', url: 'http://example.com' });
    const named: string[] = [];
    for (const secret of ['shared', 'absent'])
      for (const authorization of [
        `Bearer {{secret:${secret}}}`,
        `Basic abc{{secret:${secret}}}`,
      ]) {
        const headers = { Authorization: authorization };
        const body = { name: 'c', type: 'webhook', url: 'https://example.com/hook', headers };
        const channel = await as.post('/v1/alert-channels').send(body);
        if (secret === 'shared') named.push(channel.body.id);
      }
    expect(named).toEqual([expect.stringMatching(/^chn_/), expect.stringMatching(/^chn_/)]);
    const { usedBy } = (await as.get('/v1/secrets/shared')).body;
    expect(usedBy).toEqual([monitor.body.id, scenario.body.id, ...named]);
    await as.patch(`/v1/monitors/${monitor.body.id}`).send({ headers: { 'X-Key': null } });
    expect((await as.get('/v1/secrets')).body.data[0].usedBy).toEqual([scenario.body.id, ...named]);
  });

  it('the 501st secret of an account is refused, but an existing secret always accepts a new value', async () => {
    await as.put('/v1/secrets/first').send({ value: CANARY });
    const { secrets } = service.database.database.models;
    const [first] = await secrets.find({ accountId: account.id }).lean();
    const others = Array.from({ length: 499 }, (_, index) => {
      const name = `other-${index}`;
      return { ...first, _id: `${account.id}:${name}`, name };
    });
    await secrets.collection.insertMany(others as never);
    const refused = await as.put('/v1/secrets/one-more').send({ value: CANARY });
    expect(refused.body).toMatchObject({ status: 403, code: 'limit_reached' });
    expect((await as.put('/v1/secrets/first').send({ value: `${CANARY}-2` })).status).toBe(200);
  });

  it('secrets are listed by name, page by page', async () => {
    for (const name of ['c', 'a', 'b']) await as.put(`/v1/secrets/${name}`).send({ value: CANARY });
    const first = (await as.get('/v1/secrets?limit=2')).body;
    expect(first.data.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
    const second = await as.get(`/v1/secrets?limit=2&cursor=${first.nextCursor}`);
    expect(second.body).toMatchObject({ data: [{ name: 'c' }], nextCursor: null });
  });

  it('a secret is unreadable for probes if its stored record was altered or copied to another name', async () => {
    for (const name of ['one', 'two']) {
      await as.put(`/v1/secrets/${name}`).send({ value: `${CANARY}-${name}` });
    }
    const { secrets } = service.database.database.models;
    const [one, two] = await secrets.find({ accountId: account.id }).sort({ name: 1 }).lean();
    const moved = { $set: { sealed: one?.sealed ?? '' } };
    await secrets.updateOne({ _id: two?._id ?? '' }, moved);
    expect(await secretsOf(account.id, 'two')).toBe(500);
    await secrets.updateOne({ _id: one?._id ?? '' }, { $set: { version: 2 } });
    expect(await secretsOf(account.id, 'one')).toBe(500);
    // An existing secret always accepts a new value.
    expect((await as.put('/v1/secrets/one').send({ value: 'fresh' })).status).toBe(200);
    expect(await secretsOf(account.id, 'one')).toMatchObject({ secrets: [{ value: 'fresh' }] });
  });
});

describe('a secret variable', () => {
  const body = {
    name: 'm',
    url: 'http://example.com/{{plain}}',
    headers: { 'X-Key': '{{hidden}}' },
    variables: { plain: 'seen', hidden: { value: CANARY, secret: true } },
  };
  const kept = { plain: 'seen', hidden: { secret: true } };
  const definitionOf = (id: string, revision: number) =>
    openAsProbe(definitionPath({ accountId: account.id, kind: 'monitor', id, revision }));

  it('a secret variable requires its value again when an edit sends it to another host', async () => {
    const { body: monitor } = await as.post('/v1/monitors').send({ ...body, key: 'moves' });
    const path = `/v1/monitors/${monitor.id}`;
    const moved = { ...body, key: 'moves', variables: kept, url: 'http://evil.example/{{plain}}' };
    const byVariable = { plain: 'evil.example/', hidden: { secret: true } };
    for (const refused of [
      await as.put(path).send(moved),
      await as.patch(path).send({ url: moved.url }),
      await as.patch(path).send({ url: 'http://{{plain}}', variables: byVariable }),
    ]) {
      expect(refused.body).toMatchObject({
        status: 400,
        errors: [{ path: 'variables.hidden.value', code: 'required' }],
      });
    }
    const applied = await as.post('/v1/apply').send({ monitors: [moved] });
    expect(applied.body.objects).toMatchObject([{ outcome: 'failed' }]);
    expect((await as.get(path)).body.url).toBe(body.url);
    const sameHost = await as.patch(path).send({ url: 'http://example.com/elsewhere' });
    expect(sameHost.status).toBe(200);
    const resent = { ...body.variables, plain: 'seen' };
    expect((await as.put(path).send({ ...moved, variables: resent })).status).toBe(200);
  });

  it('responses omit the value of a secret variable, but a probe can read the value', async () => {
    const { body: monitor, text } = await as.post('/v1/monitors').send(body);
    expect(monitor.variables).toEqual(kept);
    expect(text).not.toContain(CANARY);
    expect(await definitionOf(monitor.id, 1)).toMatchObject({
      definition: {
        variables: [
          { name: 'plain', value: 'seen' },
          { value: CANARY, secret: true },
        ],
      },
    });
    const { monitors, revisions } = service.database.database.models;
    const stored = [await monitors.find().lean(), await revisions.find().lean()];
    expect(JSON.stringify(stored)).not.toContain(CANARY);
  });

  it('sending back the GET response of a monitor changes no secret variable', async () => {
    const { body: monitor } = await as.post('/v1/monitors').send(body);
    const path = `/v1/monitors/${monitor.id}`;
    const answer = (await as.get(path)).body;
    expect((await as.put(path).send(answer)).body.version).toBe(1);
    expect((await as.put(path).send(body)).body.version).toBe(1);
    const renamed = await as.patch(path).send({ name: 'other' });
    expect(renamed.body).toMatchObject({ version: 2, variables: kept });
    const hidden = { value: `${CANARY}-2`, secret: true };
    const changed = await as.patch(path).send({ variables: { hidden } });
    expect(changed.body).toMatchObject({ version: 3, variables: kept });
    expect(await definitionOf(monitor.id, 3)).toMatchObject({
      definition: { variables: [{}, { value: `${CANARY}-2` }] },
    });
    expect(changed.text).not.toContain(CANARY);
  });

  it('a secret variable needs a value that can be masked, and cannot be used in URLs', async () => {
    const refused = async (changes: object, errorPath: string) => {
      const answer = await as.post('/v1/monitors').send({ ...body, ...changes });
      expect(answer.body).toMatchObject({ status: 400, errors: [{ path: errorPath }] });
      expect(answer.text).not.toContain(CANARY);
    };
    await refused(
      { variables: { ...body.variables, hidden: { secret: true } } },
      'variables.hidden.value',
    );
    await refused({ variables: { ...body.variables, hidden: {} } }, 'variables.hidden.value');
    const short = { value: 'abc', secret: true };
    await refused({ variables: { ...body.variables, hidden: short } }, 'variables.hidden.value');
    await refused({ url: 'http://example.com/{{hidden}}' }, 'url');
    await refused({ url: 'http://example.com/{{secret:x}}' }, 'url');
    const plain = { ...body.variables, hidden: { value: 'in the open' } };
    const answer = await as.post('/v1/monitors').send({ ...body, variables: plain });
    expect(answer.body.variables).toEqual({ plain: 'seen', hidden: 'in the open' });
  });

  it('a secret variable that is copied to the record of another monitor cannot be decrypted', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => as.post('/v1/monitors').send(body)));
    const { monitors, revisions } = service.database.database.models;
    const row = await monitors.findOne({ _id: one?.body.id }).lean();
    await monitors.updateOne({ _id: two?.body.id }, { $set: { variables: row?.variables ?? [] } });
    await revisions.deleteMany({});
    expect(await definitionOf(one?.body.id, 1)).toMatchObject({ definition: {} });
    expect(await definitionOf(two?.body.id, 1)).toBe(500);
  });

  it('a secret variable of a run is encrypted before it reaches the workflow', async () => {
    const steps = [{ name: 'a', url: 'http://example.com', extract: { t: '$.t' } }];
    const secret = { value: 'stored', secret: true };
    const { body: scenario } = await as
      .post('/v1/scenarios')
      .send({ name: 's', steps, variables: { pin: secret, open: 'x' } });
    const variables = { pin: CANARY, open: 'y' };
    await as.post(`/v1/scenarios/${scenario.id}/run`).send({ variables });
    const call = service.gateway.calls.findLast(({ name }) => name === 'runScenarioNow');
    const sealed = [
      { name: 'pin', secret: true },
      { name: 'open', value: 'y' },
    ];
    expect(call?.request).toMatchObject({ runs: [{ variables: sealed }] });
    expect(JSON.stringify(service.gateway.calls)).not.toContain(CANARY);
  });
});

it('a value extracted as a secret cannot be used in a later URL', async () => {
  const steps = [
    {
      name: 'a',
      url: 'http://example.com',
      extract: { token: { from: 'jsonPath', path: '$.t', secret: true }, other: '$.o' },
    },
    { name: 'b', url: 'http://example.com/{{other}}/{{token}}' },
  ];
  const answer = await as.post('/v1/scenarios').send({ name: 's', steps });
  expect(answer.body).toMatchObject({ status: 400, errors: [{ path: 'steps[1].url' }] });
});

it('secrets are returned only to requests with the token of a probe', async () => {
  await as.put('/v1/secrets/a').send({ value: CANARY });
  const reference = await nameSecrets(account.id, ['a']);
  const path = secretsPath(reference, ['a']);
  for (const headers of [{}, { Authorization: `Bearer ${account.key}` }]) {
    expect((await request(service.app).get(path).set(headers)).status).toBe(401);
  }
  const sealed = await request(service.app).get(path).set(asProbe).responseType('blob');
  expect(sealed.body.includes(CANARY)).toBe(false);
  for (const names of ['', 'a b', Array(41).fill('a').join(',')]) {
    const bad = `${definitionPath(reference)}/secrets?names=${encodeURIComponent(names)}`;
    expect((await request(service.app).get(bad).set(asProbe)).status).toBe(400);
  }
});
