/** What surrounds every answer: compression, other origins, and the line in the log. */
import { Writable } from 'node:stream';
import type { Express } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { createApp } from '../../../src/api/create-app';
import { waitUntil } from '../../support/wait-until';
import { PUBLIC_URL, SECRET_KEY, suiteService } from '../test-service';

const ORIGIN = 'https://tools.example.com';
const service = suiteService();
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

it('compresses long answers for those who take it, and no short ones', async () => {
  const long = await request(app).get('/v1/openapi.json').set('Accept-Encoding', 'gzip');
  expect(long.headers['content-encoding']).toBe('gzip');
  expect(long.headers['vary']).toContain('Accept-Encoding');
  expect(long.body).toMatchObject({ openapi: '3.1.0' });
  const plain = await request(app).get('/v1/openapi.json').set('Accept-Encoding', 'identity');
  expect(plain.headers).not.toHaveProperty('content-encoding');
  const short = await get('/v1/session').set('Accept-Encoding', 'gzip');
  expect(short.headers).not.toHaveProperty('content-encoding');
});

it('lets pages of the given origins call with a key, never with a cookie', async () => {
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
])('tells a page of %s nothing', async (origin) => {
  const answer = await get('/v1/session').set('Origin', origin);
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  const preflight = await request(app)
    .options('/v1/monitors')
    .set({ Origin: origin, 'Access-Control-Request-Method': 'POST' });
  expect(preflight.status).toBe(405);
});

it('lets no other origin in unless it is told to', async () => {
  const answer = await request(service.app).get('/v1/setup').set('Origin', ORIGIN);
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
});

it('logs each request by its route, without its address, query, key or body', async () => {
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

it('does not log what machines ask every few seconds', async () => {
  await request(app).get('/healthz');
  await get('/v1/session');
  await waitUntil('a line is written', () => lines.length > 0);
  expect(lines).toHaveLength(1);
});
