/**
 * Tests environments and account variables over /v1 and on a real database. The rollouts run in the process of the
 * test.
 *
 * Covers:
 * - services/environments/environments
 * - services/environments/account-variables
 * - services/resources/layers
 * - services/environments/planned-layers
 * - services/environments/recompose-users
 * - services/undo/undo-rollout
 * - services/rollouts/rollout-queue
 * - services/resources/layer-users
 * - services/scenarios/run-scenario
 * - models/environments/environments
 * - models/environments/account-variables
 */
import request from 'supertest';
import { carryOutAll } from '../../services/rollouts/memory-service';
import { arranged } from '../arranged';
import { accountOfEach, agentOf, suiteService, type TestAccount } from '../test-service';

const service = suiteService();
const account: TestAccount = accountOfEach(service);
const as = (key?: string) => agentOf(service, account)(key);

const ENVIRONMENTS = '/v1/environments';
const newEnvironment = (key: string, more: object = {}) =>
  arranged(
    as()
      .post(ENVIRONMENTS)
      .send({ key, name: key, ...more }),
  );
const staging = () => newEnvironment('staging', { variables: { base: 'https://staging.example' } });
const monitor = (more: object = {}) => ({ name: 'Home', url: '{{base}}/home', ...more });
const newMonitor = (more: object = {}) => arranged(as().post('/v1/monitors').send(monitor(more)));
const putVariables = (variables: object) => as().put('/v1/variables').send({ variables });
const read = async (path: string) => (await as().get(path)).body;
const carryOut = () => carryOutAll(service.services, account.id);
const definitionOf = async ({
  id,
  kind = 'monitor',
}: {
  id: string;
  kind?: 'monitor' | 'scenario';
}) => {
  const { stores } = service.services;
  const store = kind === 'monitor' ? stores.monitors : stores.scenarios;
  const revision = (await store.find(account.id, id))?.revision ?? 0;
  return stores.revisions.find(account.id, kind, id, revision);
};
const faultsIn = (body: { errors: { path: string; code: string }[] }) =>
  body.errors.map(({ path, code }) => [path, code]);
const sortedFaultsIn = (body: Parameters<typeof faultsIn>[0]) =>
  faultsIn(body).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));

test('an environment sent back unchanged keeps its version, and a write with an outdated version is refused', async () => {
  const made = await as().post(ENVIRONMENTS).send({ key: 'prod', name: 'Production' });
  expect([made.status, made.headers['etag']]).toEqual([201, expect.stringMatching(/^"1\./)]);
  expect(made.body).toMatchObject({ key: 'prod', variables: {}, secrets: {}, version: 1 });
  const path = `${ENVIRONMENTS}/${made.body.id}`;
  expect((await as().put(path).send(made.body)).body.version).toBe(1);
  const changed = await as()
    .patch(path)
    .send({ variables: { base: 'https://x.example' } });
  expect(changed.body).toMatchObject({ version: 2, variables: { base: 'https://x.example' } });
  const stale = await as().put(path).set('If-Match', '"1"').send(made.body);
  expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
  const renamed = await as().patch(path).send({ key: 'other' });
  expect(faultsIn(renamed.body)).toEqual([['key', 'invalid_value']]);
  expect((await as().delete(path)).status).toBe(204);
});

test('the variables of an account are one list with one version', async () => {
  const none = { version: 0, variables: {}, rolloutId: null, updatedAt: null };
  expect(await read('/v1/variables')).toEqual(none);
  const stored = await putVariables({ b: '2', a: '1' });
  expect([stored.status, stored.headers['etag']]).toEqual([200, expect.stringMatching(/^"1\./)]);
  expect((await as().put('/v1/variables').send(stored.body)).body.version).toBe(1);
  const stale = await as().put('/v1/variables').set('If-Match', '"0"').send({ variables: {} });
  expect(stale.status).toBe(412);
});

test('secret values, invalid names and unknown secrets are refused together, each with its path', async () => {
  const secret = { value: 'a-long-secret', secret: true };
  const refused = await as()
    .post(ENVIRONMENTS)
    .send({ key: 'Staging', name: 'x', variables: { token: secret, '1a': 'x' } });
  expect(faultsIn(refused.body)).toEqual([
    ['key', 'invalid_value'],
    ['variables.token', 'wrong_type'],
  ]);
  expect(refused.body.errors[1].message).toContain('PUT /v1/secrets/{name}');
  expect(faultsIn((await putVariables({ '1a': 'x' })).body)).toEqual([
    ['variables.1a', 'invalid_value'],
  ]);
  const secrets = { key: 'missing' };
  const unknown = await as().post(ENVIRONMENTS).send({ key: 'k', name: 'k', secrets });
  expect(faultsIn(unknown.body)).toEqual([['secrets.key', 'unknown_key']]);
});

test('a monitor takes missing variables from its environment, and then from the account', async () => {
  await putVariables({ base: 'https://account.example', path: 'a', unused: 'x' });
  const { id } = await staging();
  const made = await newMonitor({
    url: '{{base}}/{{path}}/{{own}}',
    variables: { own: 'mine' },
    environment: id,
  });
  expect(made).toMatchObject({
    environment: 'staging',
    inherited: { variables: { base: 'https://staging.example', path: 'a' }, secrets: {} },
    groupKey: 'staging.example',
  });
  expect((await definitionOf(made))?.variables).toEqual([
    { name: 'own', value: 'mine' },
    { name: 'base', value: 'https://staging.example' },
    { name: 'path', value: 'a' },
  ]);
  const same = await as().put(`/v1/monitors/${made.id}`).send(made);
  expect(same.body.version).toBe(made.version);
  const own = await as()
    .patch(`/v1/monitors/${made.id}`)
    .send({ variables: { base: 'https://own.example' } });
  expect(own.body.inherited.variables).toEqual({ path: 'a' });
});

test('the refusal of an unknown variable names the environment that lacks it and the environments that define it', async () => {
  await staging();
  await newEnvironment('prod', { variables: { only: 'x' } });
  const refused = await as()
    .post('/v1/monitors')
    .send(monitor({ environment: 'staging', headers: { 'x-a': '{{only}}' } }));
  expect([refused.status, refused.body.code]).toEqual([400, 'unknown_variable']);
  expect(refused.body.errors).toEqual([
    {
      path: 'headers.x-a',
      code: 'unknown_variable',
      message:
        "uses {{only}}, which is not defined; the environment staging lacks it; environments that define it: prod; for literal text, write {{'only'}}",
    },
  ]);
  const foreign = await as()
    .post('/v1/monitors')
    .send(monitor({ environment: 'nowhere' }));
  expect(faultsIn(foreign.body)).toEqual([['environment', 'unknown_key']]);
  const heartbeat = { type: 'heartbeat', name: 'h', schedule: { everySeconds: 600 } };
  const job = await as()
    .post('/v1/monitors')
    .send({ ...heartbeat, environment: 'staging' });
  expect(faultsIn(job.body)).toEqual([['environment', 'unknown_field']]);
});

test('an undefined variable is reported together with all other problems of the body', async () => {
  await staging();
  const wrong = { interval: 1, retries: 99, headers: { 'x-a': '{{only}}' } };
  const refused = await as()
    .post('/v1/monitors')
    .send(monitor({ ...wrong, environment: 'staging' }));
  expect(sortedFaultsIn(refused.body)).toEqual([
    ['headers.x-a', 'unknown_variable'],
    ['interval', 'out_of_bounds'],
    ['retries', 'out_of_bounds'],
  ]);
  expect(refused.body.errors.at(-1).message).toContain('the environment staging lacks it');
  const nowhere = monitor({ ...wrong, environment: 'nowhere', regions: ['moon'] });
  expect(sortedFaultsIn((await as().post('/v1/monitors').send(nowhere)).body)).toEqual([
    ['environment', 'unknown_key'],
    ['interval', 'out_of_bounds'],
    ['retries', 'out_of_bounds'],
  ]);
  const late = monitor({ environment: 'nowhere', regions: ['moon'] });
  expect(sortedFaultsIn((await as().post('/v1/monitors').send(late)).body)).toEqual([
    ['environment', 'unknown_key'],
    ['regions[0]', 'unknown_region'],
  ]);
  const made = await newMonitor({ environment: 'staging' });
  const patched = await as()
    .patch(`/v1/monitors/${made.id}`)
    .send({ retries: 99, url: '{{base}}/{{missing}}' });
  expect(faultsIn(patched.body)).toEqual([
    ['retries', 'out_of_bounds'],
    ['url', 'unknown_variable'],
  ]);
  const steps = [{ name: 'one', url: '{{base}}/{{missing}}', timeoutMs: 1 }];
  const scenario = await as().post('/v1/scenarios').send({ name: 's', steps, interval: 1 });
  expect(sortedFaultsIn(scenario.body)).toEqual([
    ['interval', 'out_of_bounds'],
    ['steps[0].timeoutMs', 'out_of_bounds'],
    ['steps[0].url', 'unknown_variable'],
    ['steps[0].url', 'unknown_variable'],
  ]);
  const unsaved = await as()
    .post('/v1/monitors/test')
    .send(monitor({ retries: 99, region: 'eu-west' }));
  expect(faultsIn(unsaved.body)).toEqual([
    ['retries', 'out_of_bounds'],
    ['url', 'unknown_variable'],
  ]);
});

test('a changed variable of an environment or the account reaches only the checks that use the variable', async () => {
  await putVariables({ path: 'a' });
  const { id } = await staging();
  const user = await newMonitor({ url: '{{base}}/{{path}}', environment: 'staging' });
  const other = await newMonitor({ url: 'https://other.example/' });
  const steps = [{ name: 'one', url: '{{base}}/{{path}}' }];
  const scenario = await arranged(
    as().post('/v1/scenarios').send({ name: 's', steps, environment: 'staging' }),
  );
  const changed = await as()
    .patch(`${ENVIRONMENTS}/${id}`)
    .send({ variables: { base: 'https://next.example' } });
  expect(changed.status).toBe(200);
  await carryOut();
  expect((await putVariables({ path: 'b' })).status).toBe(200);
  await carryOut();
  const expected = { base: 'https://next.example', path: 'b' };
  expect((await read(`/v1/monitors/${user.id}`)).inherited.variables).toEqual(expected);
  expect((await read(`/v1/scenarios/${scenario.id}`)).inherited.variables).toEqual(expected);
  expect((await definitionOf(user))?.variables).toContainEqual({ name: 'path', value: 'b' });
  expect((await read(`/v1/monitors/${other.id}`)).version).toBe(1);
  const { data } = await read('/v1/rollouts');
  expect(
    data.map(({ cause, progress }: { cause: object; progress: object }) => [cause, progress]),
  ).toMatchObject([
    [{ type: 'variables' }, { total: 2, changed: 2 }],
    [
      { type: 'environment', key: 'staging' },
      { total: 2, changed: 2 },
    ],
  ]);
});

test('an environment shows the id of its last rollout until the values of the environment change again', async () => {
  const { id, rolloutId } = await staging();
  expect(rolloutId).toBeNull();
  const path = `${ENVIRONMENTS}/${id}`;
  await newMonitor({ environment: 'staging' });
  const patch = (body: object) => arranged(as().patch(path).send(body));
  const changed = await patch({ variables: { base: 'https://next.example' } });
  const [rollout] = (await read('/v1/rollouts')).data;
  expect(changed.rolloutId).toBe(rollout.id);
  expect(await patch({ name: 'Renamed' })).toMatchObject({ version: 3, rolloutId: rollout.id });
  expect(await read(path)).toMatchObject({ rolloutId: rollout.id });
  await carryOut();
  expect(await patch({ variables: { unused: 'x' } })).toMatchObject({ rolloutId: null });
  expect((await putVariables({ path: 'a' })).body.rolloutId).toBeNull();
  await newMonitor({ url: 'https://x.example/{{path}}' });
  const next = (await putVariables({ path: 'b' })).body;
  expect(next.rolloutId).toBe((await read('/v1/rollouts')).data[0].id);
  expect(await read('/v1/variables')).toEqual(next);
});

test('while twenty rollouts of an account wait, a change that would start another is refused and stores nothing', async () => {
  const { id } = await staging();
  const user = await newMonitor({ environment: 'staging' });
  const path = `${ENVIRONMENTS}/${id}`;
  const change = (base: string) => as().patch(path).send({ variables: { base } });
  for (let count = 0; count < 20; count += 1)
    expect((await change(`https://${count}.example`)).status).toBe(200);
  const before = await read(path);
  const refused = await change('https://late.example');
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect([refused.headers['retry-after'], refused.body.detail]).toEqual([
    '60',
    expect.stringContaining('20 rollouts of this account are waiting'),
  ]);
  expect(await read(path)).toEqual(before);
  const edit = { action: 'set', ids: [user.id], set: { interval: 30 } };
  expect((await as().post('/v1/monitors/bulk').send(edit)).status).toBe(429);
  const plan = await as()
    .post('/v1/monitors/bulk')
    .send({ ...edit, dryRun: true });
  expect(plan.status).toBe(200);
  await carryOut();
  expect((await change('https://late.example')).status).toBe(200);
});

test('the undo of a rollout restores the environment and every check that uses it', async () => {
  const { id } = await staging();
  const user = await newMonitor({ environment: 'staging' });
  await as()
    .patch(`${ENVIRONMENTS}/${id}`)
    .send({ variables: { base: 'https://next.example' } });
  await carryOut();
  const [rollout] = (await read('/v1/rollouts')).data;
  const undo = await as().post(`/v1/rollouts/${rollout.id}/undo`);
  expect(undo.status).toBe(202);
  await carryOut();
  expect(await read(`${ENVIRONMENTS}/${id}`)).toMatchObject({
    version: 3,
    variables: { base: 'https://staging.example' },
    rolloutId: undo.body.id,
  });
  const { inherited } = await read(`/v1/monitors/${user.id}`);
  expect(inherited.variables).toEqual({ base: 'https://staging.example' });
});

test("the undo of an environment's rollout is refused once the environment has changed again", async () => {
  const { id } = await staging();
  await newMonitor({ environment: 'staging' });
  await as()
    .patch(`${ENVIRONMENTS}/${id}`)
    .send({ variables: { base: 'https://next.example' } });
  await carryOut();
  const [rollout] = (await read('/v1/rollouts')).data;
  await as().patch(`${ENVIRONMENTS}/${id}`).send({ name: 'Renamed' });
  const refused = await as().post(`/v1/rollouts/${rollout.id}/undo`);
  expect([refused.status, refused.body.code]).toEqual([409, 'not_undoable']);
});

test('a change that gives a check an unknown variable or a blocked target stores nothing', async () => {
  const { id } = await staging();
  const user = await newMonitor({ environment: 'staging' });
  const without = await as()
    .patch(`${ENVIRONMENTS}/${id}`)
    .send({ variables: { base: null } });
  expect([without.status, without.body.code]).toEqual([409, 'in_use']);
  expect(faultsIn(without.body)).toEqual([[`${user.id}.url`, 'unknown_variable']]);
  expect(without.body.errors[0].message).toContain('“Home”');
  const blocked = { base: 'http://169.254.169.254' };
  const metadata = await as().patch(`${ENVIRONMENTS}/${id}`).send({ variables: blocked });
  expect(faultsIn(metadata.body)).toEqual([[`${user.id}.url`, 'blocked_target']]);
  expect((await read(`${ENVIRONMENTS}/${id}`)).version).toBe(1);
  await putVariables({ path: 'a' });
  const ofAccount = await newMonitor({ url: 'https://x.example/{{path}}' });
  const removed = await putVariables({});
  expect(faultsIn(removed.body)).toEqual([[`${ofAccount.id}.url`, 'unknown_variable']]);
  expect((await read('/v1/variables')).version).toBe(1);
  expect((await read('/v1/rollouts')).data).toEqual([]);
});

test('a change that would send a stored secret variable to another origin is refused', async () => {
  const { id } = await staging();
  const variables = { token: { value: 'a-long-secret', secret: true } };
  const headers = { authorization: 'Bearer {{token}}' };
  const user = await newMonitor({ environment: 'staging', variables, headers });
  const moved = await as()
    .patch(`${ENVIRONMENTS}/${id}`)
    .send({ variables: { base: 'https://evil.example' } });
  expect(faultsIn(moved.body)).toEqual([[`${user.id}.variables.token.value`, 'required']]);
});

test('an environment in use cannot be deleted, and the refusal names what uses it', async () => {
  const { id } = await staging();
  const user = await newMonitor({ environment: 'staging' });
  const refused = await as().delete(`${ENVIRONMENTS}/${id}`);
  expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
  expect(refused.body.errors).toMatchObject([{ path: user.id, code: 'in_use' }]);
  for (const list of ['monitors', 'checks']) {
    expect((await read(`/v1/${list}?environment=staging`)).data).toMatchObject([{ id: user.id }]);
    expect((await read(`/v1/${list}?environment=other`)).data).toEqual([]);
  }
  await as().delete(`/v1/monitors/${user.id}`);
  expect((await as().delete(`${ENVIRONMENTS}/${id}`)).status).toBe(204);
});

test('if an environment is deleted while a check that uses it is saved, one of the two requests succeeds', async () => {
  const { id } = await staging();
  const [made, deleted] = await Promise.all([
    as()
      .post('/v1/monitors')
      .send(monitor({ environment: 'staging' })),
    as().delete(`${ENVIRONMENTS}/${id}`),
  ]);
  const isThere = (await as().get(`${ENVIRONMENTS}/${id}`)).status === 200;
  const { data } = await read('/v1/monitors');
  if (made.status === 201) expect([deleted.status, isThere, data.length]).toEqual([409, true, 1]);
  else expect([made.status, data.length]).toEqual([400, 0]);
});

test('a monitor is refused and not stored if its environment changes while it is being saved', async () => {
  const { id } = await staging();
  const { environments } = service.services.stores;
  let isFirst = true;
  const late = service.appWith({
    stores: {
      ...service.services.stores,
      environments: {
        ...environments,
        // The environment changes right after the request for the new monitor has read it.
        async findByKey(accountId, key) {
          const found = await environments.findByKey(accountId, key);
          const wasFirst = isFirst;
          isFirst = false;
          if (wasFirst)
            await as()
              .patch(`${ENVIRONMENTS}/${id}`)
              .send({ variables: { base: 'https://next.example' } });
          return found;
        },
      },
    },
  });
  const refused = await request(late)
    .post('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`)
    .send(monitor({ environment: 'staging' }));
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
  expect((await read('/v1/monitors')).data).toEqual([]);
});

describe('names of secrets in an environment', () => {
  const storeSecret = (name: string, value: string) =>
    as().put(`/v1/secrets/${name}`).send({ value });

  beforeEach(async () => {
    await storeSecret('staging-key', 'value-of-staging');
    await storeSecret('key', 'value-of-account');
    await newEnvironment('staging', { secrets: { key: 'staging-key' } });
  });

  test('an environment maps names to its own secrets, and no record contains their values', async () => {
    const headers = { authorization: 'Bearer {{secret:key}}' };
    const made = await newMonitor({ url: 'https://x.example/', environment: 'staging', headers });
    expect(made).toMatchObject({ headers, inherited: { secrets: { key: 'staging-key' } } });
    const definition = await definitionOf(made);
    expect(JSON.stringify(definition)).toContain('{{secret:staging-key}}');
    expect((await read('/v1/secrets/staging-key')).usedBy).toEqual([made.id]);
    expect((await read('/v1/secrets/key')).usedBy).toEqual([]);
    const texts = JSON.stringify([definition, made, await read('/v1/environments')]);
    expect(texts).not.toContain('value-of');
    const { id } = (await read(ENVIRONMENTS)).data[0];
    await as()
      .patch(`${ENVIRONMENTS}/${id}`)
      .send({ secrets: { key: null } });
    await carryOut();
    expect(JSON.stringify(await definitionOf(made))).toContain('{{secret:key}}');
  });
});

describe('a run in another environment', () => {
  const STEPS = [{ name: 'one', url: '{{base}}/{{path}}' }];
  let id: string;

  const run = (body: object) => as().post(`/v1/scenarios/${id}/run`).send(body);
  const lastRequest = () =>
    service.gateway.calls.filter((call) => call.name === 'runScenarioNow' && call.id === id).at(-1)
      ?.request;

  beforeEach(async () => {
    await putVariables({ path: 'a' });
    await staging();
    await newEnvironment('prod', { variables: { base: 'https://prod.example' } });
    const body = { name: 's', steps: STEPS, environment: 'staging' };
    ({ id } = await arranged(as().post('/v1/scenarios').send(body)));
  });

  test('a run in another environment uses the values of that environment, and does not change the scenario', async () => {
    const first = await run({ environment: 'prod' });
    const second = await run({ environment: 'prod' });
    expect([first.status, first.body.environment]).toEqual([202, 'prod']);
    expect(first.body.revision).toBe(1);
    const sent = lastRequest();
    const inEnvironment = sent && 'inEnvironment' in sent ? sent.inEnvironment : undefined;
    expect(inEnvironment).toMatchObject({ environment: 'prod', steps: [{ host: 'prod.example' }] });
    const revision = inEnvironment?.definitionRevision ?? 0;
    const { revisions } = service.services.stores;
    expect((await revisions.find(account.id, 'scenario', id, revision))?.variables).toEqual([
      { name: 'base', value: 'https://prod.example' },
      { name: 'path', value: 'a' },
    ]);
    expect(second.status).toBe(202);
    expect(await read(`/v1/scenarios/${id}`)).toMatchObject({ environment: 'staging', version: 1 });
    expect((await run({})).body.environment).toBeNull();
    expect(lastRequest()).not.toHaveProperty('inEnvironment');
  });

  test('a run in another environment is refused for an unknown environment or variable', async () => {
    expect(faultsIn((await run({ environment: 'x' })).body)).toEqual([
      ['environment', 'unknown_key'],
    ]);
    await newEnvironment('empty');
    await newEnvironment('metadata', { variables: { base: 'http://169.254.169.254' } });
    const unknown = await run({ environment: 'empty' });
    expect(faultsIn(unknown.body)).toEqual([['steps[0].url', 'unknown_variable']]);
    const blocked = await run({ environment: 'metadata' });
    expect(faultsIn(blocked.body)).toEqual([['steps[0].url', 'blocked_target']]);
    const given = await run({ environment: 'empty', variables: { base: 'https://given.example' } });
    expect(given.status).toBe(202);
  });

  test('a run in another environment sends no secret variable of the scenario to another origin', async () => {
    const token = { value: 'a-long-secret', secret: true };
    const steps = [{ ...STEPS[0], headers: { authorization: '{{token}}' } }];
    await arranged(as().patch(`/v1/scenarios/${id}`).send({ steps, variables: { token } }));
    const refused = await run({ environment: 'prod' });
    expect(faultsIn(refused.body)).toEqual([['variables.token.value', 'required']]);
    expect((await run({ environment: 'prod', variables: { token } })).status).toBe(202);
  });
});
