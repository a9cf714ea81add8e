/**
 * Tests the API as a process while its database or Temporal is down. Requests that do not need the failed server
 * succeed, and other requests get a 503. No write is half-finished, and everything works again without a restart. CI
 * tests the same in one process (deadlines.it.test.ts, database-away.it.test.ts).
 */
import { z } from 'zod';
import { type FaultyLink, openFaultyLink } from '../../models/faulty-link';
import {
  databaseUri,
  startService,
  type TestService,
  temporalAddress,
} from '../../support/service';
import { waitUntil } from '../../support/wait-until';

const MONITOR = { name: 'Shop', url: 'http://shop.example.com/', enabled: false };

let service: TestService;
let key: string;
const links: Record<'database' | 'temporal', FaultyLink> = {} as never;

beforeAll(async () => {
  links.temporal = await openFaultyLink(`http://${temporalAddress()}`);
  links.database = await openFaultyLink(databaseUri('through-a-link'));
  service = await startService({
    regions: [],
    environment: {
      KEEPWATCH_REGIONS: 'eu-west',
      KEEPWATCH_RATE_LIMITS: 'on',
      MONGODB_URI: links.database.uri,
      TEMPORAL_ADDRESS: new URL(links.temporal.uri).host,
    },
  });
  key = (await service.setup()).apiKey;
});
afterEach(() => {
  links.database.heal();
  links.temporal.heal();
});
afterAll(async () => {
  await service?.stop();
  await Promise.all(Object.values(links).map((link) => link.close()));
});

interface Told {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly code: unknown;
}

async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Told> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const told: unknown = await answer.json();
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    code: typeof told === 'object' && told !== null && 'code' in told ? told.code : null,
  };
}

const REFUSED = {
  status: 503,
  retryAfter: expect.any(String),
  code: 'unavailable',
};

const usageShape = z.object({ usage: z.object({ monitors: z.number() }) });

async function countMonitors(): Promise<number> {
  const answer = await fetch(`${service.url}/v1/account`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return usageShape.parse(await answer.json()).usage.monitors;
}

test.each(['cut', 'freeze'] as const)(
  'while Temporal is away (%s), reads succeed, and writes are refused and store nothing',
  async (fault) => {
    const before = await countMonitors();
    links.temporal[fault]();
    expect(await call('GET', '/v1/monitors')).toMatchObject({ status: 200 });
    expect(await call('GET', '/v1/audit-events')).toMatchObject({ status: 200 });
    const refusals = await Promise.all([1, 2, 3].map(() => call('POST', '/v1/monitors', MONITOR)));
    for (const refusal of refusals) expect(refusal).toEqual(REFUSED);
    links.temporal.heal();
    expect(await countMonitors()).toBe(before);
    await waitUntil(
      'a monitor can be saved again',
      async () => (await call('POST', '/v1/monitors', MONITOR)).status === 201,
    );
    expect(await countMonitors()).toBe(before + 1);
  },
);

test.each(['cut', 'freeze'] as const)(
  'while the database is away (%s), every request is refused, and requests succeed again afterwards',
  async (fault) => {
    const before = await countMonitors();
    links.database[fault]();
    const refusals = await Promise.all([
      call('GET', '/v1/monitors'),
      call('GET', '/v1/account'),
      call('POST', '/v1/monitors', MONITOR),
      call('POST', '/v1/session', { email: 'owner@example.com', password: 'x' }),
      call('POST', '/v1/api-keys', { name: 'x' }),
      call('POST', '/ping/a-token-of-some-job'),
    ]);
    for (const refusal of refusals) expect(refusal).toEqual(REFUSED);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    links.database.heal();
    await waitUntil(
      'reads succeed again',
      async () => (await call('GET', '/v1/monitors')).status === 200,
    );
    expect(await countMonitors()).toBe(before);
  },
);
