/**
 * Tests guarantees for every request: ids, headers, unknown paths, body limits and health. Tests guarantees for every
 * response: compression, CORS and the log line. A request that hangs or needs an unavailable server ends with a 503 at
 * a deadline. A request above the limit of concurrent requests gets a 503 at once. Both responses contain Retry-After.
 */

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { Express } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { createApp, createStartingApp } from '../../../src/api/create-app';
import { createLateDependency, createReadiness } from '../../../src/api/server/readiness';
import { createStores } from '../../../src/models';
import type { Database } from '../../../src/models/store/database';
import { AppError } from '../../../src/platform/errors';
import { createLogger } from '../../../src/platform/logger';
import { type FaultyLink, openFaultyLink } from '../../models/faulty-link';
import { connectTo } from '../../models/test-database';
import { outcomeOf } from '../../support/outcomes';
import { waitUntil } from '../../support/wait-until';
import { accountOfSuite, PUBLIC_URL, SECRET_KEY, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);

function post(body: string, headers: Record<string, string> = {}) {
  return request(service.app)
    .post('/v1/monitors')
    .set({ Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json', ...headers })
    .send(body);
}

const VALID = '{"name":"x","url":"http://example.com"}';

it("every response has an X-Request-Id: the request's id if it is valid, otherwise a new id", async () => {
  const given = await request(service.app).get('/healthz').set('X-Request-Id', 'abc-1.2:3_4');
  expect(given.headers['x-request-id']).toBe('abc-1.2:3_4');
  for (const bad of ['', 'a b', 'x'.repeat(129), '<script>']) {
    const { headers } = await request(service.app).get('/v1/account').set('X-Request-Id', bad);
    expect(headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  }
});

it('a request for an unknown path gets a problem response', async () => {
  for (const url of ['/v1', '/v1/nothing', '/v1/monitors/', '/V1/monitors', '/v1/%ff', '/%']) {
    const answer = await request(service.app).get(url);
    expect(answer.body).toMatchObject({ status: 404, code: 'not_found' });
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  }
});

it('responses have the usual security headers and do not reveal Express or a version', async () => {
  const { headers } = await request(service.app).get('/healthz');
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('strict-transport-security');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
});

it('HEAD gets the same response as GET, without a body', async () => {
  const answer = await request(service.app)
    .head('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`);
  expect(answer.status).toBe(200);
  expect(answer.text).toBeUndefined();
});

describe('request bodies', () => {
  it.each([
    ['that ends early', 400, 'invalid_json', '{"name":'],
    ['without content', 400, 'invalid_json', ''],
    ['with a surplus brace', 400, 'invalid_json', '{"a":1}}'],
    ['of 33 nested lists', 400, 'invalid_json', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['of 60,000 opening brackets', 400, 'invalid_json', '['.repeat(60_000)],
    ['of more than 256 KiB', 413, 'payload_too_large', `"${'x'.repeat(262_145)}"`],
    [
      'with an unknown field',
      400,
      'validation_failed',
      `{"name":"x","url":"http://example.com","x":"${'[{'.repeat(100)}"}`,
    ],
    [
      'with a field named __proto__',
      400,
      'validation_failed',
      '{"name":"x","url":"http://example.com","__proto__":{}}',
    ],
    ['that is null', 400, 'validation_failed', 'null'],
  ])('a request body %s is refused with %i %s', async (_, status, code, body) => {
    const answer = await post(body);
    expect(answer.body).toMatchObject({ status, code });
  });

  it('the refusal of a body that is not JSON gives the position of the error and does not quote the body', async () => {
    const { body } = await post('{"name": "secret",\n  "url": "x",}');
    expect(body.detail).toBe('The body is not valid JSON at line 2, column 14.');
    expect(body.detail).not.toContain('secret');
  });

  it('request bodies are accepted up to 256 KiB and 32 levels', async () => {
    const deep = `${'['.repeat(31)}${']'.repeat(31)}`;
    const nested = await post(
      `{"name":"x","url":"http://example.com","method":"POST","body":${deep}}`,
    );
    expect(nested.status).toBe(201);
    const padded = await post(VALID.padEnd(262_144, ' '));
    expect(padded.status).toBe(201);
  });

  it('request bodies cannot change prototypes', async () => {
    await post(
      '{"name":"x","url":"http://example.com","method":"POST","body":{"__proto__":{"isAdmin":1}},"variables":{"__proto__":"x"},"headers":{"constructor":"y"}}',
    );
    expect({}).not.toHaveProperty('isAdmin');
    expect(Object.prototype.constructor).toBe(Object);
  });

  it('request bodies must have a JSON media type, be UTF-8, and be uncompressed', async () => {
    for (const type of ['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded']) {
      const answer = await post(VALID, { 'Content-Type': type });
      expect(answer.body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    }
    expect((await post(VALID, { 'Content-Type': 'Application/JSON; charset=utf-8' })).status).toBe(
      201,
    );
    expect((await post(VALID, { 'Content-Encoding': 'gzip' })).status).toBe(415);
    const latin1 = await request(service.app)
      .post('/v1/monitors')
      .set({ Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json' })
      .serialize((body) => body)
      .send(Buffer.from('{"name":"\xff"}', 'latin1'));
    expect(latin1.body).toMatchObject({ status: 400, code: 'invalid_json' });
  });
});

describe('the health routes', () => {
  const up = async () => undefined;
  const down = async () => {
    throw new AppError('unavailable', 'away');
  };

  it('the health routes report for each dependency whether it responds', async () => {
    const read = createReadiness(
      [
        { name: 'database', ping: up },
        { name: 'temporal', ping: down },
      ],
      () => 0,
    );
    expect(await read()).toEqual({
      isReady: false,
      dependencies: { database: { status: 'up' }, temporal: { status: 'down' } },
    });
  });

  it('the health routes check dependencies at most once a second, even for parallel requests', async () => {
    let pings = 0;
    let nowMs = 0;
    const ping = async () => {
      pings += 1;
    };
    const read = createReadiness([{ name: 'database', ping }], () => nowMs);
    await Promise.all([read(), read(), read()]);
    nowMs = 999;
    await read();
    expect(pings).toBe(1);
    nowMs = 1000;
    await read();
    expect(pings).toBe(2);
  });

  it('the health routes report a process without a database as alive but not ready', async () => {
    const slot = createLateDependency('database');
    let nowMs = 0;
    const app = createStartingApp({
      logger: createLogger('test', 'silent'),
      newRequestId: () => 'req_1',
      readReadiness: createReadiness([slot], () => nowMs),
      publicUrl: PUBLIC_URL,
      secretKeys: ['ab'.repeat(32)],
      metricsToken: null,
      trustedProxies: 0,
    });
    expect((await request(app).get('/healthz')).body).toEqual({ status: 'ok' });
    const before = await request(app).get('/readyz');
    expect(before.status).toBe(503);
    expect(before.body.dependencies).toEqual({ database: { status: 'down' } });
    const refused = await request(app).get('/v1/monitors');
    expect(refused.body).toMatchObject({ status: 503, code: 'unavailable' });
    expect(refused.headers['retry-after']).toBe('5');
    slot.setPing(up);
    nowMs = 1000;
    expect((await request(app).get('/readyz')).body).toEqual({
      status: 'ready',
      dependencies: { database: { status: 'up' } },
    });
  });
});

describe('responses on the wire', () => {
  const ORIGIN = 'https://tools.example.com';
  let app: Express;
  let key: string;
  const lines: string[] = [];

  beforeAll(async () => {
    key = (await service.newAccount()).key;
    const log = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    const options = {
      logger: pino({ level: 'info' }, log),
      newRequestId: () => service.services.newId('request'),
      readReadiness: async () => ({ isReady: true, dependencies: {} }),
      publicUrl: PUBLIC_URL,
      secretKeys: [SECRET_KEY],
      metricsToken: null,
      trustedProxies: 0,
      corsOrigins: [ORIGIN],
    };
    app = createApp(options, service.services);
  });
  beforeEach(() => {
    lines.length = 0;
  });

  function get(path: string) {
    return request(app).get(path).set('Authorization', `Bearer ${key}`);
  }

  it('responses on the wire are compressed only if they are long and the client accepts it', async () => {
    const long = await request(app).get('/v1/openapi.json').set('Accept-Encoding', 'gzip');
    expect(long.headers['content-encoding']).toBe('gzip');
    expect(long.headers['vary']).toContain('Accept-Encoding');
    expect(long.body).toMatchObject({ openapi: '3.1.0' });
    const plain = await request(app).get('/v1/openapi.json').set('Accept-Encoding', 'identity');
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const short = await get('/v1/session').set('Accept-Encoding', 'gzip');
    expect(short.headers).not.toHaveProperty('content-encoding');
  });

  it('responses on the wire let pages of configured origins use an API key, but never a cookie', async () => {
    const answer = await get('/v1/session').set('Origin', ORIGIN);
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    const preflight = await request(app)
      .options('/v1/monitors')
      .set({ Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
  });

  it.each([
    'https://evil.example.com',
    'https://tools.example.com.evil.com',
    'null',
    `${ORIGIN}:444`,
  ])('responses on the wire have no CORS headers for a page of %s', async (origin) => {
    const answer = await get('/v1/session').set('Origin', origin);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    const preflight = await request(app)
      .options('/v1/monitors')
      .set({ Origin: origin, 'Access-Control-Request-Method': 'POST' });
    expect(preflight.status).toBe(405);
  });

  it('responses on the wire allow no page of another origin by default', async () => {
    const answer = await request(service.app).get('/v1/setup').set('Origin', ORIGIN);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('responses on the wire are logged by route, without URL, query, key or body', async () => {
    const id = service.services.newId('monitor');
    await get(`/v1/monitors/${id}?secret=needle`).set('X-Request-Id', 'mine-1');
    await waitUntil('the line is written', () => lines.length === 1);
    const [line = ''] = lines;
    expect(JSON.parse(line)).toMatchObject({
      level: 30,
      requestId: 'mine-1',
      method: 'GET',
      route: '/v1/monitors/:monitorId',
      status: 400,
      ms: expect.any(Number),
    });
    for (const part of ['needle', id, key]) expect(line).not.toContain(part);
  });

  it('health checks are not logged', async () => {
    await request(app).get('/healthz');
    await get('/v1/session');
    await waitUntil('a line is written', () => lines.length > 0);
    expect(lines).toHaveLength(1);
  });
});

describe('deadlines', () => {
  const DEADLINES = { callMs: 300, connectMs: 200 };
  const MONITOR = { name: 'Shop', url: 'http://shop.example.com/' };
  const REFUSED = { status: 503, code: 'unavailable', retryAfter: expect.any(String) };

  const account = accountOfSuite(service);

  /** Sends a request with the key of the account to the application. Returns the relevant parts of the response. */
  async function call(app: Express, method: 'get' | 'post', path: string, body?: object) {
    const sent = request(app)[method](path).set('Authorization', `Bearer ${account.key}`);
    const { status, body: answer, headers } = await sent.send(body);
    return { status, code: answer.code, retryAfter: headers['retry-after'] };
  }

  describe('while the database is away', () => {
    let link: FaultyLink;
    let linked: Database;
    let app: Express;

    beforeAll(async () => {
      link = await openFaultyLink(service.database.uri);
      linked = await connectTo(link.uri, service.database.name, DEADLINES);
      app = service.appWith({ stores: createStores(linked, service.services.clock) });
    });
    afterEach(() => link.heal());
    afterAll(async () => {
      await linked.close();
      await link.close();
    });

    it.each(['cut', 'freeze'] as const)(
      'while the database is away (%s), requests are refused, and succeed again afterwards',
      async (fault) => {
        const { monitors } = service.services.stores;
        const before = await monitors.count(account.id);
        link[fault]();
        const refusals = await Promise.all([
          call(app, 'get', '/v1/monitors'),
          call(app, 'get', '/v1/account'),
          call(app, 'post', '/v1/monitors', MONITOR),
          call(app, 'post', '/v1/session', { email: 'owner@example.com', password: 'x' }),
          call(app, 'post', '/v1/api-keys', { name: 'x' }),
          call(app, 'post', '/ping/a-token-of-some-job'),
        ]);
        for (const refusal of refusals) expect(refusal).toEqual(REFUSED);
        expect((await request(app).get('/healthz')).status).toBe(200);
        link.heal();
        await waitUntil('reads are answered again', async () => {
          return (await call(app, 'get', '/v1/monitors')).status === 200;
        });
        expect(await monitors.count(account.id)).toBe(before);
      },
    );
  });

  describe('a request that hangs', () => {
    it('a request that hangs is refused at the usual deadline', async () => {
      let finishTest: (() => void) | undefined;
      const gateway = {
        ...service.gateway,
        configureMonitor: () => new Promise<void>(() => undefined),
        testMonitor: async () => {
          await new Promise<void>((resolve) => {
            finishTest = resolve;
          });
          return outcomeOf('up');
        },
      };
      const app = service.appWith({ gateway }, { requestDeadlineMs: 300 });
      const testing = call(app, 'post', '/v1/monitors/test', { ...MONITOR, region: 'eu-west' });
      expect(await call(app, 'post', '/v1/monitors', MONITOR)).toEqual(REFUSED);
      expect(await call(app, 'post', '/v1/monitors', MONITOR)).toEqual(REFUSED);
      (await waitUntil('the test has begun', () => finishTest))();
      expect((await testing).status).toBe(200);
    });
  });

  describe('more requests than the process can serve', () => {
    const ONE = { atOnce: 1, waitingMax: 1, waitMaxMs: 60_000 };

    /** Creates an application whose database holds each query until the test releases it. */
    function heldApp() {
      const { stores } = service.services;
      const begun: (() => void)[] = [];
      const held = async (): Promise<null> => {
        await new Promise<void>((resolve) => {
          begun.push(resolve);
        });
        return null;
      };
      const app = service.appWith(
        {
          stores: {
            ...stores,
            monitors: { ...stores.monitors, findByPing: held },
            apiKeys: { ...stores.apiKeys, findByHash: held },
          },
        },
        { loadBounds: { pings: ONE, requests: ONE } },
      );
      return { app, begun };
    }

    it.each([
      ['pings', 'post', '/ping/a-token-of-some-job', 404],
      ['requests', 'get', '/v1/monitors', 401],
    ] as const)(
      'requests beyond the limit (%s) are refused at once, while health checks and other requests continue',
      async (...given) => {
        const [, method, path, statusWhenServed] = given;
        const { app, begun } = heldApp();
        const calls = [1, 2, 3].map(() => call(app, method, path));
        expect(await Promise.race(calls)).toEqual(REFUSED);
        expect((await request(app).get('/healthz')).body).toEqual({ status: 'ok' });
        expect((await request(app).get('/readyz')).status).toBe(200);
        expect((await request(app).get('/docs')).status).toBe(200);
        for (const index of [0, 1]) {
          await waitUntil('the next request is being processed', () => begun.length > index);
          begun[index]?.();
        }
        const statuses = (await Promise.all(calls)).map(({ status }) => status);
        expect(statuses.toSorted((a, b) => a - b)).toEqual([
          statusWhenServed,
          statusWhenServed,
          503,
        ]);
      },
    );

    it('pings with an incomplete body or an unknown token do not count towards the limit of concurrent requests', async () => {
      const body = { type: 'heartbeat', name: 'job', schedule: { everySeconds: 60 } };
      const sent = request(service.app).post('/v1/monitors').send(body);
      const made = await sent.set('Authorization', `Bearer ${account.key}`).expect(201);
      const { pathname } = new URL(made.body.pingUrl);
      const { stores } = service.services;
      let known = 0;
      const findByPing: typeof stores.monitors.findByPing = async (...given) => {
        const found = await stores.monitors.findByPing(...given);
        if (found !== null) known += 1;
        return found;
      };
      const bounds = { ...ONE, waitingMax: 0 };
      const overrides = { stores: { ...stores, monitors: { ...stores.monitors, findByPing } } };
      const app = service.appWith(overrides, { loadBounds: { pings: bounds, requests: ONE } });
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const begin = (path: string) => {
        const headers = { 'content-length': '5' };
        const asked = httpRequest({ port, path, method: 'POST', headers });
        asked.write('slo');
        const answered = once(asked, 'response').then(([{ statusCode }]) => statusCode);
        return { asked, answered };
      };
      const slow = begin(pathname);
      await waitUntil('its token is known', () => known === 1);
      expect((await fetch(`http://127.0.0.1:${port}${pathname}`)).status).toBe(200);
      const unknown = begin('/ping/a-token-of-nobody');
      expect(await unknown.answered).toBe(404);
      unknown.asked.destroy();
      slow.asked.end('ow');
      expect(await slow.answered).toBe(200);
      server.close();
      server.closeAllConnections();
    });
  });
});

it.each([
  ['/v1/monitors/', 'No such endpoint. Leave out the slash at the end.'],
  ['/v1/monitor', 'No such endpoint.'],
])(
  'a request for %s, which is not an endpoint, gets a 404 that explains why',
  async (path, detail) => {
    const answer = await request(service.app)
      .get(path)
      .set('Authorization', `Bearer ${account.key}`);
    expect([answer.status, answer.body.detail]).toEqual([404, detail]);
  },
);

it.each([
  ['limit=10000', 'limit', 'must be from 1 to 500'],
  ['limit=0', 'limit', 'must be from 1 to 500'],
  ['limit=ten', 'limit', 'must be a whole number from 1 to 500'],
  ['tags=web', 'tags', 'is not a known field (did you mean tag?)'],
])(
  'the query %s is refused, with a hint on what to write instead',
  async (query, path, message) => {
    const answer = await request(service.app)
      .get(`/v1/monitors?${query}`)
      .set('Authorization', `Bearer ${account.key}`);
    expect(answer.body).toMatchObject({ status: 400, errors: [{ path, message }] });
  },
);
