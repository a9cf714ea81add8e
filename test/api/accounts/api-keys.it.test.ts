/**
 * Tests how API keys are created, used and revoked over /v1.
 *
 * Covers:
 * - services/accounts/api-keys
 * - services/accounts/principal
 * - services/accounts/present-account
 */
import request from 'supertest';
import { personOf } from '../people';
import { accountOfEach, PUBLIC_URL, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfEach(service);

function as(key: string) {
  return request.agent(service.app).set('Authorization', `Bearer ${key}`);
}

it('an API key is shown once and grants only its scopes, until it is revoked or expires', async () => {
  const expiresAt = new Date(service.clock.nowMs + 3_600_000).toISOString();
  const body = { name: 'CI', scopes: ['run', 'run'], expiresAt };
  const made = await as(account.key).post('/v1/api-keys').send(body);
  expect(made.status).toBe(201);
  const { key, ...shown } = made.body;
  expect(shown).toMatchObject({ name: 'CI', scopes: ['run'], expiresAt, lastUsedAt: null });
  expect(made.headers['location']).toBe(`/v1/api-keys/${shown.id}`);
  expect((await as(key).get('/v1/monitors')).status).toBe(200);
  expect((await as(key).post('/v1/monitors').send({})).body.code).toBe('insufficient_scope');
  const read = await as(account.key).get(`/v1/api-keys/${shown.id}`);
  expect(read.body).toEqual({ ...shown, lastUsedAt: new Date(service.clock.nowMs).toISOString() });
  const list = await as(account.key).get('/v1/api-keys');
  expect(list.body.data).toHaveLength(2);
  expect(JSON.stringify(list.body)).not.toContain(key);
  for (let times = 0; times < 2; times += 1)
    expect((await as(account.key).delete(`/v1/api-keys/${shown.id}`)).status).toBe(204);
  expect((await as(key).get('/v1/monitors')).body.code).toBe('revoked_token');
  const revoked = await as(account.key).get(`/v1/api-keys/${shown.id}`);
  expect(revoked.body).toMatchObject({ revokedAt: expect.any(String) });
  const other = await as(account.key).post('/v1/api-keys').send(body);
  service.clock.nowMs += 3_600_000;
  expect((await as(other.body.key).get('/v1/monitors')).body.code).toBe('expired_token');
});

it('an API key has only the read scope by default, and an expiry in the past is refused', async () => {
  const { body } = await as(account.key).post('/v1/api-keys').send({ name: 'x' });
  expect(body.scopes).toEqual(['read']);
  const past = { name: 'x', expiresAt: '2020-01-01T00:00:00Z' };
  const refused = await as(account.key).post('/v1/api-keys').send(past);
  expect(refused.body).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: 'expiresAt' }],
  });
});

it('an account whose plan has no API keys cannot create keys, but people can still log in', async () => {
  const { cookie } = await personOf(service, account.id, 'owner');
  const { accounts } = service.database.database.models;
  await accounts.updateOne({ _id: account.id }, { $set: { plan: 'free' } });
  const make = () =>
    request(service.app)
      .post('/v1/api-keys')
      .set({ Cookie: cookie, Origin: PUBLIC_URL })
      .send({ name: 'x' });
  expect((await make()).body).toMatchObject({ status: 403, code: 'plan_required' });
  await accounts.updateOne({ _id: account.id }, { $set: { plan: 'pro' } });
  expect((await make()).status).toBe(201);
});
