/**
 * Tests profiles on the real application and database. The gateway records the calls to workflows.
 *
 * Covers:
 * - services/resources/compose-layered
 * - services/profiles/explain-problem
 * - services/profiles/find-profile
 * - services/rollouts/profiles
 * - services/lists/find-users
 */
import request from 'supertest';
import { HEADER_MASK } from '../../../src/domain/secrets/sensitive-headers';
import { arranged } from '../arranged';
import { faultsIn, minimal, openProfileSuite, PATH, pathsIn, shop } from './profile-suite';

const { service, account, as, newProfile, newMonitor, read } = openProfileSuite();

test('sending a profile back unchanged changes nothing, and its key cannot change', async () => {
  const created = await as('post', PATH, shop());
  expect(created.status).toBe(201);
  const path = `${PATH}/${created.body.id}`;
  const sentBack = await as('put', path, created.body);
  expect([sentBack.status, sentBack.body]).toEqual([200, created.body]);
  const changed = await as('patch', path, { set: { retries: 3, interval: null } });
  expect(changed.body).toMatchObject({ set: { retries: 3 }, version: 2 });
  expect((await as('get', PATH)).body.data).toEqual([changed.body]);
  expect(pathsIn((await as('patch', path, { key: 'other' })).body)).toEqual(['key']);
  expect((await as('post', PATH, shop())).body.code).toBe('key_taken');
});

test('a profile is refused with every problem and its path', async () => {
  const set = {
    interval: 1,
    intervall: 30,
    profile: 'other',
    url: 'http://x.example',
    steps: [],
    regions: 'eu-west',
    variables: { token: { value: 'long enough', secret: true } },
    headers: { 'Bad Name': 'x' },
    auth: { type: 'basic', user: 'u', password: 'literal' },
  };
  const { status, body } = await as('post', PATH, { key: 'Not A Key', set, extra: 1 });
  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(pathsIn(body).sort()).toEqual([
    'extra',
    'key',
    'name',
    'set.auth.password',
    'set.headers.Bad Name',
    'set.interval',
    'set.intervall',
    'set.profile',
    'set.regions',
    'set.steps',
    'set.url',
    'set.variables.token.secret',
  ]);
  expect(faultsIn(body)).toContain(
    'set.intervall is not a field that a profile can set (did you mean interval?)',
  );
});

test('a monitor shows its effective values and the origin of each', async () => {
  await newProfile({ interval: 30, retries: 2, headers: { 'X-Team': 'shop', 'X-Env': 'prod' } });
  const monitor = await newMonitor({
    profile: 'shop',
    retries: 0,
    headers: { 'x-env': 'staging', 'X-Team': null },
  });
  expect(monitor).toMatchObject({
    profile: 'shop',
    interval: 30,
    retries: 0,
    headers: { 'x-env': 'staging' },
    origin: {
      interval: 'profile:shop',
      retries: 'own',
      timeoutMs: 'default',
      regions: 'own',
      'headers.x-team': 'own',
      'headers.x-env': 'own',
    },
  });
  const path = `/v1/monitors/${monitor.id}`;
  const sentBack = await as('put', path, monitor);
  expect([sentBack.status, sentBack.body]).toEqual([200, monitor]);
  const inherited = await as('put', path, { ...minimal, profile: 'shop' });
  expect(inherited.body).toMatchObject({
    retries: 2,
    headers: { 'X-Team': 'shop', 'X-Env': 'prod' },
  });
  const patched = await as('patch', path, { retries: null, headers: { 'x-team': 'mine' } });
  expect(patched.body).toMatchObject({
    retries: 1,
    headers: { 'x-team': 'mine', 'X-Env': 'prod' },
    origin: { retries: 'own', 'headers.x-team': 'own', 'headers.x-env': 'profile:shop' },
  });
  const config = service.gateway.calls.findLast(({ id }) => id === monitor.id)?.config;
  expect(config).toMatchObject({ intervalMs: 30_000 });
});

test('a monitor that gets its first profile keeps its fields that differ from the default', async () => {
  await newProfile({ interval: 30, retries: 2, regions: ['us-east'], tags: ['shop'] });
  const monitor = await newMonitor({ interval: 300, regions: undefined });
  const path = `/v1/monitors/${monitor.id}`;
  const assigned = (await as('patch', path, { profile: 'shop' })).body;
  expect(assigned).toMatchObject({ interval: 300, retries: 2, tags: ['shop'] });
  expect(assigned.regions).toEqual(['us-east']);
  const { version: _v, updatedAt: _u, profile: _p, origin: _o, ...values } = assigned;
  const freed = (await as('patch', path, { profile: null })).body;
  expect(freed).toMatchObject({ ...values, profile: null, origin: null });
});

test('rules across fields apply to the effective definition, and the refusal names the profile', async () => {
  await newProfile({
    interval: 10,
    regions: ['eu-west'],
    method: 'GET',
    headers: { Authorization: 'x' },
  });
  const { status, body } = await as('post', '/v1/monitors', {
    name: 'm',
    url: 'http://shop.example/',
    profile: 'shop',
    timeoutMs: 20_000,
    quorum: 2,
    body: 'text',
    auth: { type: 'bearer', token: '{{secret:token}}' },
  });
  expect(status).toBe(400);
  expect(faultsIn(body)).toEqual([
    'body is not allowed with GET (method comes from the profile shop)',
    expect.stringMatching(/^headers\.Authorization .* \(headers\.authorization comes from/),
    'timeoutMs must not exceed the interval (interval comes from the profile shop)',
    'quorum must not exceed the number of regions (regions comes from the profile shop)',
  ]);
});

test('a profile that sets a field which the type does not have is refused, and the refusal names profile and field', async () => {
  await newProfile({ interval: 30, quorum: 1 });
  const heartbeat = { type: 'heartbeat', name: 'h', schedule: { everySeconds: 60 } };
  const refused = await as('post', '/v1/monitors', { ...heartbeat, profile: 'shop', extra: 1 });
  expect(faultsIn(refused.body)).toEqual([
    'profile shop sets interval, which the type heartbeat does not have; use another profile',
    'profile shop sets quorum, which the type heartbeat does not have; use another profile',
    expect.stringMatching(/^extra /),
  ]);
  const steps = [{ name: 'a', url: 'http://shop.example/' }];
  const scenario = await as('post', '/v1/scenarios', { name: 's', steps, profile: 'shop' });
  expect(faultsIn(scenario.body)).toEqual([
    'profile shop sets quorum, which a scenario does not have; use another profile',
  ]);
  const unknown = await as('post', '/v1/monitors', { ...minimal, profile: 'other', interval: 1 });
  expect(pathsIn(unknown.body)).toEqual(['profile', 'interval']);
});

test('new resources without a profile use the default profile if it fits their type', async () => {
  await newProfile({ interval: 30 });
  expect((await as('patch', '/v1/account', { defaultProfile: 'other' })).status).toBe(400);
  const changed = await as('patch', '/v1/account', { defaultProfile: 'shop' });
  expect(changed.body.defaultProfile).toBe('shop');
  const monitor = await newMonitor();
  expect([monitor.profile, monitor.interval]).toEqual(['shop', 30]);
  expect((await newMonitor({ profile: null })).interval).toBe(60);
  const heartbeat = { type: 'heartbeat', name: 'h', schedule: { everySeconds: 60 } };
  expect((await arranged(as('post', '/v1/monitors', heartbeat))).profile).toBeNull();
  const steps = [{ name: 'a', url: 'http://shop.example/' }];
  expect(await arranged(as('post', '/v1/scenarios', { name: 's', steps }))).toMatchObject({
    profile: 'shop',
    interval: 30,
  });
  const readOnly = await account.newKey({ scopes: ['write'] });
  expect((await as('patch', '/v1/account', { defaultProfile: null }, readOnly)).status).toBe(403);
});

test('a profile in use cannot be deleted, and the checks that use it are named', async () => {
  const profile = await newProfile();
  const monitor = await newMonitor({ profile: 'shop' });
  await arranged(as('patch', '/v1/account', { defaultProfile: 'shop' }));
  const refused = await as('delete', `${PATH}/${profile.id}`);
  expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
  expect(pathsIn(refused.body)).toEqual([account.id, monitor.id]);
  expect((await as('get', `/v1/monitors?profile=shop`)).body.data).toHaveLength(1);
  expect((await as('get', `/v1/monitors?profile=other`)).body.data).toEqual([]);
  await arranged(as('patch', '/v1/account', { defaultProfile: null }));
  await arranged(as('patch', `/v1/monitors/${monitor.id}`, { profile: null }));
  expect((await as('delete', `${PATH}/${profile.id}`)).status).toBe(204);
  expect((await read(monitor.id)).interval).toBe(30);
});

test('a profile that is deleted while a new check uses it leaves no reference to a missing profile', async () => {
  const profile = await newProfile();
  const responses = await Promise.all([
    ...[1, 2, 3].map(() => as('post', '/v1/monitors', { ...minimal, profile: 'shop' })),
    as('delete', `${PATH}/${profile.id}`),
    as('post', '/v1/monitors', { ...minimal, profile: 'shop' }),
  ]);
  const isDeleted = responses[3]?.status === 204;
  expect([204, 409]).toContain(responses[3]?.status);
  const users = (await as('get', '/v1/monitors')).body.data;
  expect((await as('get', PATH)).body.data).toHaveLength(isDeleted ? 0 : 1);
  if (isDeleted) expect(users).toEqual([]);
});

test('if a profile is deleted while a monitor that uses it is written, the write is undone', async () => {
  const profile = await newProfile();
  const { stores } = service.services;
  const app = service.appWith({
    stores: {
      ...stores,
      monitors: {
        ...stores.monitors,
        async create(accountId, monitor) {
          await stores.profiles.remove(accountId, profile.id, 1);
          await stores.monitors.create(accountId, monitor);
        },
      },
    },
  });
  const refused = await request(app)
    .post('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`)
    .send({ ...minimal, profile: 'shop' });
  expect([refused.status, pathsIn(refused.body)]).toEqual([400, ['profile']]);
  expect((await as('get', '/v1/monitors')).body.data).toEqual([]);
});

test('readers see masked headers, and a mask that is sent back keeps the value and its origin', async () => {
  const profile = await newProfile({ headers: { Authorization: 'Bearer very-secret' } });
  const monitor = await newMonitor({ profile: 'shop' });
  const reader = await account.newKey({ scopes: ['read'] });
  const masked = { headers: { Authorization: HEADER_MASK } };
  const path = `${PATH}/${profile.id}`;
  const seen = (await as('get', path, undefined, reader)).body;
  expect(seen.set).toEqual(masked);
  expect((await as('get', PATH, undefined, reader)).body.data[0].set).toEqual(masked);
  expect((await as('get', '/v1/export', undefined, reader)).body.profiles[0].set).toEqual(masked);
  expect((await as('put', path, seen)).body).toEqual(profile);
  const seenMonitor = (await as('get', `/v1/monitors/${monitor.id}`, undefined, reader)).body;
  expect(seenMonitor.headers).toEqual(masked.headers);
  expect((await as('put', `/v1/monitors/${monitor.id}`, seenMonitor)).body).toEqual(monitor);
  const other = await as('post', PATH, shop(masked, { key: 'other' }));
  expect(pathsIn(other.body)).toEqual(['set.headers.Authorization']);
});

test('tags and groups set in bulk become own fields of monitors with a profile', async () => {
  await newProfile({ tags: ['a'], variables: { tenant: 'shop' } });
  await newProfile({ retries: 4 }, { key: 'other' });
  const secret = { value: 'a long secret', secret: true };
  const monitor = await newMonitor({
    profile: 'shop',
    headers: { 'X-Key': '{{token}}', 'X-Tenant': '{{tenant}}' },
    variables: { token: secret, tenant: 'mine' },
  });
  const ids = [monitor.id];
  await arranged(as('post', '/v1/monitors/bulk', { ids, action: 'tag', add: ['b'] }));
  await arranged(as('post', '/v1/monitors/bulk', { ids, action: 'group', group: 'g' }));
  expect(await read(monitor.id)).toMatchObject({
    tags: ['a', 'b'],
    origin: { tags: 'own', group: 'own', 'variables.token': 'own' },
  });
  const before = await service.services.stores.monitors.find(account.id, monitor.id);
  const moved = await as('patch', `/v1/monitors/${monitor.id}`, { profile: 'other' });
  expect(moved.body).toMatchObject({ retries: 4, tags: ['a', 'b'], group: 'g' });
  const after = await service.services.stores.monitors.find(account.id, monitor.id);
  expect(after?.variables).toEqual(before?.variables);
});

test('an export contains only the own fields of a check with a profile, and applying it changes nothing', async () => {
  const set = {
    profiles: [
      shop({ interval: 30, group: 'g', headers: { 'X-Team': 'shop', Accept: 'text/html' } }),
    ],
    monitors: [
      {
        key: 'm',
        name: 'm',
        url: 'http://shop.example/',
        profile: 'shop',
        group: null,
        headers: { 'x-team': null, Own: '1' },
      },
    ],
  };
  const first = await as('post', '/v1/apply', set);
  expect(first.body.summary).toMatchObject({ create: 2, failed: 0 });
  const exported = (await as('get', '/v1/export')).body;
  expect(exported.profiles).toEqual(set.profiles);
  expect(exported.monitors).toEqual([{ ...set.monitors[0], type: 'http' }]);
  const again = await as('post', '/v1/apply', exported);
  expect(again.body.summary).toMatchObject({ unchanged: 2, update: 0, failed: 0 });
  const { interval: _i, ...rest } = { interval: 30, ...set.monitors[0] };
  const stated = { ...set, monitors: [{ ...rest, interval: 30 }] };
  const owned = await as('post', '/v1/apply', { ...stated, dryRun: true });
  expect(owned.body.objects[1].changes).toEqual([
    { path: 'origin.interval', before: 'inherited', after: 'own' },
  ]);
});

test('a plan shows which checks a changed profile changes, and a profile in use is not pruned', async () => {
  const monitors = [{ key: 'm', name: 'm', url: 'http://shop.example/', profile: 'shop' }];
  const { length } = (await as('post', '/v1/apply', { profiles: [shop()], monitors })).body.objects;
  expect(length).toBe(2);
  const plan = await as('post', '/v1/apply', {
    profiles: [shop({ interval: 60 })],
    monitors,
    dryRun: true,
  });
  expect(plan.body.objects.map(({ changes }: { changes: unknown }) => changes)).toEqual([
    [{ path: 'set.interval', before: 30, after: 60 }],
    [{ path: 'interval', before: 30, after: 60 }],
  ]);
  const { id } = await newMonitor({ profile: 'shop' });
  const pruned = await as('post', '/v1/apply', {
    monitors: [{ ...monitors[0], profile: null }],
    prune: true,
  });
  expect(pruned.body.objects).toMatchObject([
    { kind: 'monitor', outcome: 'done' },
    { kind: 'profile', action: 'delete', outcome: 'failed', problem: { code: 'in_use' } },
  ]);
  expect(pruned.body.objects[1].problem.errors).toMatchObject([{ path: id }]);
});

test('an unsaved monitor is tested with the values of its profile', async () => {
  await newProfile({ headers: { 'X-Team': 'shop' }, timeoutMs: 5_000, interval: 10 });
  const unsaved = { ...minimal, profile: 'shop', region: 'eu-west', timeoutMs: 20_000 };
  const refused = await as('post', '/v1/monitors/test', unsaved);
  expect(faultsIn(refused.body)).toEqual([
    'timeoutMs must not exceed the interval (interval comes from the profile shop)',
  ]);
});
