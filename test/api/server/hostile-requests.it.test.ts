/**
 * Sends thousands of hostile requests to every route, derived from its schemas. No response is a 5xx, and the data of
 * another account stays unchanged. For any body, the response is the resource or a 4xx problem. Also tests what is
 * logged about refused callers, and which hosts are accepted by a service that serves only this machine.
 */

import type { Express } from 'express';
import fc from 'fast-check';
import request from 'supertest';
import { z } from 'zod';
import { createApp } from '../../../src/api/create-app';
import type { Route } from '../../../src/api/routing/route';
import { ROUTES } from '../../../src/api/v1/route-table';
import { newApiKey } from '../../../src/services/accounts/api-key-format';
import { runRecord } from '../../models/example-records';
import { anyCharacter } from '../../support/any-character';
import { propertyOptions } from '../../support/property-runs';
import { testSeed } from '../../support/test-seed';
import { testSize } from '../../support/test-size';
import { arranged } from '../arranged';
import { PASSWORD, personOf } from '../people';
import { accountOfSuite, SECRET_KEY, suiteService, type TestAccount } from '../test-service';
import { contentType, nastyText, nastyValue, oddHeaders, rawBody } from './hostile-values';

const REQUESTS = testSize('hostile', { ci: 200, long: 20_000 });
const AT_ONCE = 16;

const routes = ROUTES;

const service = suiteService();
let hostile: TestAccount;
let victim: TestAccount;
let url: string;
let ids: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  service.gateway.testRun = async ({ accountId, scenarioId }) =>
    runRecord({ accountId, scenarioId, trigger: 'test' });
  hostile = await service.newAccount();
  victim = await service.newAccount();
  const owned = await Promise.all([hostile, victim].map(fill));
  ids = Object.fromEntries(
    Object.keys(owned[0] ?? {}).map((name) => [name, owned.map((one) => String(one[name]))]),
  );
  const address = service.app.address();
  url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
});

/** Creates one object of every kind that has an id. Returns the ids by the name of the path parameter. */
async function fill({ id, key }: TestAccount): Promise<Readonly<Record<string, unknown>>> {
  const as = request.agent(service.app).set('Authorization', `Bearer ${key}`);
  const made = async (path: string, body: object): Promise<unknown> =>
    (await arranged(as.post(path).send(body))).id;
  const steps = [{ name: 'a', url: 'http://example.com' }];
  const scenarioId = await made('/v1/scenarios', { name: 's', steps });
  await as.put('/v1/secrets/SHOP').send({ value: 'a secret' });
  return {
    monitorId: await made('/v1/monitors', { name: 'm', url: 'http://example.com' }),
    scenarioId,
    runId: await made(`/v1/scenarios/${String(scenarioId)}/run`, {}),
    channelId: await made('/v1/alert-channels', {
      name: 'c',
      type: 'email',
      emails: ['a@example.com'],
    }),
    memberId: (await personOf(service, id, 'viewer')).id,
    invitationId: await made('/v1/invitations', { email: `${id}@example.com`, role: 'viewer' }),
    keyId: await made('/v1/api-keys', { name: 'k' }),
    secretName: 'SHOP',
  };
}

interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** Returns the names of all fields in a schema, at any depth. */
function fieldsOf(shape: z.ZodType): readonly string[] {
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  const names = JSON.stringify(schema).matchAll(/"([A-Za-z]\w{0,30})":[{[]/g);
  return [...new Set([...names].map(([, name = '']) => name))];
}

function requestsOf(entry: Route): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      params: fc.infiniteStream(fc.oneof(fc.constantFrom(0, 1), nastyText)),
      query: queryOf(entry),
      headers: fc.tuple(contentType, oddHeaders),
      body: bodyOf(entry),
    })
    .map(({ params, query, headers: [type, odd], body }) => ({
      method: entry.method,
      path: pathOf(entry, params) + query,
      headers: { authorization: `Bearer ${hostile.key}`, 'content-type': type, ...odd },
      body: entry.method === 'GET' ? null : body,
    }));
}

/** Fills the path with ids of both accounts and with invalid ids. */
function pathOf({ path }: Route, params: Iterator<string | number>): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    const param: unknown = params.next().value;
    if (typeof param === 'number') return ids[name]?.[param] ?? 'none';
    return encodeURIComponent(String(param).replaceAll(/\p{Surrogate}/gu, '?')) || '%20';
  });
}

function queryOf({ shapes }: Route): fc.Arbitrary<string> {
  const known = fieldsOf(shapes.query);
  const name = fc.oneof(fc.constantFrom('limit', 'cursor', ...known), nastyText);
  const pair = fc
    .tuple(name, nastyText)
    .map((both) =>
      both.map((text) => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'))).join('='),
    );
  return fc
    .oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(pair, { maxLength: 3 }))
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
}

/**
 * Generates bodies: the example with fields that are added or replaced at any depth, or bytes that are not valid JSON.
 */
function bodyOf(entry: Route): fc.Arbitrary<Uint8Array> {
  const example: unknown = entry.doc.example ?? {};
  const fields = entry.shapes.body === null ? [] : fieldsOf(entry.shapes.body);
  const name = fc.oneof(fc.constantFrom('name', ...fields), nastyText);
  const changed = fc.array(fc.tuple(name, nastyValue), { minLength: 1, maxLength: 3 });
  const json = changed.map((changes) =>
    Buffer.from(JSON.stringify(changes.reduce(putSomewhere, example))),
  );
  return fc.oneof({ weight: 8, arbitrary: json }, { weight: 1, arbitrary: rawBody });
}

const MARK = 'a mark that stands for what is put';

/** Sets every field of that name, at any depth. If there is no such field, adds the field at the top. */
function putSomewhere(value: unknown, [name, put]: readonly [string, unknown]): unknown {
  const text = JSON.stringify(value, (key, child: unknown) => (key === name ? MARK : child));
  if (text.includes(MARK))
    return JSON.parse(text, (_key, child: unknown) => (child === MARK ? put : child));
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries([...entries, [name, put]]);
}

async function send({ method, path, headers, body }: HostileRequest): Promise<string | null> {
  const answer = await fetch(url + path, { method, headers, ...(body === null ? {} : { body }) });
  const type = answer.headers.get('content-type') ?? '';
  const isEndless = type.startsWith('text/event-stream');
  const text = isEndless ? '' : await answer.text();
  if (isEndless) await answer.body?.cancel();
  if (answer.status >= 500) return `${answer.status} ${text}`;
  const isProblem = type.startsWith('application/problem+json');
  return answer.status >= 400 && !isProblem ? `${answer.status} is no problem document` : null;
}

async function storeOf(accountId: string): Promise<string> {
  const { connection } = service.database.database;
  const names = (await connection.listCollections()).map(({ name }) => name).sort();
  const all = await Promise.all(
    names.map(async (name) => {
      const owned = connection.collection(name).find({ accountId });
      return [name, (await owned.toArray()).map((row) => JSON.stringify(row)).sort()];
    }),
  );
  return JSON.stringify(all);
}

test('hostile requests are refused and change nothing of another account', async () => {
  const seed = testSeed();
  const before = await storeOf(victim.id);
  const perRoute = Math.ceil(REQUESTS / routes.length);
  let sent = 0;
  for (const entry of routes) {
    const requests = fc.sample(requestsOf(entry), { numRuns: perRoute, seed }).values();
    const work = async (): Promise<void> => {
      for (const one of requests) {
        const fault = await send(one);
        sent += 1;
        if (fault === null) continue;
        const shown = { ...one, body: one.body === null ? null : Buffer.from(one.body).toString() };
        throw new Error(`seed ${seed}: ${fault} for ${JSON.stringify(shown).slice(0, 3_000)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // Moves the clock, so that the counted guesses at this route expire.
    service.clock.nowMs += 3_600_000;
  }
  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  expect(await storeOf(victim.id)).toBe(before);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('isAdmin' in {}).toBe(false);
}, 1_200_000);

describe('hostile bodies', () => {
  const account = accountOfSuite(service);
  let monitorId: string;
  let scenarioId: string;

  const STEP = {
    name: 'log in',
    method: 'POST',
    url: 'https://shop.example.com/login?next=%2F',
    headers: { Accept: 'application/json' },
    body: { user: '{{user}}', deep: [{ a: 1 }] },
    extract: { token: '$.token', id: { from: 'header', name: 'x-id', default: null } },
    assertions: [
      { type: 'status', operator: 'in', value: [200, '2xx'] },
      { type: 'jsonPath', path: '$.a[0].b', match: 'any', operator: 'matches', value: '^a+$' },
      { type: 'tls', name: 'daysUntilExpiry', operator: 'greaterThan', value: 7 },
    ],
    timeoutMs: 5000,
    retries: 1,
    always: true,
  };
  const { extract: _extract, always: _always, ...FIELDS } = STEP;
  const MONITOR = {
    ...FIELDS,
    interval: 60,
    regions: ['eu-west'],
    group: 'a/b',
    variables: { user: 'demo' },
    quorum: 'majority',
    tags: ['x'],
    key: null,
    enabled: true,
  };
  const SCENARIO = {
    name: 'Journey',
    steps: [STEP],
    interval: 300,
    regions: ['eu-west'],
    variables: { user: 'demo' },
    timeoutSeconds: 60,
    onFailure: 'stop',
  };
  const RUN = {
    variables: { size: 3 },
    regions: ['eu-west'],
    label: 'x',
    source: { provider: 'ci', url: 'https://ci.example/1', commit: 'abc' },
    notify: false,
    countInUptime: true,
  };
  const PAUSE = { until: '2100-01-01T00:00:00Z', reason: 'x' };

  beforeAll(async () => {
    const as = request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
    const monitor = await as.post('/v1/monitors').send(MONITOR);
    const scenario = await as.post('/v1/scenarios').send(SCENARIO);
    expect([monitor.status, scenario.status]).toEqual([201, 201]);
    monitorId = monitor.body.id;
    scenarioId = scenario.body.id;
  });

  const NASTY = [
    '\u0000',
    '\ud800',
    '{{',
    '{{x}}',
    '{{secret:x}}',
    '$ne',
    '$.a.b',
    'a.b',
    '__proto__',
    'constructor',
    '(a+)+$',
    'http://[::1',
    'http://\u0000',
    'http://%zz/',
    '1e999',
    ' ',
    'x'.repeat(5000),
  ];
  const nastyText = fc.oneof(
    fc.constantFrom(...NASTY),
    fc.string({ unit: anyCharacter, maxLength: 40 }),
  );
  const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
    nastyText,
    fc.constantFrom(null, true, -1, 0, 1.5, 1e308, -0, [], {}, [[]], [null]),
    fc.integer(),
    fc.double(),
    fc.array(nastyText, { maxLength: 5 }),
    fc.dictionary(nastyText, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    fc.jsonValue({ maxDepth: 4 }),
  );

  type Path = readonly (string | number)[];

  function pathsOf(value: unknown, at: Path = []): readonly Path[] {
    if (typeof value !== 'object' || value === null) return [at];
    return [at, ...Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...at, name]))];
  }

  /** Returns a copy with another value at the path. */
  function replaceAt(value: unknown, [first, ...rest]: Path, replacement: unknown): unknown {
    if (first === undefined) return replacement;
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) =>
        index === Number(first) ? replaceAt(item, rest, replacement) : item,
      );
    }
    const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
    return Object.fromEntries(
      entries.map(([name, child]) =>
        name === first ? [name, replaceAt(child, rest, replacement)] : [name, child],
      ),
    );
  }

  it.each([
    ['a new monitor', 'post', (): string => '/v1/monitors', MONITOR],
    ['a replaced monitor', 'put', (): string => `/v1/monitors/${monitorId}`, MONITOR],
    ['a patched monitor', 'patch', (): string => `/v1/monitors/${monitorId}`, MONITOR],
    ['a new scenario', 'post', (): string => '/v1/scenarios', SCENARIO],
    ['a replaced scenario', 'put', (): string => `/v1/scenarios/${scenarioId}`, SCENARIO],
    ['a run', 'post', (): string => `/v1/scenarios/${scenarioId}/run`, RUN],
    ['a pause', 'post', (): string => `/v1/monitors/${monitorId}/pause`, PAUSE],
  ] as const)(
    'hostile bodies are refused with a 4xx or create a resource: %s',
    async (_name, method, path, valid) => {
      const mutation = fc.tuple(fc.constantFrom(...pathsOf(valid)), nastyValue);
      await fc.assert(
        fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
          const body = mutations.reduce<unknown>(
            (mutated, [at, replacement]) => replaceAt(mutated, at, replacement),
            valid,
          );
          const answer = await request(service.app)
            [method](path())
            .set({ Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json' })
            .send(JSON.stringify(body));
          if (answer.status >= 500) throw new Error(`${answer.status} for ${JSON.stringify(body)}`);
          if (answer.status >= 400) expect(answer.body.code).toEqual(expect.any(String));
        }),
        propertyOptions(15),
      );
    },
  );

  it('resources created by hostile bodies can be read', async () => {
    for (const list of ['monitors', 'scenarios', `scenarios/${scenarioId}/results`]) {
      let url: string | undefined = `/v1/${list}`;
      while (url !== undefined) {
        const answer: request.Response = await request(service.app)
          .get(url)
          .set('Authorization', `Bearer ${account.key}`);
        expect(answer.status).toBe(200);
        url = answer.headers['link']?.slice(1).split('>')[0];
      }
    }
  });
});

describe('refused requests', () => {
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

  it('requests with a wrong password log the person, the source and the reason, but no password', async () => {
    const person = await personOf(service, account.id, 'viewer');
    const stored = await service.services.stores.people.findByEmail(person.email);
    const guess = { email: person.email, password: 'a wrong guess at it' };
    await request(app).post('/v1/session').send(guess);
    expect(lines).toMatchObject([
      {
        event: 'refused',
        code: 'invalid_token',
        route: '/v1/session',
        ip: expect.stringContaining('127.0.0.1'),
        about: stored?.id,
        requestId: expect.stringMatching(/^req_/),
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/wrong guess|@example/);
    await request(app).post('/v1/session').send({ email: 'x@example.com', password: PASSWORD });
    expect(lines[1]).toMatchObject({ about: 'nobody' });
  });

  it('refused requests with an invalid key log its id, but no part of the key', async () => {
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

  it('a local service refuses other host names, even if they resolve to this machine', async () => {
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
});
