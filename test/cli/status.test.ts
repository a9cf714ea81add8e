/**
 * Tests `keepwatch status`. Failing checks come first, with their reason and start. Pending checks are only counted.
 */
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-01-31T12:00:00Z');
const ago = (minutes: number): string => new Date(NOW_MS - minutes * MINUTE_MS).toISOString();

function checkOf(name: string, status: string, changes: object = {}) {
  const since = { healthSince: ago(1), lastCheckedAt: ago(1), failure: null };
  return { type: 'monitor', id: `mon_${name}`, key: name, name, status, ...since, ...changes };
}

const down = (name: string, minutes: number) =>
  checkOf(name, 'down', {
    failure: { message: 'Expected status 2xx, got 503.', since: ago(minutes) },
  });

let service: FakeService;
afterEach(() => service.close());

async function statusOf(
  checks: readonly object[],
  openIncidents: readonly object[] = [],
  answers: Parameters<typeof startFakeService>[0] = {},
) {
  const page = (data: readonly object[]) => [200, { data, nextCursor: null }] as const;
  service = await startFakeService({
    'GET /v1/checks': [page(checks)],
    'GET /v1/incidents': [page(openIncidents)],
    'GET /v1/alert-channels': [page([])],
    ...answers,
  });
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
  const { code, stdout } = await onTerminal(['status'], {
    isTerminal: false,
    columns: 120,
    environment,
  });
  expect(code).toBe(0);
  return stdout.trimEnd().split('\n');
}

const cellsOf = (line: string | undefined) => line?.split(/ {2,}/);

test('`status` lists checks that are down first, beginning with the longest outage', async () => {
  const incident = { id: 'inc_1', resourceType: 'monitor', openedAt: ago(90) };
  const lines = await statusOf(
    [checkOf('idle', 'pending'), checkOf('fine', 'up'), down('late', 9), down('early', 24)],
    [incident, incident],
  );
  expect(lines[0]).toBe('monitors   4: 2 down, 1 pending, 1 up');
  expect(lines[1]).toBe('scenarios  0');
  expect(lines[2]).toBe('incidents  2 open');
  const rows = lines.slice(5).map((line) => line.split(/ {2,}/));
  expect(rows).toEqual([
    ['down', '24 min', 'early', 'early', 'Expected status 2xx, got 503.'],
    ['down', '9 min', 'late', 'late', 'Expected status 2xx, got 503.'],
    ['pending', '60 s', 'idle', 'idle'],
  ]);
});

const many = (count: number, make: (name: string) => object) =>
  Array.from({ length: count }, (_, index) => make(`check-${index}`));

test('`status` shows at most 20 unknown checks', async () => {
  const lines = await statusOf(many(57, (name) => checkOf(name, 'unknown')));
  expect(lines.at(-1)).toBe('and 37 more');
});

test('`status` shows all failing checks', async () => {
  const lines = await statusOf(many(30, (name) => down(name, 5)));
  expect(lines.filter((line) => line.startsWith('down'))).toHaveLength(30);
});

const INCIDENT = { id: 'inc_1', resourceType: 'monitor', openedAt: ago(90), state: 'open' };
const ACKNOWLEDGED = { ...INCIDENT, id: 'inc_2', state: 'acknowledged' };

test.each([
  [[INCIDENT], 'incidents  1 open'],
  [[ACKNOWLEDGED], 'incidents  0 open, 1 acknowledged'],
  [[INCIDENT, ACKNOWLEDGED, ACKNOWLEDGED], 'incidents  1 open, 2 acknowledged'],
])('`status` counts open and acknowledged incidents separately: %#', async (incidents, line) => {
  expect((await statusOf([], incidents))[2]).toBe(line);
});

test('`status` identifies checks without a key by their name', async () => {
  const named = checkOf('Search', 'down', { key: null });
  const alone = await statusOf([named]);
  expect(alone.slice(-2).map(cellsOf)).toEqual([
    ['STATUS', 'FOR', 'NAME', 'REASON'],
    ['down', '60 s', 'Search'],
  ]);
  await service.close();
  const mixed = await statusOf([named, checkOf('fine', 'unknown')]);
  expect(mixed.at(-3)).toMatch(/^STATUS +FOR +KEY +NAME/);
  expect(mixed.join('\n')).not.toContain('mon_Search');
});

const degraded = (changes: object = {}) =>
  checkOf('search', 'degraded', { url: 'https://shop.example.com/', ...changes });
const result = (region: string, status: string, changes: object = {}) => ({
  region,
  status,
  ok: status !== 'down',
  assertions: [],
  failure: null,
  responseTimeMs: 90,
  ...changes,
});
const step = (changes: object = {}) => ({ name: 'pay', status: 'passed', ...changes });
const run = (status: string, steps: readonly object[]) => ({
  region: 'eu-west',
  status,
  steps,
  links: {},
});
const BROKEN = [{ ok: true }, { ok: false, message: 'Expected text “Tea”.' }];
const SLOW = { degradedAboveMs: 1_000, lastResponseTimeMs: 1_110 };
const FAILING = result('us-east', 'down', {
  failure: { code: 'x', message: 'Connection refused.' },
});

test.each([
  ['a slow response', SLOW, [], 'Response took 1,110 ms (limit 1,000 ms).'],
  ['a late ping', { url: '' }, [], 'The ping is late.'],
  [
    'a failed assertion',
    {},
    [result('eu-west', 'degraded', { assertions: BROKEN })],
    'Expected text “Tea”.',
  ],
  [
    'one region that was slow',
    { degradedAboveMs: 1_000, lastResponseTimeMs: null },
    [result('us-east', 'up'), result('eu-west', 'degraded', { responseTimeMs: 2_000.4 })],
    'Response took 2,001 ms (limit 1,000 ms).',
  ],
  [
    'a region that fails',
    {},
    [result('eu-west', 'up'), FAILING],
    'In us-east: Connection refused.',
  ],
  ['a failure that is over', {}, [result('us-east', 'up'), FAILING], undefined],
  [
    'a step of a scenario',
    { type: 'scenario' },
    [run('running', []), run('degraded', [step(), step({ assertions: BROKEN })])],
    'pay: Expected text “Tea”.',
  ],
  ['a slow step', { type: 'scenario' }, [run('degraded', [step()])], 'A step was slow.'],
])('`status` names the reason of a degraded check: %s', async (_name, changes, data, reason) => {
  const path = 'type' in changes ? '/v1/scenarios' : '/v1/monitors';
  const lines = await statusOf([degraded(changes)], [], {
    [`GET ${path}/mon_search/results`]: [[200, { data, nextCursor: null }]],
  });
  expect(cellsOf(lines.at(-1))?.[4]).toBe(reason);
});

test('`status` reads the results of at most 20 degraded checks', async () => {
  const gone = { code: 'not_found', detail: 'There is no such monitor.' };
  const checks = many(30, (name) => checkOf(name, 'degraded', { url: 'https://a.example/' }));
  const answers = Object.fromEntries(
    checks.map((_check, at) => [
      `GET /v1/monitors/mon_check-${at}/results`,
      [[404, gone]] as const,
    ]),
  );
  const lines = await statusOf(checks, [], answers);
  expect(lines.filter((line) => line.startsWith('degraded'))).toHaveLength(30);
  expect(service.asked.filter(({ line }) => line.endsWith('/results'))).toHaveLength(20);
});
