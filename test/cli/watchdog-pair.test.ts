/**
 * Tests `keepwatch watchdog pair`. It creates a heartbeat at each of two installations once, and prints the settings
 * for both.
 */
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

let here: FakeService;
let there: FakeService;
afterEach(async () => {
  await here.close();
  await there.close();
});

const accountOf = (id: string) => [200, { id, name: id }] as const;
const pageOf = (data: readonly object[]) => [200, { data, nextCursor: null }] as const;
const heartbeatAt = (name: string) => ({
  id: 'mon_1',
  key: 'unknown',
  pingUrl: `https://${name}.example/ping/token-of-${name}`,
});

async function openBoth(ids: readonly [string, string]): Promise<void> {
  const [one, two] = ids;
  const installation = (id: string, name: string) =>
    startFakeService({
      'GET /v1/account': [accountOf(id)],
      'GET /v1/monitors': [pageOf([])],
      'POST /v1/monitors': [[201, heartbeatAt(name)]],
    });
  here = await installation(one, 'here');
  there = await installation(two, 'there');
}

function pair(more: readonly string[] = [], input = 'kw_there\n') {
  return onTerminal(['watchdog', 'pair', there.url, ...more], {
    isTerminal: false,
    columns: 120,
    input,
    environment: { KEEPWATCH_URL: here.url, KEEPWATCH_API_KEY: 'kw_here' },
  });
}

const madeAt = ({ asked }: FakeService) =>
  asked.filter(({ line }) => line === 'POST /v1/monitors').map(({ body }) => body);
const keyOf = (url: string) => `watchdog-${new URL(url).host.replaceAll(/[^a-z0-9.-]/g, '-')}`;

test('pairing gives each installation a heartbeat for the other installation, and prints the settings', async () => {
  await openBoth(['acc_here', 'acc_there']);
  const { code, stdout } = await pair();
  expect(code).toBe(0);
  expect(madeAt(there)).toMatchObject([
    { type: 'heartbeat', key: keyOf(here.url), schedule: { everySeconds: 60 }, graceSeconds: 60 },
  ]);
  expect(madeAt(here)).toMatchObject([{ type: 'heartbeat', key: keyOf(there.url) }]);
  expect(stdout).toContain('KEEPWATCH_WATCHDOG_URL=https://there.example/ping/token-of-there');
  expect(stdout.indexOf('token-of-there')).toBeLessThan(stdout.indexOf('token-of-here'));
  expect(stdout).toContain('Restart each installation');
  expect(stdout).not.toContain('KEEPWATCH_WATCHDOG_SECONDS');
});

test('a chosen period of a pairing applies to both heartbeats and is printed as a setting', async () => {
  await openBoth(['acc_here', 'acc_there']);
  const { stdout } = await pair(['--every', '2m']);
  expect(stdout).toContain('KEEPWATCH_WATCHDOG_SECONDS=120');
  expect(madeAt(here)).toMatchObject([{ schedule: { everySeconds: 120 }, graceSeconds: 120 }]);
  expect((await pair(['--every', '5s'])).code).toBe(2);
});

test('pairing two installations reuses an existing heartbeat', async () => {
  await openBoth(['acc_here', 'acc_there']);
  const known = (of: FakeService, name: string) => ({ ...heartbeatAt(name), key: keyOf(of.url) });
  const [plainHere, plainThere] = [here, there];
  here = await startFakeService({
    'GET /v1/account': [accountOf('acc_here')],
    'GET /v1/monitors': [pageOf([known(plainThere, 'here')])],
  });
  await plainHere.close();
  const { code } = await pair();
  expect([code, madeAt(here)]).toEqual([0, []]);
});

test('pairing an installation with itself or without a key creates nothing', async () => {
  await openBoth(['acc_same', 'acc_same']);
  const itself = await pair();
  expect(itself).toMatchObject({ code: 2, stderr: expect.stringContaining('same installation') });
  const keyless = await pair([], '');
  expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining('< key-file') });
  expect([...madeAt(here), ...madeAt(there)]).toEqual([]);
});
