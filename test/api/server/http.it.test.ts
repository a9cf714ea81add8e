/** What holds for every request: ids, headers, unknown paths, bounds on bodies, health. */
import request from 'supertest';
import { createStartingApp } from '../../../src/api/create-app';
import { createReadiness, createSlot } from '../../../src/api/server/readiness';
import { AppError } from '../../../src/platform/errors';
import { createLogger } from '../../../src/platform/logger';
import { accountOfSuite, PUBLIC_URL, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);

function post(body: string, headers: Record<string, string> = {}) {
  return request(service.app)
    .post('/v1/monitors')
    .set({ Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json', ...headers })
    .send(body);
}

const VALID = '{"name":"x","url":"http://example.com"}';

it('sends back a sane X-Request-Id, and makes one otherwise', async () => {
  const given = await request(service.app).get('/healthz').set('X-Request-Id', 'abc-1.2:3_4');
  expect(given.headers['x-request-id']).toBe('abc-1.2:3_4');
  for (const bad of ['', 'a b', 'x'.repeat(129), '<script>']) {
    const { headers } = await request(service.app).get('/v1/account').set('X-Request-Id', bad);
    expect(headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  }
});

it('answers unknown paths with a problem, whatever is in them', async () => {
  for (const url of ['/v1', '/v1/nothing', '/v1/monitors/', '/V1/monitors', '/v1/%ff', '/%']) {
    const answer = await request(service.app).get(url);
    expect(answer.body).toMatchObject({ status: 404, code: 'not_found' });
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  }
});

it('tells neither Express nor a version, and sets the usual headers', async () => {
  const { headers } = await request(service.app).get('/healthz');
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('strict-transport-security');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
});

it('answers HEAD like GET, without a body', async () => {
  const answer = await request(service.app)
    .head('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`);
  expect(answer.status).toBe(200);
  expect(answer.text).toBeUndefined();
});

describe('bodies', () => {
  it.each([
    ['{"name":', 400, 'invalid_json'],
    ['', 400, 'invalid_json'],
    ['{"a":1}}', 400, 'invalid_json'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 400, 'invalid_json'],
    ['['.repeat(60_000), 400, 'invalid_json'],
    [`"${'x'.repeat(262_145)}"`, 413, 'payload_too_large'],
    [`{"name":"x","url":"http://example.com","x":"${'[{'.repeat(100)}"}`, 400, 'validation_failed'],
    ['{"name":"x","url":"http://example.com","__proto__":{}}', 400, 'validation_failed'],
    ['null', 400, 'validation_failed'],
  ])('%#: are refused with the code that fits', async (body, status, code) => {
    const answer = await post(body);
    expect(answer.body).toMatchObject({ status, code });
  });

  it('are taken up to 256 KiB and 32 levels', async () => {
    const deep = `${'['.repeat(31)}${']'.repeat(31)}`;
    const nested = await post(
      `{"name":"x","url":"http://example.com","method":"POST","body":${deep}}`,
    );
    expect(nested.status).toBe(201);
    const padded = await post(VALID.padEnd(262_144, ' '));
    expect(padded.status).toBe(201);
  });

  it('cannot reach into prototypes', async () => {
    await post(
      '{"name":"x","url":"http://example.com","method":"POST","body":{"__proto__":{"isAdmin":1}},"variables":{"__proto__":"x"},"headers":{"constructor":"y"}}',
    );
    expect({}).not.toHaveProperty('isAdmin');
    expect(Object.prototype.constructor).toBe(Object);
  });

  it('must be JSON by their media type, in UTF-8, and not compressed', async () => {
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

describe('health', () => {
  const up = async () => undefined;
  const down = async () => {
    throw new AppError('unavailable', 'away');
  };

  it('says for each dependency whether it is there', async () => {
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

  it('asks at most once a second, however many ask in parallel', async () => {
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

  it('answers while the database has not been reached: alive, not ready, 503 for all the rest', async () => {
    const slot = createSlot('database');
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
    slot.fill(up);
    nowMs = 1000;
    expect((await request(app).get('/readyz')).body).toEqual({
      status: 'ready',
      dependencies: { database: { status: 'up' } },
    });
  });
});
