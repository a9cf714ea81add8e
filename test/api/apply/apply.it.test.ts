/**
 * Tests applying whole sets of objects by key, on the real application and database.
 *
 * Covers:
 * - services/objects/object-type
 * - services/apply/apply-object
 * - services/apply/apply-dependencies
 * - services/apply/apply-kind
 * - services/apply/apply-list
 * - services/apply/apply-needs
 * - services/apply/apply-outcome
 * - services/apply/apply-resources
 * - services/apply/apply-set
 * - services/apply/export-set
 * - services/resources/resolve-dependencies
 */
import request from 'supertest';
import { createHousekeeping } from '../../../src/models';
import { AppError } from '../../../src/platform/errors';
import type { AppliedObject } from '../../../src/schemas/responses/apply';
import { testSize } from '../../support/test-size';
import { accountOfEach, agentOf, suiteService } from '../test-service';

/** Number of objects in a set, more than are applied at the same time. */
const OBJECTS = testSize('applied', { ci: 12, long: 30 });

const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);

async function apply(body: object, key = account.key) {
  const answer = await as(key).post('/v1/apply').send(body);
  expect(answer.body).toMatchObject({ objects: expect.any(Array) });
  return answer.body;
}

async function exported(query = '') {
  return (await as().get(`/v1/export${query}`)).body;
}

const sweep = () =>
  createHousekeeping(service.database.database, service.services.clock).sweepRemovals(5_000);

const monitor = (key: string, changes: object = {}) => ({
  key,
  name: key,
  url: `https://${key}.example.com/`,
  ...changes,
});
const steps = [{ name: 'open', url: 'https://shop.example.com/' }];
const SET = {
  alertChannels: [
    { key: 'ops', name: 'Ops', type: 'email', emails: ['ops@example.com'] },
    { key: 'chat', name: 'Chat', type: 'slack', webhookUrl: 'https://hooks.example.com/T/secret' },
  ],
  monitors: [
    monitor('home', { alerts: { channels: ['ops'] }, tags: ['web'] }),
    monitor('api', { variables: { token: { value: 'long enough', secret: true } } }),
  ],
  scenarios: [{ key: 'buy', name: 'Buy', steps, alerts: { channels: ['ops', 'chat'] } }],
};

it('apply creates the objects of a set, and changes nothing when the set is applied again', async () => {
  const first = await apply(SET);
  expect(first.summary).toMatchObject({ create: 5, update: 0, unchanged: 0, failed: 0 });
  const again = await apply(SET);
  expect(again.summary).toMatchObject({ create: 0, update: 0, unchanged: 5, failed: 0 });
  const listed = await as().get('/v1/monitors');
  expect(listed.body.data.map(({ version }: { version: number }) => version)).toEqual([1, 1]);
});

it('an export changes nothing when it is applied, even if its objects have no keys', async () => {
  await apply(SET);
  await as()
    .post('/v1/monitors')
    .send({ name: 'by hand', url: 'https://x.example.com/', retries: 3 });
  const set = await exported();
  expect(set.monitors).toHaveLength(3);
  expect(set.scenarios[0]).toEqual({
    key: 'buy',
    name: 'Buy',
    steps,
    regions: ['eu-west'],
    alerts: { ...set.scenarios[0].alerts, channels: ['ops', 'chat'] },
  });
  expect(JSON.stringify(set)).not.toMatch(/secret"?:"|T\/secret|long enough/);
  const again = await apply(set);
  expect(again.summary).toMatchObject({ create: 0, update: 0, unchanged: 6, failed: 0 });
});

it('a JSON schema is stored unchanged, even with dollars and dots in its keys', async () => {
  const schema = (type: string) => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: { 'a.b': { $ref: '#/$defs/price' } },
    $defs: { price: { type } },
  });
  const setOf = (type: string) => ({
    monitors: [monitor('priced', { assertions: [{ type: 'jsonSchema', value: schema(type) }] })],
  });
  const refused = await apply(setOf('text'));
  expect(refused.summary).toMatchObject({ failed: 1 });
  expect(JSON.stringify(refused)).toContain('assertions[0].value.$defs.price.type');
  expect((await apply(setOf('number'))).summary).toMatchObject({ create: 1 });
  const set = await exported();
  expect(set.monitors[0].assertions).toEqual([
    expect.objectContaining({ type: 'jsonSchema', value: schema('number') }),
  ]);
  expect((await apply(set)).summary).toMatchObject({ unchanged: 1 });
});

it('dependencies are accepted by key in any order, and exported by key', async () => {
  const set = {
    monitors: [
      monitor('shop', { dependsOn: ['router', 'login'] }),
      monitor('router', { dependsOn: ['uplink'] }),
      monitor('uplink'),
      {
        key: 'job',
        name: 'job',
        type: 'heartbeat',
        schedule: { everySeconds: 600 },
        dependsOn: ['router'],
      },
    ],
    scenarios: [{ key: 'login', name: 'login', steps, dependsOn: ['router'] }],
  };
  const planned = await apply({ ...set, dryRun: true });
  const first = await apply(set);
  expect([planned.summary, first.summary].map(({ failed }) => failed)).toEqual([0, 0]);
  expect((await apply(set)).summary).toMatchObject({ unchanged: 5 });
  const ids = new Map<string, string>(
    first.objects.map(({ key, id }: AppliedObject) => [key, id] as const),
  );
  const shown = await as().get(`/v1/monitors/${String(ids.get('shop'))}`);
  expect(shown.body.dependsOn).toEqual([ids.get('router'), ids.get('login')]);
  const { id, version, ...sent } = shown.body;
  expect(
    (
      await as()
        .put(`/v1/monitors/${id}`)
        .send({ ...sent, id, version })
    ).body.version,
  ).toBe(1);
  const byKey = await exported();
  const dependsOnOf = (key: string) =>
    [...byKey.monitors, ...byKey.scenarios].find((one) => one.key === key).dependsOn;
  expect(['shop', 'router', 'uplink', 'job', 'login'].map(dependsOnOf)).toEqual([
    ['router', 'login'],
    ['uplink'],
    undefined,
    ['router'],
    ['router'],
  ]);
  expect((await apply(byKey)).summary).toMatchObject({ unchanged: 5 });
  await as().delete(`/v1/scenarios/${String(ids.get('login'))}`);
  const left = await as().get(`/v1/monitors/${id}`);
  expect(left.body).toMatchObject({ version: 1, dependsOn: [ids.get('router')] });
  const listed = await as().get('/v1/monitors?q=shop');
  expect(listed.body.data[0].dependsOn).toEqual([ids.get('router')]);
  expect((await as().put(`/v1/monitors/${id}`).send(left.body)).body.version).toBe(1);
});

it('cycles of dependencies, long chains and unknown dependencies are refused, each with its path', async () => {
  const { objects } = await apply({
    monitors: [
      monitor('a', { dependsOn: ['b'] }),
      monitor('b', { dependsOn: ['a'] }),
      monitor('c', { dependsOn: ['nowhere', 'd'] }),
      monitor('d'),
    ],
  });
  const problems = objects.map(({ problem }: AppliedObject) => problem);
  expect(problems.map((problem: AppliedObject['problem']) => problem?.code)).toEqual([
    'dependency_cycle',
    'dependency_cycle',
    'validation_failed',
    undefined,
  ]);
  expect(problems[0].errors[0].message).toContain('“a” → “b” → “a”');
  expect(problems[2].errors[0]).toMatchObject({ path: 'dependsOn[0]' });
  const chain = [0, 1, 2, 3, 4, 5].map((at) =>
    monitor(`n${at}`, at === 0 ? {} : { dependsOn: [`n${at - 1}`] }),
  );
  const made = await apply({ monitors: chain });
  expect(made.summary.failed).toBe(0);
  const sent = (dependsOn: string[], url = '/v1/monitors') =>
    as()
      .post(url)
      .send({ ...monitor('more'), key: null, dependsOn });
  const deep = await sent(['n5']);
  expect([deep.status, deep.body.errors[0]]).toEqual([
    400,
    expect.objectContaining({ path: 'dependsOn', code: 'out_of_bounds' }),
  ]);
  const [root, , , , , leaf] = made.objects.map(({ id }: AppliedObject) => id);
  const patched = await as()
    .patch(`/v1/monitors/${root}`)
    .set('content-type', 'application/merge-patch+json')
    .send({ dependsOn: [leaf] });
  expect([patched.status, patched.body.code]).toEqual([400, 'dependency_cycle']);
  const stranger = await service.newAccount();
  const foreign = await as(stranger.key)
    .post('/v1/monitors')
    .send({ ...monitor('x'), dependsOn: [root] });
  expect([foreign.status, foreign.body.errors[0].path]).toEqual([400, 'dependsOn[0]']);
});

it('applying an exported object with a new key sets the key of that object', async () => {
  const made = await as().post('/v1/monitors').send({ name: 'm', url: 'https://x.example.com/' });
  const { monitors } = await exported();
  const { summary } = await apply({ monitors: [{ ...monitors[0], key: 'adopted' }] });
  expect(summary).toMatchObject({ create: 0, update: 1 });
  const read = await as().get(`/v1/monitors/${made.body.id}`);
  expect(read.body).toMatchObject({ key: 'adopted', version: 2 });
});

it('a dry run reports each field that would change, and changes nothing', async () => {
  await apply(SET);
  const changed = {
    monitors: [
      monitor('home', { alerts: { channels: ['chat'] }, tags: ['web'], interval: 30 }),
      monitor('api', { variables: { token: { value: 'quite another', secret: true } } }),
      monitor('new'),
    ],
    dryRun: true,
  };
  const { objects, summary } = await apply(changed);
  expect(summary).toMatchObject({ create: 1, update: 2, failed: 0 });
  expect(objects[0]).toMatchObject({ action: 'update', outcome: 'planned' });
  expect(objects[0].changes).toEqual(
    expect.arrayContaining([
      { path: 'interval', before: 60, after: 30 },
      { path: 'alerts.channels[0]', before: 'ops', after: 'chat' },
    ]),
  );
  expect(objects[1].changes).toEqual([
    { path: 'variables.token.value', before: '(secret)', after: '(another secret)' },
  ]);
  expect((await exported()).monitors).toHaveLength(2);
});

it('a dry run plans monitors that name a channel of the same set', async () => {
  const { summary } = await apply({ ...SET, dryRun: true });
  expect(summary).toMatchObject({ create: 5, failed: 0 });
  expect((await exported()).alertChannels).toEqual([]);
});

it('apply creates maintenance windows before their targets, and changes and prunes windows by their keys', async () => {
  const window = {
    key: 'night',
    name: 'Night',
    mode: 'mute',
    startsAt: '2030-01-01T01:00:00.000Z',
    durationMinutes: 60,
    rrule: 'FREQ=DAILY',
    target: { tags: ['web'] },
  };
  const set = { maintenanceWindows: [window], monitors: [monitor('home', { tags: ['web'] })] };
  expect((await apply(set)).summary).toMatchObject({ create: 2, failed: 0 });
  expect((await apply(set)).summary).toMatchObject({ unchanged: 2 });
  expect((await apply(await exported())).summary).toMatchObject({ unchanged: 2 });
  const longer = { ...set, maintenanceWindows: [{ ...window, durationMinutes: 90 }] };
  const changed = await apply(longer);
  expect(changed.objects[0]).toMatchObject({
    kind: 'maintenanceWindow',
    action: 'update',
    changes: [{ path: 'durationMinutes', before: 60, after: 90 }],
  });
  const pruned = await apply({ monitors: set.monitors, prune: true });
  expect(pruned.summary).toMatchObject({ delete: 1, unchanged: 1 });
  expect((await exported()).maintenanceWindows).toEqual([]);
  expect((await apply(set)).summary).toMatchObject({ create: 1, unchanged: 1 });
});

it('GET /v1/schema.json returns the schema of definition files without authentication', async () => {
  const { body } = await request(service.app).get('/v1/schema.json');
  const [set, single] = body.anyOf;
  expect(Object.keys(set.properties)).toEqual(
    expect.arrayContaining(['env', 'include', 'monitors', 'scenarios', 'alertChannels']),
  );
  expect(set.properties.monitors.items.properties.interval).toMatchObject({ minimum: 10 });
  expect(single.properties.kind).toEqual({ const: 'monitor' });
});

it('a monitor keeps its pause and its regions if a file contains neither of these fields', async () => {
  await apply({ monitors: [monitor('home', { regions: ['us-east'] })] });
  const { monitors } = await exported();
  const [id] = (await as().get('/v1/monitors')).body.data.map((one: { id: string }) => one.id);
  await as().post(`/v1/monitors/${id}/pause`).send({});
  const { summary } = await apply({ monitors: [monitor('home')] });
  expect(summary).toMatchObject({ unchanged: 1 });
  expect(monitors[0].regions).toEqual(['us-east']);
});

it('apply stores the valid objects even if another object is invalid', async () => {
  const { objects, summary } = await apply({
    monitors: [
      monitor('good'),
      monitor('bad', { interval: 1, colour: 'red' }),
      { name: 'nameless', url: 'https://x.example.com/' },
      monitor('twice'),
      monitor('twice'),
      monitor('Bad Key'),
      monitor('lost', { alerts: { channels: ['nowhere'] } }),
    ],
  });
  expect(summary).toMatchObject({ create: 1, failed: 6 });
  expect(objects[1].problem.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
    'colour',
    'interval',
  ]);
  const codes = objects.map(
    (object: { problem: { errors: unknown[] } | null }) => object.problem?.errors[0],
  );
  expect(codes[2]).toMatchObject({ path: 'key', code: 'required' });
  expect(codes[3]).toMatchObject({ path: 'key', code: 'duplicate_key' });
  expect(codes[5]).toMatchObject({ path: 'key', code: 'invalid_value' });
  expect(codes[6]).toMatchObject({
    path: 'alerts.channels[0]',
    message: expect.stringMatching(/^must name a channel: no channel has the key \w+$/),
  });
});

it('prune deletes only objects that apply created under the same set name', async () => {
  await as().post('/v1/monitors').send(monitor('by-hand'));
  await apply({ set: 'other', monitors: [monitor('of-another-set')] });
  await apply(SET);
  const { summary, objects } = await apply({
    monitors: [monitor('home'), monitor('api')],
    prune: true,
  });
  expect(summary).toMatchObject({ delete: 3, update: 2 });
  expect(objects.at(-1)).toMatchObject({ kind: 'alertChannel', action: 'delete', outcome: 'done' });
  const left = await exported();
  expect(left.monitors.map(({ key }: { key: string }) => key).sort()).toEqual(
    ['api', 'by-hand', 'home', 'of-another-set'].sort(),
  );
  expect(left.alertChannels).toEqual([]);
});

it('prune deletes nothing while an object of the set fails', async () => {
  await apply(SET);
  const broken = { monitors: [monitor('Hom e')], prune: true };
  const { summary } = await apply(broken);
  expect(summary).toMatchObject({ delete: 0, failed: 1, skipped: 5 });
  expect((await exported()).monitors).toHaveLength(2);
});

it('prune refuses to delete a channel that the set still names', async () => {
  await apply(SET);
  const { summary, objects } = await apply({ monitors: SET.monitors, prune: true });
  expect(summary).toMatchObject({ failed: 1, skipped: 3 });
  expect(objects[0].problem.errors[0]).toMatchObject({ path: 'alerts.channels[0]' });
});

it('prune deletes a whole set, or more than half of it, only if the request states the number of deletions', async () => {
  const many = Array.from({ length: 12 }, (_, index) => monitor(`m${index}`));
  await apply({ monitors: many });
  const empty = await as().post('/v1/apply').send({ prune: true });
  expect(empty.body).toMatchObject({ status: 400, code: 'validation_failed' });
  const few = { monitors: many.slice(0, 3), prune: true };
  const refused = await as().post('/v1/apply').send(few);
  expect(refused.body.errors).toEqual([expect.objectContaining({ path: 'prune' })]);
  expect((await apply({ ...few, dryRun: true })).summary).toMatchObject({ delete: 9 });
  expect((await exported()).monitors).toHaveLength(12);
  expect((await apply({ ...few, pruneMax: 9 })).summary).toMatchObject({ delete: 9 });
});

it('the response of apply names the secrets that the account does not have', async () => {
  await as().put('/v1/secrets/KNOWN').send({ value: 'a known secret' });
  const headers = { A: '{{secret:KNOWN}}', B: '{{secret:UNKNOWN}}' };
  const answer = await apply({ monitors: [monitor('home', { headers })], dryRun: true });
  expect(answer.missingSecrets).toEqual(['UNKNOWN']);
  expect(answer.objects[0].missingSecrets).toEqual(['UNKNOWN']);
});

it('two clients that apply the same set at the same time create one object per key', async () => {
  const monitors = Array.from({ length: OBJECTS }, (_, index) => monitor(`m${index}`));
  const both = await Promise.all([apply({ monitors }), apply({ monitors })]);
  const problems = both.flatMap(({ objects }) =>
    objects.map(({ problem }: AppliedObject) => problem),
  );
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
  expect((await exported()).monitors).toHaveLength(OBJECTS);
  expect((await apply({ monitors })).summary).toMatchObject({ unchanged: OBJECTS });
});

it('a repeated apply completes an interrupted apply', async () => {
  const monitors = Array.from({ length: OBJECTS }, (_, index) => monitor(`m${index}`));
  const { configureMonitor } = service.gateway;
  let started = 0;
  const dieOnTheWay: typeof configureMonitor = async (config) => {
    started += 1;
    if (started > 7) service.gateway.away = 'work';
    return configureMonitor(config);
  };
  Object.assign(service.gateway, { configureMonitor: dieOnTheWay });
  const first = await apply({ monitors });
  Object.assign(service.gateway, { configureMonitor, away: null });
  expect(first.summary.failed).toBeGreaterThan(0);
  const second = await apply({ monitors });
  expect(second.summary).toMatchObject({ failed: 0, unchanged: first.summary.create });
  expect((await exported()).monitors).toHaveLength(OBJECTS);
});

it('apply retries objects while Temporal is too busy, and does not report them as failed', async () => {
  const monitors = Array.from({ length: OBJECTS }, (_, index) => monitor(`m${index}`));
  const { configureMonitor } = service.gateway;
  let asked = 0;
  const busyNowAndThen: typeof configureMonitor = async (config) => {
    asked += 1;
    if (asked % 3 === 0) throw new AppError('unavailable', 'no response in time');
    return configureMonitor(config);
  };
  Object.assign(service.gateway, { configureMonitor: busyNowAndThen });
  const first = await apply({ monitors });
  Object.assign(service.gateway, { configureMonitor });
  expect(first.summary).toMatchObject({ create: OBJECTS, failed: 0 });
  // The sweeper must not delete monitors that were created in a later try, after their first try was undone.
  await sweep();
  expect((await exported()).monitors).toHaveLength(OBJECTS);
  expect((await apply({ monitors })).summary).toMatchObject({ unchanged: OBJECTS });
});

it('apply changes nothing and responds with 503 while Temporal is away', async () => {
  service.gateway.away = 'ping';
  const answer = await as().post('/v1/apply').send(SET);
  service.gateway.away = null;
  expect(answer.body).toMatchObject({ status: 503, code: 'unavailable' });
  expect((await exported()).alertChannels).toEqual([]);
});

it('apply refuses a read-only key, and never touches objects of another account', async () => {
  await apply(SET);
  const reader = await account.newKey({ scopes: ['read'] });
  expect((await as(reader).post('/v1/apply').send(SET)).status).toBe(403);
  expect((await as(reader).get('/v1/export')).status).toBe(200);
  const other = await service.newAccount();
  const { summary } = await apply({ monitors: [monitor('home')], prune: true }, other.key);
  expect(summary).toMatchObject({ create: 1, delete: 0 });
  expect((await exported()).monitors).toHaveLength(2);
});

it('apply accepts bodies of up to 4 MiB', async () => {
  const big = monitor('big', { body: 'x'.repeat(300_000), method: 'POST' });
  expect((await apply({ monitors: [big], dryRun: true })).summary).toMatchObject({ create: 1 });
  const tooBig = { monitors: [monitor('big', { body: 'x'.repeat(4_300_000), method: 'POST' })] };
  const answer = await as().post('/v1/apply').send(tooBig);
  expect(answer.body).toMatchObject({ status: 413, code: 'payload_too_large' });
});

it('each change of an applied set is in the audit trail, without secrets', async () => {
  await apply(SET);
  const { body } = await as().get('/v1/audit-events');
  const actions = body.data.map(({ action }: { action: string }) => action).sort();
  expect(actions).toEqual([
    'alert_channel.create',
    'alert_channel.create',
    'monitor.create',
    'monitor.create',
    'scenario.create',
  ]);
  expect(JSON.stringify(body)).not.toMatch(/T\/secret|long enough/);
});

it('a set whose assertions contain too many different patterns is refused', async () => {
  const setWith = (patternAt: (index: number) => string) => ({
    dryRun: true,
    monitors: Array.from({ length: 400 }, (_, at) => ({
      key: `m${at}`,
      name: `m${at}`,
      url: 'https://shop.example/',
      assertions: Array.from({ length: 20 }, (_each, index) => ({
        type: 'body',
        operator: 'matches',
        value: patternAt(20 * at + index),
      })),
    })),
  });
  const refused = await as()
    .post('/v1/apply')
    .send(setWith((index) => `${index}(?:a{1,30}){30}`));
  expect(refused.body).toMatchObject({
    status: 400,
    errors: [{ path: '', code: 'out_of_bounds' }],
  });
  const { summary } = await apply(setWith((index) => `${index % 20}(?:a{1,30}){30}`));
  expect(summary).toMatchObject({ create: 400, failed: 0 });
});
