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

async function statusOf(checks: readonly object[], openIncidents: readonly object[] = []) {
  const page = (data: readonly object[]) => [200, { data, nextCursor: null }] as const;
  service = await startFakeService({
    'GET /v1/checks': [page(checks)],
    'GET /v1/incidents': [page(openIncidents)],
    'GET /v1/alert-channels': [page([])],
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
