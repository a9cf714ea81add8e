/** Tests how long a check has been down. Every page shows the same duration, even with unobserved times in between. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonText } from '../../../src/dashboard/features/checks/row-text';
import { listFailing, stateLine } from '../../../src/dashboard/features/overview/state';
import {
  findLastFailure,
  outageSince,
  slowness,
  totalDownSeconds,
  troubleSince,
  wasDown,
} from '../../../src/dashboard/shared/data/trouble';
import { lengthSince } from '../../../src/dashboard/shared/text/time-text';
import { NO_ALERTS, nextAlerts } from '../../../src/domain/alerting/alert-policy';
import {
  createPendingHealth,
  EVERY_SLOT_COUNTS,
  nextHealth,
} from '../../../src/domain/health/health';
import { exampleCheck } from '../support/example-check';

const START_MS = Date.parse('2026-03-01T12:00:00Z');
const MINUTE_MS = 60_000;
const RULES = {
  channels: [],
  targets: [],
  onFailure: true,
  onRecovery: true,
  onDegraded: false,
  remindEveryMinutes: null,
};

/** Returns a check after these statuses, one per minute, as the list of checks shows it. */
function checkAfter(name: string, statuses: readonly ('up' | 'down' | 'unknown')[]) {
  let health = createPendingHealth(START_MS);
  let alerts = NO_ALERTS;
  for (const [minute, status] of statuses.entries()) {
    const atMs = START_MS + minute * MINUTE_MS;
    const observations = [{ region: 'eu-west', status, responseTimeMs: null }];
    health = nextHealth(health, { atMs, observations }, EVERY_SLOT_COUNTS);
    const opening = { id: `inc_${atMs}`, cause: null, regions: ['eu-west'], firstRunId: null };
    const slot = { atMs, health: health.health, healthSinceMs: health.sinceMs, opening };
    alerts = nextAlerts(alerts, { ...slot, isMuted: false }, RULES).state;
  }
  const failure = {
    code: 'timeout',
    message: 'Timed out after 3 s',
    since: new Date(alerts.incident?.openedAtMs ?? 0).toISOString(),
    acknowledgedAt: null,
    acknowledgedBy: null,
  };
  const healthSince = new Date(health.sinceMs).toISOString();
  return exampleCheck(name, { status: 'down', healthSince, failure });
}

test('a slot without a result does not restart the duration of an outage', () => {
  const gap = checkAfter('Gap', ['up', 'down', 'unknown', 'down', 'down']);
  const later = checkAfter('Later', ['up', 'up', 'down', 'down', 'down']);
  const nowMs = START_MS + 11 * MINUTE_MS;
  expect(gap.healthSince > later.healthSince).toBe(true);
  expect(lengthSince(troubleSince(gap), nowMs)).toBe('10 min');
  expect(reasonText(gap, nowMs)).toBe('Down for 10 min: Timed out after 3 s');
  expect(listFailing([later, gap])).toEqual([gap, later]);
  expect(stateLine([later, gap], nowMs).worst).toEqual({ check: gap, length: '10 min' });
});

test('the incident page and the lists count from the start of the same outage', () => {
  const check = checkAfter('Shop', ['up', 'down', 'up', 'down', 'unknown', 'down']);
  const episode = {
    id: 'inc_1',
    resolvedAt: null,
    durationSeconds: 0,
    cause: null,
    regions: [],
    firstResultId: null,
    firstRunId: null,
  };
  const at = (minute: number) => new Date(START_MS + minute * MINUTE_MS).toISOString();
  const episodes = [1, 3].map((minute) => ({ ...episode, startedAt: at(minute) }));
  expect(outageSince({ episodes, openedAt: at(1) })).toBe(troubleSince(check));
});

test('the duration of a degraded state counts from the last change of health', () => {
  const check = exampleCheck('Slow', { status: 'degraded', failure: null });
  expect(troubleSince(check)).toBe(check.healthSince);
});

test('no page of the dashboard computes the duration of an outage by itself', () => {
  const root = join(__dirname, '..', '..', '..', 'src', 'dashboard');
  const readers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .filter((name) => readFileSync(join(root, name), 'utf8').includes('healthSince'))
    .toSorted();
  // Only trouble.ts shows a duration. These two files compare events with the data in memory.
  const compared = ['shared/data/live-change.ts', 'shared/data/routine.ts'];
  expect(readers).toEqual([...compared, 'shared/data/trouble.ts']);
});

test('a degraded check shows its slowest response time and the limit', () => {
  const region = (lastResponseTimeMs: number | null) =>
    ({ health: 'degraded', since: '2026-03-01T12:00:00.000Z', lastResponseTimeMs }) as const;
  const regionsHealth = {
    'eu-west': region(932),
    'us-east': region(120),
    'ap-south': region(null),
  };
  expect(slowness({ degradedAboveMs: 800, regionsHealth })).toBe(
    'Response took 932 ms (limit 800 ms).',
  );
  expect(slowness({ degradedAboveMs: 932, regionsHealth })).toBeUndefined();
  expect(slowness({ degradedAboveMs: null, regionsHealth })).toBeUndefined();
});

test('a failed check belongs to an incident if one of its outages includes the slot', () => {
  const at = (minute: number): string => new Date(START_MS + minute * MINUTE_MS).toISOString();
  const cause = { cause: null, regions: [], firstResultId: null, firstRunId: null };
  const outage = (id: string, from: number, to: number | null) => ({
    ...cause,
    id,
    startedAt: at(from),
    resolvedAt: to === null ? null : at(to),
    durationSeconds: 60,
  });
  const incident = { episodes: [outage('inc_1', 2, 4), outage('inc_2', 8, null)] };
  const including = [1, 2, 3, 4, 7, 8, 9].filter((minute) => wasDown(incident, at(minute)));
  expect(including).toEqual([2, 3, 8, 9]);
});

test('an incident counts its open outage until now, and shows the first failure of its last outage', () => {
  const at = (minute: number): string => new Date(START_MS + minute * MINUTE_MS).toISOString();
  const cause = { cause: null, regions: [], firstRunId: null };
  const closed = { id: 'inc_1', startedAt: at(0), resolvedAt: at(2), durationSeconds: 120 };
  const open = { id: 'inc_2', startedAt: at(5), resolvedAt: null, durationSeconds: 60 };
  const first = { ...closed, ...cause, firstResultId: 'one' };
  const last = { ...open, ...cause, firstResultId: 'two' };
  const incident = { resourceId: 'mon_1', firstResultId: 'one', firstRunId: null };
  const nowMs = START_MS + 8 * MINUTE_MS;
  expect(totalDownSeconds({ durationSeconds: 180, episodes: [first, last] }, nowMs)).toBe(300);
  expect(totalDownSeconds({ durationSeconds: 120, episodes: [first] }, nowMs)).toBe(120);
  expect(findLastFailure({ ...incident, episodes: [first, last] }).firstResultId).toBe('two');
  expect(findLastFailure({ ...incident, episodes: [] }).firstResultId).toBe('one');
});
