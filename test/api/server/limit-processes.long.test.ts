/**
 * Tests the rate limits of a key over four real API processes in a real minute, and after a restart. CI tests two
 * applications on one database with a fake clock (limits.it.test.ts).
 */
import { z } from 'zod';
import { PLAN_BOUNDS } from '../../../src/domain/accounts/plan';
import { connectTo } from '../../models/test-database';
import { startService, type TestService } from '../../support/service';
import { waitUntil } from '../../support/wait-until';

const MINUTE_MS = 60_000;
const PROCESSES = 4;

const services: TestService[] = [];
let apiKey: string;

beforeAll(async () => {
  const first = await startApi();
  apiKey = (await first.setup()).apiKey;
  await Promise.all(Array.from({ length: PROCESSES - 1 }, () => startApi(first.suite)));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
});

async function startApi(database?: string): Promise<TestService> {
  const service = await startService({
    regions: [],
    ...(database === undefined ? {} : { database }),
    environment: { KEEPWATCH_RATE_LIMITS: 'on', KEEPWATCH_REGIONS: 'eu-west', LOG_LEVEL: 'warn' },
  });
  services.push(service);
  return service;
}

/** Milliseconds reserved for requests that are still in flight when a flood ends. */
const MARGIN_MS = 4_000;

let asked = 0;

async function ask(): Promise<Response> {
  asked += 1;
  const { url = '' } = services[asked % PROCESSES] ?? {};
  const answer = await fetch(`${url}/v1/monitors?limit=1`, {
    headers: { authorization: `Bearer ${apiKey}`, 'x-forwarded-for': `10.1.${asked % 250}.7` },
  });
  await answer.arrayBuffer();
  return answer;
}

/** Sends `count` requests, `atOnce` of them at a time. On a busy machine, fewer requests are sent within the minute. */
async function flood(count: number, atOnce: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  const endsMs = Date.now() + leftOfMinuteMs() - MARGIN_MS;
  const send = async (): Promise<void> => {
    while (statuses.length < count && Date.now() < endsMs) statuses.push((await ask()).status);
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  return statuses;
}

function leftOfMinuteMs(): number {
  return MINUTE_MS - (Date.now() % MINUTE_MS);
}

/** Waits until at least `neededMs` of the minute are left. A flood of requests must not span two minutes. */
async function untilFreshMinute(neededMs: number): Promise<void> {
  await waitUntil('a fresh minute', () => leftOfMinuteMs() >= neededMs);
}

function dayLeft(answer: Response): number {
  return Number(/"day";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
}

test('four processes together accept exactly the allowed number of requests per minute', async () => {
  const { perMinute = 0, perDay = 0 } = PLAN_BOUNDS.business.keyLimits ?? {};
  await untilFreshMinute(25_000);
  const statuses = await flood(perMinute + 100, 16);
  expect(statuses.length).toBeGreaterThan(perMinute);
  const accepted = statuses.filter((status) => status === 200).length;
  expect(Math.abs(accepted - perMinute)).toBeLessThanOrEqual(1);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));

  const [first] = services;
  await first?.kill('api');
  await first?.start('api');
  const stored = z.object({ dayUsed: z.number() });
  const { mongodbUri = '', suite = '' } = first ?? {};
  const database = await connectTo(mongodbUri, suite);
  const quota = stored.parse(await database.models.quotas.findOne({}).lean());
  await database.close();
  expect(quota.dayUsed).toBe(accepted);
  const answer = await ask();
  expect(perDay - dayLeft(answer)).toBeGreaterThanOrEqual(accepted);
});
