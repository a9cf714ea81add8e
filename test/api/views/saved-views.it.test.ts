/**
 * Tests saved views over /v1: validation, visibility, and what happens to the views of removed members.
 *
 * Covers:
 * - services/views/saved-views
 */
import request from 'supertest';
import { personOf, type TestPerson } from '../people';
import { accountOfSuite, PUBLIC_URL, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
let maker: TestPerson;
let other: TestPerson;

const by = ({ cookie }: TestPerson) =>
  request.agent(service.app).set({ Cookie: cookie, Origin: PUBLIC_URL });
const withKey = () => request.agent(service.app).set('Authorization', `Bearer ${account.key}`);

const query = {
  q: 'shop',
  group: 'Shop',
  tag: 'edge',
  region: 'eu-west',
  status: 'down,degraded',
  sort: '-p95',
  by: 'none',
  rows: 'compact',
  hide: 'beats,tls',
};

beforeAll(async () => {
  maker = await personOf(service, account.id, 'editor');
  other = await personOf(service, account.id, 'admin');
});

async function make(person: TestPerson, body: object): Promise<string> {
  const made = await by(person).post('/v1/saved-views').send(body).expect(201);
  return `/v1/saved-views/${made.body.id}`;
}

async function namesSeenBy(person: TestPerson): Promise<readonly string[]> {
  const { body } = await by(person).get('/v1/saved-views');
  return body.data.map(({ name }: { name: string }) => name);
}

it('a saved view keeps the parameters of the page URL unchanged', async () => {
  const path = await make(maker, { name: 'Slow shop', list: 'monitors', query });
  const { body } = await by(maker).get(path);
  const own = { isShared: false, createdBy: maker.id, version: 1 };
  expect(body).toMatchObject({ name: 'Slow shop', list: 'monitors', query, ...own });
  const narrowed = { query: { tag: null, sort: 'name' } };
  const changed = await by(maker).patch(path).send(narrowed);
  const { tag: _gone, ...kept } = query;
  expect(changed.body).toMatchObject({ query: { ...kept, sort: 'name' }, version: 2 });
  expect(changed.body.query).not.toHaveProperty('tag');
  const same = await by(maker).patch(path).send(narrowed);
  expect(same.body).toEqual(changed.body);
});

it('the refusal of a saved view names all unknown parameters', async () => {
  const wrong = {
    status: 'down,broken',
    sort: 'colour',
    by: 'region',
    rows: 'wide',
    hide: 'name',
    page: '2',
  };
  const refused = await by(maker)
    .post('/v1/saved-views')
    .send({ name: ' ', list: 'runs', query: wrong });
  expect(refused.body).toMatchObject({ status: 400, code: 'validation_failed' });
  const paths = refused.body.errors.map(({ path }: { path: string }) => path);
  expect(paths.toSorted()).toEqual([
    'list',
    'name',
    'query.by',
    'query.hide',
    'query.page',
    'query.rows',
    'query.sort',
    'query.status',
  ]);
});

it('a private view is visible only to its owner, not even to administrators', async () => {
  const path = await make(maker, { name: 'Mine' });
  expect(await namesSeenBy(maker)).toContain('Mine');
  expect(await namesSeenBy(other)).not.toContain('Mine');
  expect((await by(other).get(path)).status).toBe(404);
  expect((await by(other).patch(path).send({ name: 'Yours' })).status).toBe(404);
  expect((await by(other).delete(path)).status).toBe(404);
  expect((await withKey().get(path)).status).toBe(404);
  expect((await by(maker).delete(path)).status).toBe(204);
});

it('everyone with write access can change a shared view, but only its owner can make it private', async () => {
  const path = await make(maker, { name: 'Ours', isShared: true });
  expect((await by(other).patch(path).send({ name: 'Everyone’s' })).body).toMatchObject({
    name: 'Everyone’s',
    createdBy: maker.id,
  });
  const taken = await by(other).patch(path).send({ isShared: false });
  expect(taken.body).toMatchObject({ status: 400, errors: [{ path: 'isShared' }] });
  expect((await by(maker).patch(path).send({ isShared: false })).status).toBe(200);
  expect(await namesSeenBy(other)).not.toContain('Everyone’s');
});

it('a viewer can read shared views but save none', async () => {
  await make(maker, { name: 'For viewers', isShared: true });
  const viewer = await personOf(service, account.id, 'viewer');
  expect(await namesSeenBy(viewer)).toContain('For viewers');
  const refused = await by(viewer).post('/v1/saved-views').send({ name: 'v' });
  expect(refused.body.code).toBe('insufficient_scope');
});

it('a private view is refused if it is saved with a key that has no known owner', async () => {
  const refused = await withKey().post('/v1/saved-views').send({ name: 'of a key' });
  expect(refused.body).toMatchObject({ status: 400, errors: [{ path: 'isShared' }] });
  const shared = await withKey().post('/v1/saved-views').send({ name: 'of a key', isShared: true });
  expect(shared.body).toMatchObject({ createdBy: null, isShared: true });
});

it("a removed member's private views are deleted, and the shared views are kept", async () => {
  const leaving = await personOf(service, account.id, 'editor');
  await make(leaving, { name: 'Gone with them' });
  await make(leaving, { name: 'Left behind', isShared: true });
  await by(other).delete(`/v1/members/${leaving.id}`).expect(204);
  const { models } = service.database.database;
  const left = await models.savedViews.find({ createdBy: leaving.id }).lean();
  expect(left.map(({ name }) => name)).toEqual(['Left behind']);
});

it('a saved view is recorded in the audit trail when it is saved, changed and deleted', async () => {
  const path = await make(maker, { name: 'Followed', isShared: true });
  await by(maker).patch(path).send({ name: 'Followed on' });
  await by(maker).delete(path);
  const id = path.split('/').at(-1) ?? '';
  const { body } = await by(other).get(`/v1/audit-events?resourceId=${id}`);
  expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
    'saved_view.delete',
    'saved_view.update',
    'saved_view.create',
  ]);
});
