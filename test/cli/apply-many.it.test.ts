/**
 * Tests many objects on the command line against a real service. The objects are created, changed, pruned, and created
 * by two concurrent applies. Also tests the heartbeats of two paired installations. test/e2e/losses.long.test.ts tests
 * a kill in the middle of an apply. KEEPWATCH_TEST_OBJECTS sets the number of objects.
 */
import { stringify } from 'yaml';
import { z } from 'zod';
import {
  openSharedService,
  type SharedAccount,
  type SharedService,
} from '../support/shared-service';
import { testSize } from '../support/test-size';
import { type InProcessCli, openCli } from './in-process-cli';

/**
 * Number of objects. In the long form, monitors and scenarios exceed the page size of 500 with which the command line
 * reads lists.
 */
const OBJECTS = testSize('objects', { ci: 50, long: 300 });
const AT_ONCE = Math.floor(OBJECTS * 0.4);
const CHANGED = 20;
const PRUNED = 10;
const heartbeats = z.object({
  data: z.array(z.looseObject({ key: z.string(), pingUrl: z.string() })),
});

let service: SharedService;
let cli: InProcessCli;

beforeAll(async () => {
  service = await openSharedService();
  const { apiKey } = await service.newAccount();
  cli = openCli({ KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: apiKey });
});
afterAll(async () => {
  await service?.close();
  cli?.close();
});

/** Returns monitors that are paused, so that nothing is checked. */
function monitors(count: number, change: (index: number) => object = () => ({})) {
  return Array.from({ length: count }, (_, index) => ({
    key: `site-${index}`,
    name: `Site ${index}`,
    url: `http://127.0.0.1:2/${index}`,
    enabled: false,
    ...change(index),
  }));
}

async function apply(objects: readonly object[], ...options: string[]) {
  const file = cli.write('sites.yaml', stringify({ monitors: objects }));
  const { code, value } = await cli.json(['apply', '-f', file, ...options]);
  const problems = value.objects.flatMap(
    ({ problem }: { readonly problem: unknown }) => problem ?? [],
  );
  expect(problems).toEqual([]);
  return { code, summary: value.summary };
}

it('apply creates, changes and prunes objects in one pass, and a second apply changes nothing', async () => {
  const made = await apply(monitors(OBJECTS));
  expect({ code: made.code, ...made.summary }).toMatchObject({ code: 0, create: OBJECTS });
  const renamed = (index: number) => (index < CHANGED ? { name: `Other ${index}` } : {});
  const changed = await apply(monitors(OBJECTS, renamed));
  expect(changed.summary).toMatchObject({
    update: CHANGED,
    unchanged: OBJECTS - CHANGED,
    failed: 0,
  });
  const pruned = await apply(monitors(OBJECTS - PRUNED, renamed), '--prune');
  expect(pruned.summary).toMatchObject({ delete: PRUNED, unchanged: OBJECTS - PRUNED, failed: 0 });
  const again = await apply(monitors(OBJECTS - PRUNED, renamed), '--prune');
  expect(again.summary).toMatchObject({ unchanged: OBJECTS - PRUNED, update: 0, delete: 0 });
});

it('two simultaneous applies of the same files create each object once', async () => {
  const named = (prefix: string) =>
    monitors(OBJECTS).map((monitor) => ({ ...monitor, key: `${prefix}-${monitor.key}` }));
  const { code, summary } = await apply(named('go'), '--set', 'go');
  expect({ code, ...summary }).toMatchObject({ code: 0, create: OBJECTS });
  const file = cli.write('both.yaml', stringify({ monitors: named('both').slice(0, AT_ONCE) }));
  const both = await Promise.all(
    [0, 1].map(() => cli.json(['apply', '-f', file, '--set', 'both'])),
  );
  for (const end of both) expect(end).toMatchObject({ code: 0, value: { summary: { failed: 0 } } });
  // If the response for a new object was lost, the retry counts this object as unchanged.
  const created = both.map(({ value: { summary } }) => Number(summary.create));
  expect(created.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(AT_ONCE);
  const { value } = await cli.json(['monitors', 'list', '--search', 'both-']);
  expect(value.data).toHaveLength(AT_ONCE);
});

it('`watchdog pair` creates a heartbeat at each of two installations, and a failed pairing leaves nothing behind', async () => {
  const [ours, theirs] = [await service.newAccount(), await service.newAccount()];
  // The service has two host names here, so the command treats it as two installations.
  const { port } = new URL(service.url);
  const [here, there] = [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`];
  const pair = (key: string, ownKey = ours.apiKey) =>
    cli.json(['watchdog', 'pair', there], {
      input: `${key}\n`,
      environment: { KEEPWATCH_URL: here, KEEPWATCH_API_KEY: ownKey },
    });
  const readMonitors = async ({ api }: SharedAccount) =>
    (await api.call({ method: 'GET', path: '/v1/monitors' }, { status: 200, shape: heartbeats }))
      .data;
  const newReadKey = async ({ api }: SharedAccount) => {
    const body = { name: 'reads', scopes: ['read'] };
    const request = { method: 'POST', path: '/v1/api-keys', body };
    return (await api.call(request, { status: 201, shape: z.object({ key: z.string() }) })).key;
  };
  const refused = [
    await pair(`kw_${'0'.repeat(43)}`),
    await pair(await newReadKey(theirs)),
    await pair(theirs.apiKey, await newReadKey(ours)),
  ];
  expect(refused.map(({ code }) => code === 0)).toEqual([false, false, false]);
  expect(await Promise.all([ours, theirs].map(readMonitors))).toEqual([[], []]);

  const paired = await pair(theirs.apiKey);
  expect(paired.code).toBe(0);
  const [atOurs, atTheirs] = await Promise.all([ours, theirs].map(readMonitors));
  const heartbeat = { type: 'heartbeat', schedule: { everySeconds: 60 }, graceSeconds: 60 };
  expect(atOurs).toMatchObject([{ key: `watchdog-localhost-${port}`, ...heartbeat }]);
  expect(atTheirs).toMatchObject([{ key: `watchdog-127.0.0.1-${port}`, ...heartbeat }]);
  const urlOf = (found: typeof atOurs) => found?.[0]?.pingUrl ?? '';
  expect(paired.value.data).toEqual([
    { url: here, settings: [`KEEPWATCH_WATCHDOG_URL=${urlOf(atTheirs)}`] },
    { url: there, settings: [`KEEPWATCH_WATCHDOG_URL=${urlOf(atOurs)}`] },
  ]);
  for (const found of [atOurs, atTheirs]) expect((await fetch(urlOf(found))).status).toBe(200);
  expect((await pair(theirs.apiKey)).value).toEqual(paired.value);
  expect((await Promise.all([ours, theirs].map(readMonitors))).flat()).toHaveLength(2);
});
