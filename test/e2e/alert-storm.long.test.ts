/**
 * Tests very many monitors that fail within seconds. Every incident is recorded, and people are notified of each
 * incident, individually or in a digest. KEEPWATCH_TEST_STORM sets the number of monitors.
 */
import { z } from 'zod';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { startService, type TestService } from '../support/service';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const MONITORS = testSize('storm', { ci: 60, long: 500 });
/**
 * Number of monitors that are created at the same time. It is low, because creating a monitor costs far more than
 * requesting a check.
 */
const SAVED_AT_ONCE = 5;
const ASKED_AT_ONCE = 20;
/** Upper bound of alerts of one account that are sent individually within a minute. */
const SINGLE_MAX = 10;

const ANY = z.looseObject({});
const incidentPage = z.object({
  data: z.array(z.object({ resourceId: z.string() })),
  nextCursor: z.string().nullable(),
});
const eventShape = z.object({
  type: z.string(),
  resource: z.object({ name: z.string() }),
  entries: z.array(z.object({ kind: z.string(), resourceName: z.string() })),
});

let service: TestService;
let api: ApiClient;
let target: LoopbackServer;
let hook: HttpSink;
let isBroken = false;

beforeAll(async () => {
  target = await startLoopbackServer((_request, response) => {
    response.statusCode = isBroken ? 500 : 200;
    response.end('ok');
  });
  hook = await startHttpSink();
  service = await startService({ regions: ['eu-west'] });
  api = createApiClient(service.url, (await service.setup()).apiKey);
  const body = { name: 'hook', type: 'webhook', url: hook.url };
  const request = { method: 'POST', path: '/v1/alert-channels', body };
  await api.call(request, { status: 201, shape: ANY });
});
afterAll(async () => {
  await service?.stop();
  await hook?.close();
  await target?.close();
});

/** Runs the function for all items in order, with `atOnce` of them at the same time. */
async function each<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function openIncidents(): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const request = { method: 'GET', path: `/v1/incidents?state=open&limit=500${more}` };
    const page: z.output<typeof incidentPage> = await api.call(request, {
      status: 200,
      shape: incidentPage,
    });
    found.push(...page.data.map(({ resourceId }) => resourceId));
    cursor = page.nextCursor;
  }
  return found;
}

const events = () => hook.events.map(({ body }) => eventShape.parse(JSON.parse(body)));

/** Returns the name of the check for each notification of a failure, including entries of digests. */
function told(): readonly string[] {
  const single = events().filter(({ type }) => type === 'alert.failure');
  const folded = events().flatMap(({ entries }) =>
    entries.filter(({ kind }) => kind === 'failure').map(({ resourceName }) => resourceName),
  );
  return [...single.map(({ resource }) => resource.name), ...folded];
}

/**
 * Resolves when the check has failed. If the machine is too busy, the check may be unknown, which is no failure. Then
 * the check is requested again.
 */
async function whenSeenFailing(id: string): Promise<void> {
  const unknown = new Set<string>();
  const probe = async (): Promise<boolean> => {
    const [newest] = await api.resultsOf(id);
    if (newest?.status === 'unknown' && !unknown.has(newest.id)) {
      const request = { method: 'POST', path: `/v1/monitors/${id}/run` };
      await api.call(request, { status: 202, shape: ANY });
      unknown.add(newest.id);
    }
    return newest?.status === 'down';
  };
  await waitUntil('it is seen to fail', probe);
}

test(`${MONITORS} monitors that fail at once get one incident and one alert each`, async () => {
  const { port } = target;
  const ids: string[] = [];
  await each(
    Array.from({ length: MONITORS }, (_, index) => index),
    SAVED_AT_ONCE,
    async (index) => {
      const url = `http://127.0.0.1:${port}/${index}`;
      const alerts = { channels: ['webhook'] };
      const body = { name: `storm-${index}`, url, interval: 604_800, retries: 0, alerts };
      // A busy service responds with 503 and has stored nothing, so the creation is repeated.
      ids.push(await waitUntil('a monitor', () => api.createMonitor(body)));
    },
  );
  await each(ids, ASKED_AT_ONCE, async (id) => {
    await waitUntil('a first result', async () => (await api.resultsOf(id)).length > 0);
  });
  isBroken = true;
  await each(ids, ASKED_AT_ONCE, async (id) => {
    const request = { method: 'POST', path: `/v1/monitors/${id}/run` };
    await waitUntil('its check', () => api.call(request, { status: 202, shape: ANY }));
  });
  await each(ids, ASKED_AT_ONCE, whenSeenFailing);
  await waitUntil('everyone is notified', () => told().length >= MONITORS);
  await waitUntil('every incident', async () => new Set(await openIncidents()).size === MONITORS);
  const names = Array.from({ length: MONITORS }, (_, index) => `storm-${index}`);
  expect(told().toSorted()).toEqual(names.toSorted());
  const single = events().filter(({ type }) => type === 'alert.failure');
  // The storm may span two minutes, and the limit applies to each minute.
  expect(single.length).toBeLessThanOrEqual(3 * SINGLE_MAX);
  expect(await openIncidents()).toHaveLength(MONITORS);
}, 900_000);
