/** What the log says of those who were not let in, and whom a service for one machine answers. */
import type { Express } from 'express';
import request from 'supertest';
import { createApp } from '../../../src/api/create-app';
import { newApiKey } from '../../../src/services/accounts/api-key-format';
import { PASSWORD, personOf } from '../people';
import { accountOfSuite, SECRET_KEY, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
let app: Express;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  const note = (facts: unknown) => void lines.push(Object(facts));
  app = createApp(
    {
      logger: { error: note, warn: note, info: () => undefined },
      newRequestId: () => service.services.newId('request'),
      readReadiness: async () => ({ isReady: true, dependencies: {} }),
      publicUrl: 'http://localhost:3000',
      isLocalOnly: true,
      secretKeys: [SECRET_KEY],
      metricsToken: null,
      trustedProxies: 0,
    },
    service.services,
  );
});
beforeEach(() => {
  lines.length = 0;
});

it('a wrong password leaves who it was for, from where and why, and not what was typed', async () => {
  const person = await personOf(service, account.id, 'viewer');
  const guess = { email: person.email, password: 'a wrong guess at it' };
  await request(app).post('/v1/session').send(guess);
  expect(lines).toMatchObject([
    {
      event: 'refused',
      code: 'invalid_token',
      route: '/v1/session',
      ip: expect.stringContaining('127.0.0.1'),
      about: person.id,
      requestId: expect.stringMatching(/^req_/),
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/wrong guess|@example/);
  await request(app).post('/v1/session').send({ email: 'x@example.com', password: PASSWORD });
  expect(lines[1]).toMatchObject({ about: 'nobody' });
});

it('a key that is not good leaves its id and no part of itself', async () => {
  const revoked = await account.newKey({ revokedAtMs: 1 });
  const viewer = await account.newKey({ scopes: ['read'] });
  const unknown = newApiKey(service.services.randomBytes);
  const ask = (key: string) =>
    request(app)
      .post('/v1/monitors')
      .set('Authorization', `Bearer ${key}`)
      .send({ name: 'x', url: 'http://example.com' });
  for (const key of [revoked, unknown, viewer]) await ask(key);
  expect(lines).toMatchObject([
    { code: 'revoked_token', about: expect.stringMatching(/^key_/) },
    { code: 'invalid_token', actor: null },
    { code: 'insufficient_scope', actor: expect.stringMatching(/^key_/) },
  ]);
  for (const key of [revoked, unknown, viewer]) expect(JSON.stringify(lines)).not.toContain(key);
});

it('a service for this machine only answers for no other name, which a page elsewhere may have lead here', async () => {
  const statusFor = async (Host: string) =>
    (await request(app).get('/v1/openapi.json').set({ Host })).status;
  for (const host of [
    'localhost',
    'localhost:3000',
    'kw.localhost',
    '127.0.0.1:3000',
    '[::1]:3000',
  ])
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
  ])
    expect([host, await statusFor(host)]).toEqual([host, 403]);
  const named = await request(service.app).get('/v1/openapi.json').set({ Host: 'evil.example' });
  expect(named.status).toBe(200);
});
