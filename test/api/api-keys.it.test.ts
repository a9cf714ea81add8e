/** API keys: made with a scope and an end, shown once, revoked at once. */
import request from 'supertest';
import { openTestService, type TestAccount, type TestService } from './test-service';

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await openTestService();
  account = await service.newAccount();
});
afterAll(() => service.close());

const as = (key: string) => request.agent(service.app).set('Authorization', `Bearer ${key}`);

async function make(body: object) {
  return as(account.key).post('/v1/api-keys').send(body);
}

it('makes a key that may do what its scopes say and no more', async () => {
  const { status, body } = await make({ name: 'CI', scopes: ['run'] });
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: 'CI', scopes: ['run'], expiresAt: null, revokedAt: null });
  expect((await as(body.key).get('/v1/monitors')).status).toBe(200);
  const refused = await as(body.key).post('/v1/monitors').send({});
  expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect((await as(body.key).get('/v1/api-keys')).status).toBe(403);
});

it('shows the key in the answer that makes it and never again', async () => {
  const { body } = await make({ name: 'once' });
  expect(body.key).toMatch(/^kw_[0-9A-Za-z]{38}$/);
  const { text } = await as(account.key).get('/v1/api-keys');
  expect(text).toContain(body.id);
  expect(text).not.toContain(body.key);
  const stored = await service.database.database.models.apiKeys.find({}).lean();
  expect(JSON.stringify(stored)).not.toContain(body.key);
});

it('refuses a revoked key from the next request on, and revoking twice is no error', async () => {
  const { body } = await make({ name: 'short-lived', scopes: ['read'] });
  expect((await as(body.key).get('/v1/account')).status).toBe(200);
  for (let times = 0; times < 2; times += 1)
    expect((await as(account.key).delete(`/v1/api-keys/${body.id}`)).status).toBe(204);
  const refused = await as(body.key).get('/v1/account');
  expect(refused.body).toMatchObject({ status: 401, code: 'revoked_token' });
});

it('refuses a key after its end, and an end that is over already', async () => {
  const expiresAt = new Date(service.clock.nowMs + 60_000).toISOString();
  const { body } = await make({ name: 'ends', expiresAt });
  service.clock.nowMs += 60_000;
  const refused = await as(body.key).get('/v1/account');
  expect(refused.body).toMatchObject({ status: 401, code: 'expired_token' });
  const late = await make({ name: 'late', expiresAt });
  expect(late.body).toMatchObject({ status: 400, errors: [{ path: 'expiresAt' }] });
});

it('is for plans that have keys', async () => {
  const { models } = service.database.database;
  const other = await service.newAccount();
  await models.accounts.updateOne({ _id: other.id }, { $set: { plan: 'free' } });
  const answer = await as(other.key).post('/v1/api-keys').send({ name: 'x' });
  expect(answer.body).toMatchObject({ status: 403, code: 'plan_required' });
});
