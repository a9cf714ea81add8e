/**
 * Tests pipelines over /v1. Pipelines are created, changed and deleted, and their runs exchange ID tokens for keys.
 * identity-tokens.test.ts tests which tokens are valid, and pipeline-claims.test.ts tests which runs are accepted.
 *
 * Covers:
 * - services/pipelines/exchange-token
 * - services/pipelines/pipelines
 */
import request from 'supertest';
import { GITHUB_ISSUER } from '../../../src/domain/accounts/pipeline-claims';
import { createIdentityTokens } from '../../../src/platform/identity-tokens';
import { type CiIssuer, startCiIssuer } from '../../support/ci-issuer';
import { urlOfNobody } from '../../support/loopback-server';
import { arranged } from '../arranged';
import { personOf } from '../people';
import { openTestService, PUBLIC_URL, type TestAccount, type TestService } from '../test-service';

const QUARTER_MS = 15 * 60_000;
const UNKNOWN = `pip_${'0'.repeat(26)}`;

let issuer: CiIssuer;
let service: TestService;
let account: TestAccount;
/** URL of an issuer that the operator trusts and that does not respond. */
let away: string;

beforeAll(async () => {
  issuer = await startCiIssuer();
  away = await urlOfNobody();
  service = await openTestService({
    pipelineIssuers: [GITHUB_ISSUER, issuer.url, away],
    readIdentityToken: createIdentityTokens({
      clock: { now: () => service.clock.nowMs },
    }),
  });
});
afterAll(async () => {
  await service?.close();
  await issuer?.close();
});
beforeEach(async () => {
  // Deletes the records of wrong tokens from the previous test.
  await service.database.database.models.failedSignIns.deleteMany({});
  account = await service.newAccount();
});

function as(key: string) {
  return request.agent(service.app).set('Authorization', `Bearer ${key}`);
}

const admin = () => as(account.key);

const bodyOf = (changes: object = {}) => ({
  name: 'Shop',
  issuer: issuer.url,
  repository: 'acme/shop',
  branch: 'main',
  scopes: ['run'],
  ...changes,
});

async function makePipeline(changes: object = {}): Promise<string> {
  return (await arranged(admin().post('/v1/pipelines').send(bodyOf(changes)))).id;
}

function tokenOf(changes: object = {}): string {
  const now = Math.floor(service.clock.nowMs / 1_000);
  return issuer.sign({
    iss: issuer.url,
    aud: PUBLIC_URL,
    sub: 'repo:acme/shop:ref:refs/heads/main',
    iat: now,
    exp: now + 300,
    repository: 'acme/shop',
    ref: 'refs/heads/main',
    ref_type: 'branch',
    ...changes,
  });
}

function exchange(id: string, token: string, app: Parameters<typeof request>[0] = service.app) {
  return request(app).post(`/v1/pipelines/${id}/keys`).send({ token });
}

/** Sends a request with the key, and returns its status (200) or error code. */
async function codeOf(key: string): Promise<string | number> {
  const { status, body } = await as(key).get('/v1/monitors');
  return status === 200 ? status : body.code;
}

describe('a pipeline', () => {
  it('a pipeline is created, listed, read, changed and deleted', async () => {
    const body = bodyOf({ scopes: ['run', 'write', 'run'] });
    const made = await admin().post('/v1/pipelines').send(body);
    expect(made.status).toBe(201);
    const { id } = made.body;
    const path = `/v1/pipelines/${id}`;
    expect(made.headers['location']).toBe(path);
    expect(made.body).toEqual({
      ...bodyOf({ scopes: ['run', 'write'] }),
      id: expect.stringMatching(/^pip_/),
      createdAt: new Date(service.clock.nowMs).toISOString(),
      createdBy: null,
    });
    const second = await makePipeline({ name: 'Second' });
    const list = await admin().get('/v1/pipelines');
    expect(list.body.data.map((one: { id: string }) => one.id)).toEqual([second, id]);
    expect((await admin().get(path)).body).toEqual(made.body);
    expect((await admin().put(path).send(made.body)).body).toEqual(made.body);
    const changed = await admin()
      .put(path)
      .send(bodyOf({ branch: null }));
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...made.body, branch: null, scopes: ['run'] },
    ]);
    expect((await admin().get(path)).body).toEqual(changed.body);
    expect((await admin().delete(path)).status).toBe(204);
    for (const gone of [await admin().get(path), await admin().delete(path)])
      expect(gone.body).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('a pipeline defaults to GitHub, every branch and the scope `run`', async () => {
    const short = { name: 'Shop', repository: 'acme/shop' };
    const { body } = await admin().post('/v1/pipelines').send(short);
    expect(body).toMatchObject({ issuer: GITHUB_ISSUER, branch: null, scopes: ['run'] });
  });

  it('a pipeline is created and read only by admins of its account', async () => {
    const id = await makePipeline();
    for (const scope of ['read', 'run', 'write'] as const) {
      const lesser = as(await account.newKey({ scopes: [scope] }));
      for (const refused of [
        await lesser.get('/v1/pipelines'),
        await lesser.get(`/v1/pipelines/${id}`),
        await lesser.post('/v1/pipelines').send(bodyOf()),
        await lesser.put(`/v1/pipelines/${id}`).send(bodyOf()),
        await lesser.delete(`/v1/pipelines/${id}`),
      ])
        expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    }
    const other = as((await service.newAccount()).key);
    expect((await other.get('/v1/pipelines')).body.data).toEqual([]);
    for (const refused of [
      await other.get(`/v1/pipelines/${id}`),
      await other.put(`/v1/pipelines/${id}`).send(bodyOf()),
      await other.delete(`/v1/pipelines/${id}`),
    ])
      expect(refused.body).toMatchObject({ status: 404, code: 'not_found' });
    expect((await admin().get(`/v1/pipelines/${id}`)).status).toBe(200);
  });

  it('a pipeline is refused with all its problems at once, with hints for correct values', async () => {
    const wrong = { name: '', repository: 'shop', branch: '', scopes: ['admin'], nonsense: 1 };
    const refused = await admin().post('/v1/pipelines').send(bodyOf(wrong));
    expect(refused.status).toBe(400);
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(refused.body).toMatchObject({ code: 'validation_failed' });
    const errors: readonly { path: string; message: string }[] = refused.body.errors;
    expect(errors.map(({ path }) => path).toSorted()).toEqual([
      'branch',
      'name',
      'nonsense',
      'repository',
      'scopes[0]',
    ]);
    expect(errors.find(({ path }) => path === 'repository')?.message).toContain('like acme/shop');
    expect(errors.find(({ path }) => path === 'scopes[0]')?.message).toContain('write');
  });

  it('a pipeline is refused with an issuer that the operator does not trust, also by PUT', async () => {
    const id = await makePipeline();
    const body = bodyOf({ issuer: 'https://evil.example' });
    for (const refused of [
      await admin().post('/v1/pipelines').send(body),
      await admin().put(`/v1/pipelines/${id}`).send(body),
    ])
      expect(refused.body).toMatchObject({
        code: 'validation_failed',
        errors: [
          { path: 'issuer', message: expect.stringContaining('KEEPWATCH_PIPELINE_ISSUERS') },
        ],
      });
  });

  it('a pipeline needs a plan with API keys', async () => {
    const { cookie } = await personOf(service, account.id, 'owner');
    const { accounts } = service.database.database.models;
    await accounts.updateOne({ _id: account.id }, { $set: { plan: 'free' } });
    const made = request(service.app).post('/v1/pipelines');
    const refused = await made.set({ Cookie: cookie, Origin: PUBLIC_URL }).send(bodyOf());
    expect(refused.body).toMatchObject({ status: 403, code: 'plan_required' });
  });
});

describe('an ID token of a run', () => {
  it("an ID token is exchanged for a key that has only the pipeline's scopes and lasts 15 minutes", async () => {
    const id = await makePipeline();
    const given = await exchange(id, tokenOf());
    expect(given.status).toBe(201);
    const { key, ...shown } = given.body;
    expect(given.headers['location']).toBe(`/v1/api-keys/${shown.id}`);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      scopes: ['run'],
      expiresAt: new Date(service.clock.nowMs + QUARTER_MS).toISOString(),
    });
    expect((await as(key).get('/v1/account')).body).toMatchObject({ id: account.id });
    for (const refused of [
      await as(key).post('/v1/monitors').send({}),
      await as(key).get('/v1/api-keys'),
      await as(key).get('/v1/pipelines'),
    ])
      expect(refused.body.code).toBe('insufficient_scope');
    const listed = await admin().get('/v1/api-keys');
    expect(listed.body.data[0]).toMatchObject({ ...shown, name: 'Pipeline Shop' });
    service.clock.nowMs += QUARTER_MS - 1;
    expect(await codeOf(key)).toBe(200);
    service.clock.nowMs += 1;
    expect(await codeOf(key)).toBe('expired_token');
  });

  it('an ID token can be exchanged for a new key repeatedly until it expires', async () => {
    const id = await makePipeline();
    const token = tokenOf();
    const [one, two] = [await exchange(id, token), await exchange(id, token)];
    expect(one.body.key).not.toBe(two.body.key);
    await admin().delete(`/v1/api-keys/${one.body.id}`);
    expect(await codeOf(one.body.key)).toBe('revoked_token');
    expect(await codeOf(two.body.key)).toBe(200);
    service.clock.nowMs += 7 * 60_000;
    expect((await exchange(id, token)).body).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(await codeOf(two.body.key)).toBe(200);
  });

  it('an ID token gives no key once its pipeline is deleted, and earlier keys stop working', async () => {
    const id = await makePipeline();
    const { body } = await exchange(id, tokenOf());
    await admin().delete(`/v1/pipelines/${id}`);
    expect(await codeOf(body.key)).toBe('invalid_token');
    expect((await exchange(id, tokenOf())).body.code).toBe('invalid_token');
  });

  it("a pipeline's keys end when the pipeline changes, but not after a PUT without changes", async () => {
    const id = await makePipeline();
    const { body } = await exchange(id, tokenOf());
    await admin().put(`/v1/pipelines/${id}`).send(bodyOf());
    expect(await codeOf(body.key)).toBe(200);
    await admin()
      .put(`/v1/pipelines/${id}`)
      .send(bodyOf({ branch: 'release' }));
    expect(await codeOf(body.key)).toBe('invalid_token');
    expect((await exchange(id, tokenOf())).body.code).toBe('invalid_token');
  });

  it('an ID token gives no key if its pipeline is deleted or changed during the exchange', async () => {
    for (const meanwhile of [
      (id: string) => admin().delete(`/v1/pipelines/${id}`),
      (id: string) =>
        admin()
          .put(`/v1/pipelines/${id}`)
          .send(bodyOf({ scopes: ['read'] })),
    ]) {
      const id = await makePipeline();
      const { readIdentityToken, stores } = service.services;
      const app = service.appWith({
        readIdentityToken: async (...given) => {
          await meanwhile(id);
          return readIdentityToken(...given);
        },
      });
      const refused = await exchange(id, tokenOf(), app);
      expect(refused.body).toMatchObject({ status: 401, code: 'invalid_token' });
      expect(await stores.apiKeys.countOfPipeline(account.id, id)).toBe(0);
    }
  });

  it('an ID token gives no key once the creator of the pipeline is removed', async () => {
    const person = await personOf(service, account.id, 'admin');
    const made = request(service.app).post('/v1/pipelines');
    const { body } = await made.set({ Cookie: person.cookie, Origin: PUBLIC_URL }).send(bodyOf());
    expect(body.createdBy).toBe(person.id);
    const given = await exchange(body.id, tokenOf());
    expect((await admin().delete(`/v1/members/${person.id}`)).status).toBe(204);
    expect(await codeOf(given.body.key)).toBe('revoked_token');
    expect((await admin().get(`/v1/pipelines/${body.id}`)).status).toBe(404);
    expect((await exchange(body.id, tokenOf())).body.code).toBe('invalid_token');
  });

  it.each<[string, object]>([
    ['of another repository', { repository: 'acme/other' }],
    ['of another branch', { ref: 'refs/heads/feature' }],
    ['of a pull request', { ref: 'refs/pull/1/merge' }],
    ['for another service', { aud: 'https://other.example' }],
    ['of another issuer', { iss: GITHUB_ISSUER }],
    ['that has expired', { exp: 1 }],
  ])(
    'an ID token %s gets the same refusal as a token for an unknown pipeline',
    async (_what, changes) => {
      const id = await makePipeline();
      const refused = await exchange(id, tokenOf(changes));
      expect(refused.body).toMatchObject({ status: 401, code: 'invalid_token' });
      expect(refused.body.detail).toMatch(/public URL of this service.*repository.*branch/);
      expect(refused.headers['www-authenticate']).toBe('Bearer');
      const unknown = await exchange(UNKNOWN, tokenOf());
      expect({ ...unknown.body, requestId: '' }).toEqual({ ...refused.body, requestId: '' });
      expect((await admin().get('/v1/api-keys')).body.data).toHaveLength(1);
    },
  );

  it('a malformed ID token is refused without a request to its issuer', async () => {
    const id = await makePipeline();
    const token = 'x'.repeat(16_385);
    const refused = await exchange(id, token);
    expect(refused.body).toMatchObject({ status: 400, errors: [{ path: 'token' }] });
    expect(refused.text).not.toContain('xxxxxx');
    expect((await exchange('no-pipeline', tokenOf())).body).toMatchObject({ status: 404 });
  });

  it('an ID token is refused if its issuer is no longer trusted', async () => {
    const id = await makePipeline();
    const app = service.appWith({ pipelineIssuers: [GITHUB_ISSUER] });
    expect((await exchange(id, tokenOf(), app)).body.code).toBe('invalid_token');
  });

  it('an ID token gets a 503 while its issuer is away, and these tries are not throttled', async () => {
    const id = await makePipeline({ issuer: away });
    for (let times = 0; times < 25; times += 1) {
      const { body } = await exchange(id, tokenOf({ iss: away }));
      expect(body).toMatchObject({ status: 503, code: 'unavailable' });
    }
  });

  it('a pipeline with 500 valid keys gets no further key until keys expire', async () => {
    const id = await makePipeline();
    const { stores, newId, clock } = service.services;
    const held = { accountId: account.id, name: 'k', prefix: 'kw_0000', last4: '0000' };
    const times = { createdAtMs: clock.now(), expiresAtMs: clock.now() + QUARTER_MS - 1 };
    const more = { ...held, ...times, scopes: [], revokedAtMs: null, lastUsedAtMs: null };
    for (let nth = 0; nth < 500; nth += 1) {
      const key = { ...more, id: newId('apiKey'), hash: `${id} ${nth}`, pipelineId: id };
      await stores.apiKeys.create(account.id, key);
    }
    const refused = await exchange(id, tokenOf());
    expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.headers['retry-after']).toBe('60');
    service.clock.nowMs += QUARTER_MS;
    expect((await exchange(id, tokenOf())).status).toBe(201);
    expect(await stores.apiKeys.countOfPipeline(account.id, id)).toBe(1);
  });

  it('keys from ID tokens share one rate limit per pipeline', async () => {
    const app = service.appWith({ areKeysLimited: true });
    const list = (key: string) =>
      request(app).get('/v1/monitors').set('Authorization', `Bearer ${key}`);
    const [one, other] = [await makePipeline(), await makePipeline({ name: 'Other' })];
    const keyOf = async (id: string) => (await exchange(id, tokenOf())).body.key;
    const [first, second, stranger] = [await keyOf(one), await keyOf(one), await keyOf(other)];
    await arranged(list(first));
    const { quotas } = service.database.database.models;
    await quotas.updateOne({ _id: one }, { $inc: { dayUsed: 100_000 - 2 } });
    await arranged(list(second));
    for (const key of [first, second, await keyOf(one)]) {
      const { status, body } = await list(key);
      expect({ status, ...body }).toMatchObject({ status: 429, violatedPolicies: ['day'] });
      expect(body.detail).toMatch(
        /^All keys of this pipeline together may send at most 100000 requests/,
      );
    }
    for (const key of [stranger, account.key]) expect((await list(key)).status).toBe(200);
  });

  it('the audit trail names the pipeline run that exchanged an ID token, but neither the key nor the token', async () => {
    const id = await makePipeline();
    const token = tokenOf();
    const { body } = await exchange(id, token);
    await exchange(id, tokenOf({ repository: 'acme/other' }));
    const trail = await admin().get('/v1/audit-events?action=pipeline.exchange');
    expect(trail.body.data).toMatchObject([
      {
        actor: { type: 'api_key', id: body.id, name: 'Pipeline Shop' },
        resourceType: 'pipeline',
        resourceId: id,
        before: null,
        after: {
          name: 'Shop',
          keyId: body.id,
          run: 'repo:acme/shop:ref:refs/heads/main',
          scopes: ['run'],
          expiresAt: body.expiresAt,
        },
      },
    ]);
    expect(trail.text).not.toContain(body.key);
    expect(trail.text).not.toContain(token);
  });
});
