/**
 * Tests the Temporal UI and its codec endpoint behind the login of Keepwatch. A fake UI records its requests.
 *
 * Covers:
 * - services/accounts/principal
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Express } from 'express';
import request from 'supertest';
import { type AppOptions, createApp } from '../../../src/api/create-app';
import type { MemberRole } from '../../../src/domain/accounts/roles';
import { createLogger } from '../../../src/platform/logger';
import { hashToken } from '../../../src/services/accounts/api-key-format';
import { createPayloadCodec } from '../../../src/temporal/payload-codec';
import { createPayloadReader } from '../../../src/temporal/payload-reader';
import { type LoopbackServer, startLoopbackServer } from '../../support/loopback-server';
import {
  openTestService,
  PUBLIC_URL,
  SECRET_KEY,
  type TestAccount,
  type TestService,
} from '../test-service';

const NAMESPACE = 'of-the-test';
const CODEC = '/internal/codec/decode';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let service: TestService;
let account: TestAccount;
let app: Express;
let ui: LoopbackServer;
const asked: Asked[] = [];

beforeAll(async () => {
  ui = await startLoopbackServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      asked.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(200, { 'content-type': 'text/html', 'x-frame-options': 'SAMEORIGIN' });
      response.end('<html>the UI</html>');
    });
  });
  service = await openTestService();
  account = await service.newAccount();
  await service.database.database.models.accounts.updateOne(
    { _id: account.id },
    { $set: { first: true } },
  );
  app = appWith(`${ui.url}/temporal`);
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(async () => {
  await ui.close();
  await service.close();
});

function appWith(
  url: string | null,
  logger: AppOptions['logger'] = createLogger('test', 'silent'),
): Express {
  const options = {
    logger,
    newRequestId: () => service.services.newId('request'),
    readReadiness: async () => ({ isReady: true, dependencies: {} }),
    publicUrl: PUBLIC_URL,
    secretKeys: [SECRET_KEY],
    metricsToken: null,
    trustedProxies: 0,
    temporalUi: { url, readPayloads: createPayloadReader([SECRET_KEY], NAMESPACE) },
  };
  return createApp(options, service.services);
}

async function logIn(role: MemberRole, accountId = account.id): Promise<string> {
  const { stores, newId, clock, randomBytes } = service.services;
  const sessionId = randomBytes(24).toString('base64url');
  const userId = newId('user');
  const personId = newId('person');
  const createdAtMs = clock.now();
  await stores.users.create(accountId, {
    id: userId,
    accountId,
    personId,
    email: `${userId}@example.com`,
    role,
    createdAtMs,
    joinedAtMs: createdAtMs,
  });
  await stores.sessions.create({
    hash: hashToken(sessionId),
    personId,
    accountId,
    userId,
    createdAtMs,
    lastSeenAtMs: createdAtMs,
  });
  return `keepwatch_session=${sessionId}`;
}

const auditOf = (action: string) =>
  service.services.stores.audit.page(account.id, { limit: 10, beforeId: null, action });

it('a refusal by the Temporal UI, the codec endpoint or the API for probes logs the caller, but not the path', async () => {
  const lines: object[] = [];
  const note = (facts: unknown): void => {
    if (typeof facts === 'object' && facts !== null) lines.push(facts);
  };
  const logged = appWith(`${ui.url}/temporal`, { warn: note, error: note, info: () => undefined });
  const Cookie = await logIn('editor');
  const asked = { Cookie, Origin: PUBLIC_URL };
  await request(logged).post('/temporal/api/v1/terminate').set(asked);
  await request(logged).post(CODEC).set(asked).send({ payloads: [] });
  await request(logged)
    .get('/internal/probe/keys')
    .set({
      Authorization: `Bearer ${'t'.repeat(43)}`,
      'X-Keepwatch-Region': 'eu-west',
      'X-Keepwatch-Probe-Key': 'prk_unknown',
    });
  const person = { event: 'refused', actor: expect.stringMatching(/^usr_/) };
  expect(lines).toEqual([
    expect.objectContaining({ ...person, route: '/temporal', code: 'insufficient_scope' }),
    expect.objectContaining({ ...person, route: CODEC, code: 'insufficient_scope' }),
    expect.objectContaining({
      event: 'refused',
      actor: 'prk_unknown',
      route: '/internal/probe',
      code: 'invalid_token',
    }),
  ]);
});

describe('the UI at /temporal', () => {
  it('the UI at /temporal redirects a browser without a session to the login, with the requested page as `next`', async () => {
    const page = '/temporal/namespaces/default/workflows?query=x';
    const answer = await request(app).get(page).set('Accept', 'text/html,*/*');
    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toBe(`/login?next=${encodeURIComponent(page)}`);
    expect(asked).toEqual([]);
  });

  it('the UI at /temporal responds to a program without a session with a problem', async () => {
    const read = await request(app).get('/temporal/api/v1/namespaces');
    expect(read.body).toMatchObject({ status: 401, code: 'missing_token' });
    const write = await request(app).post('/temporal/api/v1/x').set('Accept', 'text/html');
    expect(write.body).toMatchObject({ status: 401, code: 'missing_token' });
    expect(asked).toEqual([]);
  });

  it('the UI at /temporal is shown to operators of the installation, but never receives their session cookie', async () => {
    const cookie = `a=1; ${await logIn('admin')}; _csrf=2`;
    const answer = await request(app).get('/temporal/api/v1/x?q=%2F').set('Cookie', cookie);
    expect([answer.status, answer.text]).toEqual([200, '<html>the UI</html>']);
    expect(asked[0]).toMatchObject({ method: 'GET', url: '/temporal/api/v1/x?q=%2F' });
    expect(asked[0]?.headers).toMatchObject({ cookie: 'a=1; _csrf=2' });
    expect(answer.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
  });

  it('the UI at /temporal may call only its own paths and our codec, and cannot open windows', async () => {
    const Cookie = await logIn('owner');
    const { headers } = await request(app)
      .get('/temporal/')
      .set({ Cookie, Host: 'keepwatch.example:8443' });
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((directive): [string, readonly string[]] => {
          const [name = '', ...sources] = directive.split(' ');
          return [name, sources];
        }),
    );
    const origins = [PUBLIC_URL, 'http://keepwatch.example:8443'];
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('connect-src')).toEqual([
      ...origins.map((origin) => `${origin}/temporal/`),
      ...origins.map((origin) => `${origin}/internal/codec/`),
    ]);
    expect(policy.get('frame-src')).toEqual(["'none'"]);
    expect(policy.get('sandbox')).not.toContain('allow-popups');
    const odd = await request(app).get('/temporal/').set({ Cookie, Host: "x; script-src 'self'" });
    expect(odd.headers['content-security-policy']).not.toContain("script-src 'self'");
  });

  it('the UI at /temporal refuses API keys of every scope', async () => {
    for (const method of ['get', 'post'] as const) {
      const answer = await request(app)
        [method]('/temporal/')
        .set({ Authorization: `Bearer ${account.key}` });
      expect(answer.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    }
    expect(asked).toEqual([]);
  });

  it.each(['viewer', 'editor'] as const)(
    'the UI at /temporal refuses reads and writes by the role %s',
    async (role) => {
      const cookie = await logIn(role);
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        const answer = await request(app)
          [method]('/temporal/api/v1/x')
          .set({ Cookie: cookie, Origin: PUBLIC_URL });
        expect(answer.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
      }
      expect(asked).toEqual([]);
    },
  );

  it('the UI at /temporal refuses the owner of any account but the first', async () => {
    const other = await service.newAccount();
    const Cookie = await logIn('owner', other.id);
    const answer = await request(app).get('/temporal/').set({ Cookie });
    expect(answer.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(asked).toEqual([]);
  });

  it('the UI at /temporal records every write before forwarding, and records no read', async () => {
    const Cookie = await logIn('admin');
    await request(app).get('/temporal/api/v1/read-only').set({ Cookie });
    await request(app)
      .post('/temporal/api/v1/namespaces/default/workflows/w/terminate?x=1')
      .set({ Cookie, Origin: PUBLIC_URL, 'X-Request-Id': 'the-write' })
      .send('{"reason":"not repeated"}');
    const { items } = await auditOf('temporal.write');
    expect(items[0]).toMatchObject({
      requestId: 'the-write',
      actor: { type: 'user' },
      ip: expect.stringContaining('127.0.0.1'),
      after: { method: 'POST', path: '/temporal/api/v1/namespaces/default/workflows/w/terminate' },
    });
    expect(JSON.stringify(items)).not.toMatch(/not repeated|read-only/);
  });

  it.each(['owner', 'admin'] as const)(
    'the UI at /temporal accepts writes by the role %s from our pages',
    async (role) => {
      const Cookie = await logIn(role);
      const write = (Origin: string) =>
        request(app)
          .post('/temporal/api/v1/x')
          .set({ Cookie, Origin, 'Content-Type': 'application/json' })
          .send('{"signal":1}');
      expect((await write('http://elsewhere.example')).status).toBe(403);
      expect((await write(PUBLIC_URL)).status).toBe(200);
      expect(asked).toMatchObject([{ method: 'POST', body: '{"signal":1}' }]);
    },
  );

  it('the UI at /temporal gives a 503 problem while the Temporal UI is away, and a 404 if none is configured', async () => {
    const Cookie = await logIn('owner');
    const away = await request(appWith('http://127.0.0.1:1/temporal'))
      .get('/temporal/')
      .set({ Cookie });
    expect(away.body).toMatchObject({ status: 503, code: 'unavailable' });
    expect(away.headers['retry-after']).toBeDefined();
    const none = await request(appWith(null)).get('/temporal/').set({ Cookie });
    expect(none.body).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('the codec endpoint', () => {
  const plain = { metadata: { encoding: base64('json/plain') }, data: base64('{"a":1}') };

  async function sealedPayload(namespace = NAMESPACE) {
    const [sealed] = await createPayloadCodec([SECRET_KEY], namespace).encode([
      { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"a":1}') },
    ]);
    const metadata = Object.entries(sealed?.metadata ?? {});
    return {
      metadata: Object.fromEntries(metadata.map(([name, bytes]) => [name, base64(bytes)])),
      data: base64(sealed?.data ?? ''),
    };
  }

  it('the codec endpoint decrypts our payloads for an admin, and returns other payloads unchanged', async () => {
    const Cookie = await logIn('admin');
    const foreign = await sealedPayload('another');
    const answer = await request(app)
      .post(CODEC)
      .set({ Cookie, Origin: PUBLIC_URL })
      .send({ payloads: [await sealedPayload(), plain, foreign] });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ payloads: [plain, plain, foreign] });
    const { items } = await auditOf('temporal.decode');
    expect(items[0]).toMatchObject({ actor: { type: 'user' }, after: { payloads: 3 } });
  });

  it('the codec endpoint refuses other callers, other sites and bodies without payloads', async () => {
    const payloads = [await sealedPayload()];
    const send = (headers: Record<string, string>, body: object = { payloads }) =>
      request(app).post(CODEC).set(headers).send(body);
    expect((await send({})).status).toBe(401);
    const viewer = { Cookie: await logIn('viewer'), Origin: PUBLIC_URL };
    expect((await send(viewer)).status).toBe(403);
    const key = { Authorization: `Bearer ${account.key}` };
    expect((await send(key)).body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    const other = await service.newAccount();
    const stranger = { Cookie: await logIn('owner', other.id), Origin: PUBLIC_URL };
    expect((await send(stranger)).status).toBe(403);
    const admin = { Cookie: await logIn('admin'), Origin: PUBLIC_URL };
    expect((await send({ ...admin, Origin: 'http://elsewhere.example' })).status).toBe(403);
    expect((await send(admin, { payloads: [{ data: 1 }] })).status).toBe(400);
    expect((await send(admin, {})).status).toBe(400);
  });
});

function base64(text: string | Uint8Array): string {
  return Buffer.from(text).toString('base64');
}
