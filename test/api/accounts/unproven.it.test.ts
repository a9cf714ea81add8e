/**
 * Every way in that proves itself without an API key or a session slows down who guesses there. A way that is not
 * in the table fails here, whichever router it is in. It needs the counts of a database.
 */
import request, { type Test } from 'supertest';
import { ROUTES } from '../../../src/api/v1/route-table';
import { newApiKey } from '../../../src/services/accounts/api-key-format';
import { pathsOf } from '../routing/paths-of';
import { PUBLIC_URL, suiteService } from '../test-service';

const service = suiteService({}, { trustedProxies: 1 });

/** More than any way lets somebody try before they have to wait. */
const TRIES = 70;
const PASSWORD = 'a-long-password-for-tests';
const TOKEN = 't'.repeat(43);

type Guess = (index: number) => Test;

const post =
  (path: string, body: (index: number) => object): Guess =>
  (index) =>
    request(service.app).post(path).set('Origin', PUBLIC_URL).send(body(index));
const probe =
  (method: 'get' | 'post', path: string): Guess =>
  () =>
    request(service.app)
      [method](path)
      .set('Authorization', `Bearer ${TOKEN}`)
      .set('X-Keepwatch-Region', 'eu-west')
      .set('X-Keepwatch-Probe-Key', 'local');

/** By route. */
const GUESSED: Readonly<Record<string, Guess>> = {
  'POST /v1/setup': post('/v1/setup', () => ({
    setupToken: TOKEN,
    accountName: 'Mine',
    email: 'a@example.com',
    password: PASSWORD,
  })),
  'POST /v1/session': post('/v1/session', () => ({ email: 'a@example.com', password: PASSWORD })),
  'POST /v1/invitations/accept': post('/v1/invitations/accept', () => ({
    token: TOKEN,
    password: PASSWORD,
  })),
  'POST /v1/password/reset-request': post('/v1/password/reset-request', (index) => ({
    email: `a${index}@example.com`,
  })),
  'POST /v1/password/reset': post('/v1/password/reset', () => ({
    token: TOKEN,
    password: PASSWORD,
  })),
  'POST /v1/incidents/acknowledge': post('/v1/incidents/acknowledge', () => ({ token: TOKEN })),
  'ALL /hooks/:channelId': post(`/hooks/chn_${'0'.repeat(26)}`, () => ({})),
  'GET /metrics': () =>
    request(service.app).get('/metrics').set('Authorization', `Bearer ${TOKEN}`),
  'POST /ping/:token': post(`/ping/${TOKEN}`, () => ({})),
  'any route with a key': () =>
    request(service.app)
      .get('/v1/monitors')
      .set('Authorization', `Bearer ${newApiKey((count) => Buffer.alloc(count, 7))}`),
};

/** Ways that are one, since one function admits to all of them. */
const PROBE_PATH = /^\/internal\/probe\//;
/** What anybody may read, and what asks for a key or a session, as `any route with a key` does. */
const OPEN =
  /^(?:GET \/v1\/(?:setup|openapi\.json|schema\.json)|(?:GET|HEAD|ALL) \/(?:|healthz|readyz|livez|docs|login|welcome|invitation|reset-password|acknowledge|setup|status|badges|robots\.txt|favicon).*|POST \/internal\/codec\/decode)$/;

test.each(Object.entries(GUESSED))('%s makes who guesses wait', async (_, guess) => {
  await service.database.database.models.failedSignIns.deleteMany({});
  const statuses: number[] = [];
  for (let index = 0; index < TRIES && statuses.at(-1) !== 429; index += 1)
    statuses.push((await guess(index)).status);
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.length).toBeGreaterThan(1);
});

test('every path of probes makes who guesses wait', async () => {
  const paths = pathsOf(service.appWith({})).filter(({ path }) => PROBE_PATH.test(path));
  expect(paths.length).toBeGreaterThan(3);
  for (const { method, path } of paths) {
    await service.database.database.models.failedSignIns.deleteMany({});
    const guess = probe(method === 'POST' ? 'post' : 'get', path.replaceAll(/:\w+/g, '1'));
    const statuses: number[] = [];
    for (let index = 0; index < TRIES && statuses.at(-1) !== 429; index += 1)
      statuses.push((await guess(index)).status);
    expect([path, statuses[0], statuses.at(-1)]).toEqual([path, 401, 429]);
  }
});

test('every way in is in the table, asks for a key or a session, or is open to anybody', () => {
  const withKey = new Set(
    ROUTES.filter(({ scope }) => scope !== 'public').map(({ method, path }) => `${method} ${path}`),
  );
  const ways = pathsOf(service.appWith({}))
    .map(({ method, path }) => `${method} ${path}`)
    // What answers other methods of a path of `/v1`.
    .filter((way) => !PROBE_PATH.test(way.split(' ')[1] ?? '') && !way.startsWith('ALL /v1/'));
  const unknown = ways.filter((way) => !withKey.has(way) && !OPEN.test(way) && !(way in GUESSED));
  expect(unknown).toEqual([]);
  const publicWays = ROUTES.filter(({ scope }) => scope === 'public').map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(publicWays.filter((way) => !(way in GUESSED) && !OPEN.test(way))).toEqual([]);
});
