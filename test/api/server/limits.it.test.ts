/**
 * Tests the limits per minute and per day of an API key, on the real application and database with a fake clock.
 *
 * Covers:
 * - api/routing/admit-caller
 * - services/accounts/spend-quota
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import request from 'supertest';
import { createCallerGate, type Exchange } from '../../../src/api/routing/admit-caller';
import { ROUTES } from '../../../src/api/v1/route-table';
import { PLAN_BOUNDS, type Plan } from '../../../src/domain/accounts/plan';
import { manyTimes } from '../../support/many-times';
import { personOf } from '../people';
import { suiteService, type TestAccount } from '../test-service';

/** The time is five seconds before the end of a minute. */
const NOW_MS = Date.UTC(2026, 2, 1, 12, 0, 55);
const MINUTE_MS = 60_000;

const pauses: number[] = [];
const service = suiteService({
  areKeysLimited: true,
  sleep: async (ms) => {
    pauses.push(ms);
  },
});
let account: TestAccount;

beforeEach(async () => {
  service.clock.nowMs = NOW_MS;
  account = await service.newAccount();
});

function get(key = account.key, path = '/v1/monitors?limit=1') {
  return request(service.app).get(path).set('Authorization', `Bearer ${key}`);
}

async function putOnPlan(plan: Plan): Promise<void> {
  const { accounts } = service.database.database.models;
  await accounts.updateOne({ _id: account.id }, { $set: { plan } });
}

/** Stores counts as if the key had sent this many requests already. */
async function use(fields: { readonly minuteUsed?: number; readonly dayUsed?: number }) {
  const { quotas } = service.database.database.models;
  await quotas.updateMany({ accountId: account.id }, { $set: fields });
}

/** Counts the responses by status. */
function countsOf(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

it('every authenticated response contains the policy and the remaining quota', async () => {
  await putOnPlan('pro');
  const first = await get();
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"minute";q=60;w=60, "day";q=10000;w=86400',
    ratelimit: '"minute";r=59;t=5, "day";r=9999;t=43145',
  });
  expect((await get()).headers['ratelimit']).toBe('"minute";r=58;t=5, "day";r=9998;t=43145');
});

it('every response to an API key has the rate limit headers, even a refusal', async () => {
  const routes = ROUTES;
  for (const { method, path, scope } of routes) {
    // Requests only the head of a stream, because a stream does not end.
    const verb = path === '/v1/events' ? 'head' : verbOf(method);
    const answer = await request(service.app)
      [verb](path.replaceAll(/:\w+/g, 'none'))
      .set({ Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json' })
      .send(method === 'GET' ? undefined : '{');
    expect([path, answer.headers['ratelimit'] !== undefined]).toEqual([path, scope !== 'public']);
  }
  const readOnly = await account.newKey({ scopes: ['read'] });
  const forbidden = await request(service.app)
    .post('/v1/monitors')
    .set('Authorization', `Bearer ${readOnly}`);
  expect([forbidden.status, forbidden.headers['ratelimit']?.slice(0, 14)]).toEqual([
    403,
    '"minute";r=299',
  ]);
});

function verbOf(method: string) {
  const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;
  return verbs[method as keyof typeof verbs];
}

it.each(['pro', 'growth', 'business'] as const)(
  'on the plan %s, the limit per minute is exact, and refused requests do not count',
  async (plan) => {
    await putOnPlan(plan);
    const { perMinute = 0 } = PLAN_BOUNDS[plan].keyLimits ?? {};
    await get();
    await use({ minuteUsed: perMinute - 2 });
    const answers = await manyTimes(20, async () => get());
    expect(countsOf(answers)).toEqual({ 200: 2, 429: 18 });
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused[0]?.body).toMatchObject({
      code: 'rate_limited',
      violatedPolicies: ['minute'],
    });
    expect(refused[0]?.headers['retry-after']).toBe('5');
    expect(refused[0]?.headers['ratelimit']).toMatch(/^"minute";r=0;t=5, "day";r=\d+;t=43145$/);
    const quota = await service.database.database.models.quotas
      .findOne({ accountId: account.id })
      .lean();
    expect([quota?.minuteUsed, quota?.dayUsed]).toEqual([perMinute, 3]);
    service.clock.nowMs += 5_000;
    const next = await get();
    expect([next.status, next.headers['ratelimit']?.split(',')[0]]).toEqual([
      200,
      `"minute";r=${perMinute - 1};t=60`,
    ]);
  },
);

it('the daily limit counts all minutes of a UTC day, and a new day starts at zero', async () => {
  await putOnPlan('pro');
  await get();
  await use({ dayUsed: 10_000 });
  for (const passedMs of [0, MINUTE_MS, 6 * 60 * MINUTE_MS]) {
    service.clock.nowMs = NOW_MS + passedMs;
    const refused = await get();
    expect(refused.body).toMatchObject({ status: 429, violatedPolicies: ['day'] });
  }
  service.clock.nowMs = Date.UTC(2026, 2, 2);
  expect((await get()).headers['ratelimit']).toMatch(/^"minute";r=59;t=60, "day";r=9999;/);
});

it('requests of each API key are counted separately, and requests of people are not counted', async () => {
  await putOnPlan('pro');
  await get();
  await use({ minuteUsed: 60 });
  expect((await get()).status).toBe(429);
  expect((await get(await account.newKey())).status).toBe(200);
  const { cookie } = await personOf(service, account.id, 'viewer');
  const answer = await request(service.app).get('/v1/account').set('Cookie', cookie);
  expect(answer.status).toBe(200);
  expect(answer.headers).not.toHaveProperty('ratelimit');
  const { quotas } = service.database.database.models;
  expect(await quotas.countDocuments({ accountId: account.id })).toBe(2);
});

it('an API key that ignores Retry-After gets delayed refusals without a database query for five seconds', async () => {
  service.clock.nowMs = NOW_MS - 40_000;
  await putOnPlan('pro');
  await get();
  await use({ minuteUsed: 60 });
  const refused = await get();
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '45']);
  await use({ minuteUsed: 0 });
  pauses.length = 0;
  service.clock.nowMs += 4_999;
  const again = await get();
  expect(pauses).toEqual([1_000]);
  expect([again.status, again.headers['retry-after'], again.body.violatedPolicies]).toEqual([
    429,
    '41',
    ['minute'],
  ]);
  expect(again.headers['ratelimit']).toMatch(/^"minute";r=0;t=41,/);
  service.clock.nowMs += 1;
  expect((await get()).status).toBe(200);
});

it('a person may send only so many requests per minute, and then gets 429', async () => {
  const { cookie } = await personOf(service, account.id, 'viewer');
  const gate = createCallerGate(service.services, service.services.publicUrl, 20);
  const route = {
    method: 'GET',
    path: '/v1/account',
    scope: 'read',
    isOpenWithoutFactor: false,
  } as const;
  const ask = () =>
    gate.admit(route, {
      request: { headers: { cookie }, ip: '127.0.0.1' },
      response: { locals: {}, set: () => undefined },
    } as unknown as Exchange);
  await manyTimes(20, ask);
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' });
  service.clock.nowMs += 5_000;
  expect(await ask()).toMatchObject({ accountId: account.id });
});

it('all processes count requests in the same window, even if one clock is slightly fast', async () => {
  await putOnPlan('pro');
  service.clock.nowMs = NOW_MS + 10_000;
  await get();
  await use({ minuteUsed: 60 });
  service.clock.nowMs = NOW_MS;
  expect((await get()).status).toBe(429);
  service.clock.nowMs = NOW_MS + 10 * MINUTE_MS;
  await get();
  service.clock.nowMs = NOW_MS;
  expect((await get()).headers['ratelimit']).toMatch(/^"minute";r=59;t=5/);
});

describe('two processes on one database', () => {
  let processes: Server[];

  beforeEach(async () => {
    processes = await Promise.all([startProcess(), startProcess()]);
  });
  afterEach(() => {
    for (const server of processes) server.close();
  });

  let asked = 0;

  /** An API process that shares no memory with the others. */
  async function startProcess(): Promise<Server> {
    const server = createServer(service.appWith({})).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  /** Sends a request to the next process in turn. Each request comes from another IP address. */
  function ask() {
    const next = processes.shift();
    if (next === undefined) throw new Error('no process runs');
    processes.push(next);
    asked += 1;
    return request(next)
      .get('/v1/monitors?limit=1')
      .set('Authorization', `Bearer ${account.key}`)
      .set('X-Forwarded-For', `10.1.${asked % 250}.7`);
  }

  it('two processes together enforce the exact limit per minute and ignore X-Forwarded-For', async () => {
    await putOnPlan('pro');
    await ask();
    await use({ minuteUsed: 40 });
    expect(countsOf(await manyTimes(60, async () => ask()))).toEqual({ 200: 20, 429: 40 });
    service.clock.nowMs += 5_000;
    expect((await ask()).status).toBe(200);
  });

  it('two processes on one database keep their counts of requests over a restart', async () => {
    await putOnPlan('pro');
    await ask();
    await use({ minuteUsed: 60 });
    expect((await ask()).status).toBe(429);
    for (const server of processes) server.close();
    processes = [await startProcess()];
    expect((await ask()).status).toBe(429);
    service.clock.nowMs += 5_000;
    expect((await ask()).headers['ratelimit']).toBe('"minute";r=59;t=60, "day";r=9998;t=43140');
  });
});
