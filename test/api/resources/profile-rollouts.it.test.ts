/**
 * Tests changes of profiles and their rollouts on the real application and database. The gateway records the calls to
 * workflows.
 *
 * Covers:
 * - services/resources/follow-profile
 * - services/rollouts/roll-out-profile
 * - services/resources/definition-change
 * - services/rollouts/run-rollout
 */
import request from 'supertest';
import { carryOutAll } from '../../services/rollouts/memory-service';
import { arranged } from '../arranged';
import { faultsIn, minimal, openProfileSuite, PATH, pathsIn, shop } from './profile-suite';

const { service, account, as, newProfile, newMonitor, read } = openProfileSuite();

const carryOut = () => carryOutAll(service.services, account.id);
const lastRollout = async () => (await as('get', '/v1/rollouts')).body.data[0];

test('a changed profile is planned, applied by a rollout to all checks that use it, and undone', async () => {
  const profile = await newProfile({ interval: 60, tags: ['a'] });
  const monitor = await newMonitor({ profile: 'shop' });
  const own = await newMonitor({ profile: 'shop', interval: 300 });
  const steps = [{ name: 'a', url: 'http://shop.example/' }];
  const scenario = await arranged(
    as('post', '/v1/scenarios', { name: 's', steps, profile: 'shop' }),
  );
  const path = `${PATH}/${profile.id}`;
  const body = { set: { interval: 30 } };
  const plan = await as('patch', `${path}?dryRun=true`, body);
  expect(plan.body.summary).toEqual({ total: 3, change: 2, unchanged: 1, invalid: 0 });
  expect(plan.body.items[1]).toMatchObject({
    id: monitor.id,
    changes: [{ path: 'interval', before: 60, after: 30 }],
  });
  expect((await as('get', path)).body).toEqual(profile);
  const changed = (await as('patch', path, body)).body;
  expect(changed).toMatchObject({ version: 2, set: { interval: 30, tags: ['a'] } });
  expect(await lastRollout()).toMatchObject({
    id: changed.rolloutId,
    cause: { type: 'profile', key: 'shop' },
    progress: { total: 3, pending: 3 },
  });
  await carryOut();
  expect([(await read(monitor.id)).interval, (await read(own.id)).interval]).toEqual([30, 300]);
  expect((await as('get', `/v1/scenarios/${scenario.id}`)).body.interval).toBe(30);
  const undone = await as('post', `/v1/rollouts/${changed.rolloutId}/undo`);
  expect(undone.status).toBe(202);
  await carryOut();
  const after = (await as('get', path)).body;
  expect(after).toMatchObject({ version: 3, set: profile.set, rolloutId: undone.body.id });
  expect((await read(monitor.id)).interval).toBe(60);
  const again = (await as('patch', path, body)).body;
  await carryOut();
  await arranged(as('patch', path, { set: { interval: 120 } }));
  await carryOut();
  const late = await as('post', `/v1/rollouts/${again.rolloutId}/undo`);
  expect([late.status, late.body.code]).toEqual([409, 'not_undoable']);
});

test('a change that makes a check invalid is refused with all problems, and nothing is stored', async () => {
  const profile = await newProfile({ interval: 60, regions: ['eu-west', 'us-east'] });
  const slow = await newMonitor({ profile: 'shop', timeoutMs: 20_000, regions: undefined });
  const most = await newMonitor({ profile: 'shop', quorum: 2, regions: undefined });
  const refused = await as(
    'put',
    `${PATH}/${profile.id}`,
    shop({ interval: 10, regions: ['eu-west'] }),
  );
  expect(refused.status).toBe(400);
  expect(faultsIn(refused.body)).toEqual([
    `set makes quorum invalid: it must not exceed the number of regions (regions comes from the profile shop) (${most.id}, m)`,
    `set makes timeoutMs invalid: it must not exceed the interval (interval comes from the profile shop) (${slow.id}, m)`,
  ]);
  expect((await as('get', `${PATH}/${profile.id}`)).body).toEqual(profile);
  expect(await lastRollout()).toBeUndefined();
  const unknown = await as('patch', `${PATH}/${profile.id}`, { set: { hours: 'night' } });
  expect(pathsIn(unknown.body)).toEqual(['set.hours', 'set.hours']);
});

test("a profile in use cannot be changed beyond the limits of the account's plan", async () => {
  const profile = await newProfile({ interval: 600 });
  await newMonitor({ profile: 'shop' });
  const { accounts } = service.database.database.models;
  await accounts.updateOne({ _id: account.id }, { $set: { plan: 'pro' } });
  const refused = await as('patch', `${PATH}/${profile.id}`, { set: { interval: 10 } });
  expect(pathsIn(refused.body)).toEqual(['set.interval']);
});

test('a monitor that is saved while its profile changes gets the new values', async () => {
  const profile = await newProfile();
  const { stores } = service.services;
  let isChanged = false;
  const app = service.appWith({
    stores: {
      ...stores,
      monitors: {
        ...stores.monitors,
        async create(accountId, monitor) {
          if (!isChanged)
            await arranged(as('put', `${PATH}/${profile.id}`, shop({ interval: 120 })));
          isChanged = true;
          await stores.monitors.create(accountId, monitor);
        },
      },
    },
  });
  const created = await request(app)
    .post('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`)
    .send({ ...minimal, profile: 'shop' });
  expect(created.body).toMatchObject({ interval: 120, version: 2 });
});

test('the rollout of a profile ends only when no check has older values', async () => {
  const profile = await newProfile();
  const monitor = await newMonitor({ profile: 'shop' });
  const stale = await service.services.stores.monitors.find(account.id, monitor.id);
  if (stale === null) throw new Error('the monitor is not stored');
  await arranged(as('put', `${PATH}/${profile.id}`, shop({ interval: 120 })));
  const { stores } = service.services;
  let isSaved = false;
  const noteOutcomes: typeof stores.rolloutItems.noteOutcomes = async (...given) => {
    await stores.rolloutItems.noteOutcomes(...given);
    if (!isSaved) await stores.monitors.replace(account.id, { ...stale, version: 3 }, 2);
    isSaved = true;
  };
  const rolloutItems = { ...stores.rolloutItems, noteOutcomes };
  await carryOutAll({ ...service.services, stores: { ...stores, rolloutItems } }, account.id);
  expect(await read(monitor.id)).toMatchObject({ interval: 120 });
  expect((await lastRollout()).state).toBe('ended');
});

test('fields that a bulk edit sets become own fields, and fields that the edit unsets are inherited again', async () => {
  await newProfile({ interval: 30, headers: { 'X-Team': 'shop' } });
  const monitor = await newMonitor({ profile: 'shop', interval: 300, headers: { 'x-team': null } });
  const edit = {
    ids: [monitor.id],
    action: 'set',
    set: { retries: 1 },
    unset: ['interval', 'headers'],
  };
  expect((await as('post', '/v1/monitors/bulk', edit)).status).toBe(202);
  await carryOut();
  expect(await read(monitor.id)).toMatchObject({
    interval: 30,
    retries: 1,
    headers: { 'X-Team': 'shop' },
    origin: { interval: 'profile:shop', retries: 'own', 'headers.x-team': 'profile:shop' },
  });
  await arranged(as('post', `/v1/rollouts/${(await lastRollout()).id}/undo`));
  await carryOut();
  const { version: _v, updatedAt: _u, createdAt: _c, nextCheckAt: _n, ...before } = monitor;
  expect(await read(monitor.id)).toMatchObject(before);
});
