/**
 * Tests that the audit trail records who changed what, on the real application and database.
 *
 * Covers:
 * - services/accounts/audit-events
 */
import request from 'supertest';
import { recordChanges } from '../../../src/services/accounts/audit-events';
import { PASSWORD, personOf, type TestPerson } from '../people';
import { PUBLIC_URL, suiteService, type TestAccount } from '../test-service';

const service = suiteService({ notifyOperator: (facts) => told.push(facts) });
let account: TestAccount;
let owner: TestPerson;
const told: Readonly<Record<string, string>>[] = [];

beforeEach(async () => {
  service.clock.nowMs += 1_000;
  account = await service.newAccount();
  owner = await personOf(service, account.id, 'owner');
});

/** Each request is sent a millisecond after the previous one, so events sort in the order of the requests. */
function agent() {
  service.clock.nowMs += 1;
  return request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
}

interface Event {
  readonly action: string;
  readonly resourceId: string | null;
  readonly [field: string]: unknown;
}

/** Returns events of the audit trail, newest first. */
async function events(query = ''): Promise<readonly Event[]> {
  const answer = await agent().get(`/v1/audit-events${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

const MONITOR = { name: 'Shop', url: 'https://shop.example.com/' };

it('a change is recorded in the audit trail as one event with author, time, IP address and changed fields', async () => {
  const created = await agent().post('/v1/monitors').set('X-Request-Id', 'req-1').send(MONITOR);
  const { id, createdAt } = created.body;
  await agent()
    .patch(`/v1/monitors/${id}`)
    .send({ interval: 300, tags: ['a'] });
  await agent().patch(`/v1/monitors/${id}`).send({ interval: 300 });
  await agent().post(`/v1/monitors/${id}/pause`).send({ reason: 'works' });
  await agent().delete(`/v1/monitors/${id}`);
  const [deleted, paused, updated, first, ...rest] = await events();
  expect(rest).toEqual([]);
  expect(first).toMatchObject({
    action: 'monitor.create',
    resourceType: 'monitor',
    resourceId: id,
    at: createdAt,
    actor: { type: 'api_key', name: 'test' },
    before: null,
    after: { name: 'Shop', interval: 60 },
    requestId: 'req-1',
  });
  expect(first?.['ip']).toMatch(/127\.0\.0\.1$/);
  expect(updated).toMatchObject({
    action: 'monitor.update',
    before: { interval: 60, tags: [], version: 1 },
    after: { interval: 300, tags: ['a'], version: 2 },
  });
  expect(Object.keys(updated?.['after'] ?? {}).sort()).toEqual(['interval', 'tags', 'version']);
  expect(paused).toMatchObject({ action: 'monitor.pause', before: { state: 'active' } });
  expect(deleted).toMatchObject({
    action: 'monitor.delete',
    resourceId: id,
    before: { name: 'Shop' },
    after: null,
  });
});

it('refused requests, reads and tests of unsaved definitions are not recorded in the audit trail', async () => {
  await agent().post('/v1/monitors').send({ name: 'x' });
  await agent()
    .post('/v1/monitors/test')
    .send({ ...MONITOR, region: 'nowhere' });
  await agent().delete(`/v1/monitors/${service.services.newId('monitor')}`);
  await agent().get('/v1/monitors');
  expect(await events()).toEqual([]);
});

it('a request repeated with the same Idempotency-Key is recorded in the audit trail once', async () => {
  for (let times = 0; times < 3; times += 1)
    await agent().post('/v1/monitors').set('Idempotency-Key', 'once').send(MONITOR);
  expect(await events()).toHaveLength(1);
});

it('a bulk action is recorded in the audit trail as one event for each changed monitor', async () => {
  const made = await Promise.all([1, 2].map(() => agent().post('/v1/monitors').send(MONITOR)));
  const ids = made.map(({ body }) => String(body.id));
  const missing = service.services.newId('monitor');
  await agent()
    .post('/v1/monitors/bulk')
    .send({ ids: [...ids, missing], action: 'tag', add: ['x'] });
  const tagged = await events('?action=monitor.tag');
  expect(new Set(tagged.map(({ resourceId }) => resourceId))).toEqual(new Set(ids));
  expect(tagged).toHaveLength(2);
  expect(tagged[0]?.['after']).toEqual({ action: 'tag', add: ['x'], remove: [] });
});

it('logins, and changes of passwords, members and keys, are recorded with the email of the person', async () => {
  const page = { Cookie: owner.cookie, Origin: PUBLIC_URL };
  const post = (path: string, body: object) => {
    service.clock.nowMs += 1;
    return request(service.app).post(path).set(page).send(body);
  };
  const invited = await post('/v1/invitations', { email: `x${owner.email}`, role: 'viewer' });
  const [, token = ''] = String(invited.body.acceptUrl).split('#token=');
  await post('/v1/invitations/accept', { token, password: PASSWORD });
  const key = await post('/v1/api-keys', { name: 'CI' });
  await post('/v1/session', { email: owner.email, password: PASSWORD });
  await post('/v1/password', { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` });
  const trail = await events();
  expect(trail.map(({ action, actor }) => [action, actor])).toMatchObject([
    ['password.change', { id: owner.id, name: owner.email }],
    ['session.open', { id: owner.id }],
    ['api_key.create', { id: owner.id }],
    ['invitation.accept', { name: `x${owner.email}` }],
    ['invitation.create', { id: owner.id }],
  ]);
  expect(trail[2]).toMatchObject({ resourceId: key.body.id, after: { name: 'CI', key: '***' } });
  const text = JSON.stringify(trail);
  for (const secret of [PASSWORD, token, key.body.key]) expect(text).not.toContain(secret);
});

it('secrets are masked in every field of an audit event', async () => {
  await agent().put('/v1/secrets/SHOP').send({ value: 'very-secret-value' });
  await agent()
    .post('/v1/monitors')
    .send({
      ...MONITOR,
      method: 'POST',
      headers: { Authorization: 'Bearer in-the-open', Accept: 'text/plain' },
      body: { user: 'demo', password: 'in-the-open', nested: [{ api_key: 'in-the-open' }] },
      variables: { size: 'big', pin: { value: 'in-the-open', secret: true } },
    });
  const trail = await events();
  expect(trail).toHaveLength(2);
  expect(trail[0]?.['after']).toMatchObject({
    headers: { Authorization: '***', Accept: 'text/plain' },
    body: { user: 'demo', password: '***', nested: [{ api_key: '***' }] },
  });
  expect(JSON.stringify(trail)).not.toMatch(/in-the-open|very-secret-value/);
});

it('audit events can be filtered by actor, action, resource and time, and read page by page', async () => {
  const first = await agent().post('/v1/monitors').send(MONITOR);
  service.clock.nowMs += 60_000;
  await agent().post('/v1/monitors').send(MONITOR);
  await request(service.app)
    .patch('/v1/account')
    .set({ Cookie: owner.cookie, Origin: PUBLIC_URL })
    .send({ name: 'Renamed' });
  const countOf = async (query: string) => (await events(query)).length;
  expect(await countOf(`?actor=${owner.id}`)).toBe(1);
  expect(await countOf('?action=monitor.create')).toBe(2);
  expect(await countOf(`?resourceId=${first.body.id}`)).toBe(1);
  expect(await countOf(`?resourceId=${account.id}`)).toBe(1);
  const middle = encodeURIComponent(new Date(service.clock.nowMs - 30_000).toISOString());
  expect(await countOf(`?from=${middle}`)).toBe(2);
  expect(await countOf(`?to=${middle}`)).toBe(1);
  const page = await agent().get('/v1/audit-events?limit=2');
  const rest = await agent().get(`/v1/audit-events?limit=2&cursor=${page.body.nextCursor}`);
  const shown = [...page.body.data, ...rest.body.data].map(({ id }) => id);
  expect(shown).toEqual((await events()).map(({ id }) => id));
  const stranger = await service.newAccount();
  const theirs = await request(service.app)
    .get(`/v1/audit-events?resourceId=${first.body.id}`)
    .set('Authorization', `Bearer ${stranger.key}`);
  expect(theirs.body.data).toEqual([]);
});

it('if an audit event cannot be stored, the operator is notified, and the change is kept', async () => {
  const { audit } = service.services.stores;
  const failing = { ...audit, add: () => Promise.reject(new Error('no space')) };
  const stores = { ...service.services.stores, audit: failing };
  const broken = { ...service.services, stores };
  await recordChanges(
    broken,
    {
      accountId: account.id,
      actor: { type: 'user', id: owner.id, name: owner.email },
      requestId: 'req-2',
      ip: null,
    },
    [
      {
        action: 'monitor.create',
        resourceType: 'monitor',
        resourceId: 'mon_1',
        before: null,
        after: {},
      },
    ],
  );
  expect(told.at(-1)).toEqual({
    accountId: account.id,
    actor: owner.id,
    action: 'monitor.create',
    resourceId: 'mon_1',
    requestId: 'req-2',
    reason: 'no space',
  });
});
