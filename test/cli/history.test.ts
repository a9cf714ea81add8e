/** Tests `keepwatch monitors results` and `keepwatch scenarios runs`. */
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const MONITOR = `mon_${'x'.repeat(26)}`;
const SCENARIO = `scn_${'x'.repeat(26)}`;

const check = (id: string) => ({
  id,
  name: 'Search',
  key: 'search',
  state: 'active',
  status: 'down',
  health: 'down',
  degradedAboveMs: 1_000,
  tags: [],
  links: {},
});
const result = (status: string, changes: object = {}) => ({
  id: 'res_1',
  region: 'eu-west',
  status,
  ok: status !== 'down',
  startedAt: '2026-01-31T11:56:00.250Z',
  responseTimeMs: 120,
  ...changes,
});
const run = (status: string, changes: object = {}) => ({
  id: 'run_1',
  region: 'eu-west',
  status,
  startedAt: '2026-01-31T11:56:00.250Z',
  durationMs: 120,
  steps: [],
  links: {},
  ...changes,
});
const page = (...data: readonly object[]) => [[200, { data, nextCursor: 'more' }]] as const;

let service: FakeService;
afterEach(() => service.close());

async function ask(parameters: readonly string[], items: readonly object[]) {
  service = await startFakeService({
    'GET /v1/monitors': [[200, { data: [check(MONITOR)], nextCursor: null }]],
    'GET /v1/scenarios': [[200, { data: [check(SCENARIO)], nextCursor: null }]],
    [`GET /v1/monitors/${MONITOR}/results`]: page(...items),
    [`GET /v1/scenarios/${SCENARIO}/results`]: page(...items),
  });
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test', NO_COLOR: '1' };
  return onTerminal(parameters, { environment });
}
const readRows = (stdout: string) => stdout.trimEnd().split('\n').slice(1);

test('`monitors results` prints time and reason of each result within 80 columns', async () => {
  const failure = { code: 'x', message: `Expected status 2xx, got 503. ${'x'.repeat(80)}` };
  const { code, stdout } = await ask(
    ['monitors', 'results', 'search'],
    [
      result('down', { failure }),
      result('degraded', { responseTimeMs: 1_100.2 }),
      result('up', { assertions: [{ ok: false, message: 'unused' }] }),
    ],
  );
  expect(code).toBe(0);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const rows = readRows(stdout);
  expect(rows[0]).toMatch(/^down +2026-01-31 11:56:00 {2,}eu-west +120 ms +Expected status.*…$/);
  expect(rows[1]).toMatch(/^degraded .*Response took/);
  expect(rows[2]).toMatch(/120 ms$/);
  const asked = service.asked.at(-1);
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ limit: '20' });
});

test('`scenarios runs` names the step that failed, or that made the run degraded', async () => {
  const failure = { code: 'x', message: 'Got 503.', stepName: 'Pay' };
  const slow = { name: 'Log in', status: 'degraded', failure: { code: 'x', message: 'Slow.' } };
  const items = [
    run('failed', { failure }),
    run('degraded', { steps: [slow] }),
    run('error', { failure: { ...failure, stepName: null } }),
    run('queued', { startedAt: null, durationMs: null }),
  ];
  const { stdout } = await ask(['scenarios', 'runs', 'search'], items);
  const rows = readRows(stdout);
  expect(rows.map((row) => row.split(/ {2,}/).at(-1))).toEqual([
    'Pay: Got 503.',
    'Log in: Slow.',
    'Got 503.',
    '–',
  ]);
});

test.each([
  ['monitors', 'results', 'down', result('down')],
  ['scenarios', 'runs', 'failed', run('failed')],
])(
  '`%s %s` filters in the service and returns one page as JSON',
  async (group, verb, status, item) => {
    const filters = ['--status', status, '--region', 'eu-west', '--limit', '3'];
    const { stdout } = await ask([group, verb, 'search', ...filters, '-o', 'json'], [item]);
    expect(JSON.parse(stdout)).toEqual({ data: [item] });
    expect(service.asked).toHaveLength(2);
    const asked = service.asked.at(-1);
    const query = { status, region: 'eu-west', limit: '3' };
    expect(Object.fromEntries(asked?.query ?? [])).toEqual(query);
  },
);

test.each(['0', '201', '1.5', 'many'])('`--limit %s` is refused with code 2', async (limit) => {
  const { code, stderr } = await ask(['monitors', 'results', 'search', '--limit', limit], []);
  expect([code, service.asked]).toEqual([2, []]);
  expect(stderr).toContain('from 1 to 200');
});

test('an empty list says that nothing matches', async () => {
  const { stdout } = await ask(['monitors', 'results', 'search', '--status', 'down'], []);
  expect(stdout).toBe('No results match.\n');
});
