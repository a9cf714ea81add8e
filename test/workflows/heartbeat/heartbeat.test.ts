/** Tests heartbeats in virtual time: pings, missing pings, runs, and times in which the API could receive no pings. */
import type { HeartbeatRules, PingKind } from '../../../src/contracts/heartbeat';
import type { MonitorCheckRecord } from '../../../src/contracts/records';
import { monitorWorkflowId } from '../../../src/contracts/workflows';
import { findNextDue } from '../../../src/schemas/cron-times';
import { heartbeatConfig, NO_ALERTS } from '../../support/outcomes';
import { testSize } from '../../support/test-size';
import { patchesIn } from '../patches-in';
import { startVirtualService, type VirtualService } from '../virtual-service';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Number of pings. It is enough for at least two histories. */
const PINGS = testSize('pings', { ci: 40, long: 300 });
const TO_DESK = [
  { key: 'desk', type: 'email', channelId: null, masked: 'd***', sealed: 'sealed' },
] as const;
const ALERTS = {
  ...NO_ALERTS,
  targets: TO_DESK,
} as const;

let service: VirtualService;
let sequence = 0;

beforeAll(async () => {
  service = await startVirtualService([]);
});
afterEach(() => service.removeAll());
afterAll(() => service.stop());

interface Sent {
  readonly kind?: PingKind;
  readonly exitCode?: number;
  readonly runId?: string;
  readonly failedOn?: string;
  readonly text?: string;
}

/** Stores a ping and then sends the signal, as the API does. */
async function ping(monitorId: string, sent: Sent = {}): Promise<void> {
  const { kind = 'success', exitCode = null, runId = '', failedOn = null, text = null } = sent;
  const atMs = service.nowMs();
  sequence += 1;
  const id = `png_${sequence}`;
  const accountId = 'acc_1';
  service.ledger.pings.push({
    id,
    accountId,
    monitorId,
    atMs,
    kind,
    exitCode,
    runId,
    failedOn,
    text,
  });
  await service.gateway.notifyHeartbeat(monitorId);
  await service.until(`ping ${sequence} to be read`, () =>
    service.ledger.checks.some(
      (record) => record.monitorId === monitorId && (record.heartbeat?.lastPingAtMs ?? 0) >= atMs,
    ),
  );
}

async function begin(id: string, rules: Partial<HeartbeatRules> = {}): Promise<void> {
  const anchorMs = service.nowMs();
  await service.gateway.configureMonitor(heartbeatConfig(id, rules, { anchorMs, alerts: ALERTS }));
}

function recordsOf(id: string): readonly MonitorCheckRecord[] {
  return service.ledger.checks.filter(({ monitorId }) => monitorId === id);
}

/** Returns only the results, in the form `status code`. */
function verdictsOf(id: string): readonly string[] {
  return recordsOf(id).flatMap(({ outcomes }) =>
    outcomes.map(({ outcome }) => `${outcome.status} ${outcome.failure?.code ?? ''}`.trim()),
  );
}

function alertsOf(id: string): readonly string[] {
  return service.ledger.tries
    .filter(({ alert }) => alert.resourceId === id)
    .map(({ alert }) => alert.kind);
}

async function lastRecordOf(id: string): Promise<MonitorCheckRecord> {
  const last = recordsOf(id).at(-1);
  if (last === undefined) throw new Error(`nothing is recorded of ${id}`);
  return last;
}

test('a heartbeat waits indefinitely for its first ping, and records nothing before that ping', async () => {
  await begin('mon_hb_pending');
  await service.pass(40 * DAY);
  expect(recordsOf('mon_hb_pending')).toEqual([]);
});

test('a heartbeat is degraded while its job is late, and down with one alert after the grace period', async () => {
  const id = 'mon_hb_silent';
  await begin(id);
  await ping(id);
  const pingedAtMs = (await lastRecordOf(id)).slotMs;
  await service.pass(HOUR + 10 * SECOND);
  await service.until('lateness', () => verdictsOf(id).length === 2);
  await service.pass(5 * MINUTE);
  await service.until('the miss', () => verdictsOf(id).length === 3);
  expect(verdictsOf(id)).toEqual(['up', 'degraded heartbeat_late', 'down heartbeat_missed']);
  const slots = recordsOf(id).map(({ slotMs }) => slotMs - pingedAtMs);
  expect(slots).toEqual([0, HOUR, HOUR + 5 * MINUTE]);
  await service.until('the alert', () => alertsOf(id).length === 1);
  await ping(id);
  await service.until('the recovery', () => alertsOf(id).length === 2);
  expect(alertsOf(id)).toEqual(['failure', 'recovery']);
});

test('a job that reports a failure is down at once, with its exit code and the end of its text', async () => {
  const id = 'mon_hb_fail';
  await begin(id);
  await ping(id, { kind: 'start', runId: 'a' });
  await service.pass(MINUTE);
  await ping(id, { kind: 'fail', exitCode: 3, runId: 'a', text: 'disk full' });
  const record = await lastRecordOf(id);
  const [seen] = record.outcomes;
  expect(seen?.outcome).toMatchObject({
    status: 'down',
    job: { exitCode: 3, text: 'disk full' },
    failure: { code: 'job_failed', message: expect.stringContaining('exit code 3: disk full') },
  });
  expect(seen?.outcome.responseTimeMs).toBeGreaterThanOrEqual(MINUTE);
  expect(record.heartbeat?.running).toEqual([]);
  await service.until('the alert', () => alertsOf(id).length === 1);
  await ping(id, { failedOn: 'contains "ERROR"', text: 'ERROR: no space' });
  expect(verdictsOf(id).at(-1)).toBe('down job_failed');
});

test('a repeated report that a run has ended gives no second result, but counts again after a missed ping', async () => {
  const id = 'mon_hb_again';
  await begin(id);
  await ping(id, { kind: 'start', runId: 'a' });
  await ping(id, { kind: 'fail', exitCode: 3, runId: 'a' });
  await service.pass(MINUTE);
  await ping(id, { kind: 'fail', exitCode: 3, runId: 'a' });
  expect(verdictsOf(id)).toEqual(['down job_failed']);
  await ping(id, { runId: 'b' });
  await ping(id, { runId: 'b' });
  expect(verdictsOf(id)).toEqual(['down job_failed', 'up']);
  await service.pass(HOUR + 6 * MINUTE);
  await service.until('the miss', () => verdictsOf(id).includes('down heartbeat_missed'));
  await ping(id, { runId: 'b' });
  expect(verdictsOf(id).at(-1)).toBe('up');
});

test('a heartbeat is down if a run takes too long or was too short', async () => {
  const id = 'mon_hb_runs';
  await begin(id, { maxRunMs: 20 * MINUTE, minRunMs: MINUTE });
  await ping(id, { kind: 'start', runId: 'long' });
  await service.pass(5 * MINUTE);
  await ping(id, { kind: 'start', runId: 'good' });
  await service.pass(5 * MINUTE);
  await ping(id, { runId: 'good' });
  expect((await lastRecordOf(id)).outcomes[0]?.outcome.responseTimeMs).toBeLessThan(6 * MINUTE);
  await service.pass(11 * MINUTE);
  await service.until('the overlong run', () => verdictsOf(id).includes('down run_too_long'));
  await ping(id, { runId: 'long' });
  expect(verdictsOf(id)).toEqual(['up', 'down run_too_long', 'down run_too_long']);
  await ping(id, { kind: 'start' });
  await service.pass(SECOND);
  await ping(id);
  expect(verdictsOf(id).at(-1)).toBe('down run_too_short');
});

const HOURLY = {
  every: { everySeconds: 3_600 },
  cron: { cron: '0 * * * *', timeZone: 'Europe/Berlin' },
} as const;

/** Lets time pass until the job's next full hour. */
async function passToFullHour(): Promise<void> {
  const nowMs = service.nowMs();
  await service.pass(Math.ceil((nowMs + SECOND) / HOUR) * HOUR - nowMs);
}

test.each([
  ['an interval', 'ten minutes', 'every', 10 * MINUTE],
  ['an interval', 'an hour', 'every', HOUR],
  ['an interval', 'three hours', 'every', 3 * HOUR],
  ['a cron schedule', 'ten minutes', 'cron', 10 * MINUTE],
  ['a cron schedule', 'an hour', 'cron', HOUR],
  // An outage of a day is tested below, as part of a month.
] as const)(
  'an hourly job with %s sends no alert if an outage of the API for %s loses pings',
  async (_what, name, kind, absenceMs) => {
    const id = `mon_hb_away_${kind}_${name.replaceAll(' ', '_')}`;
    const { ledger } = service;
    await passToFullHour();
    await begin(id, { schedule: HOURLY[kind] });
    await ping(id);
    await passToFullHour();
    await ping(id);
    await service.pass(57 * MINUTE);
    const fromMs = service.nowMs();
    ledger.absentSinceMs = fromMs;
    await service.pass(absenceMs);
    ledger.absentSinceMs = null;
    ledger.absences.push({ fromMs, toMs: service.nowMs() });
    for (let hour = 0; hour < 3; hour += 1) {
      await passToFullHour();
      await ping(id);
    }
    expect(verdictsOf(id).filter((verdict) => verdict.startsWith('d'))).toEqual([]);
    expect(alertsOf(id)).toEqual([]);
    await service.pass(HOUR + 6 * MINUTE);
    await service.until('the miss', () => alertsOf(id).length === 1);
  },
);

test('after a ping that may have been lost, a heartbeat is unknown until the next ping', async () => {
  const id = 'mon_hb_unknown';
  const { ledger } = service;
  await passToFullHour();
  await begin(id, { schedule: HOURLY.cron });
  await ping(id);
  await service.pass(59 * MINUTE);
  const fromMs = service.nowMs();
  ledger.absentSinceMs = fromMs;
  await service.pass(2 * MINUTE);
  ledger.absentSinceMs = null;
  ledger.absences.push({ fromMs, toMs: service.nowMs() });
  await service.pass(MINUTE);
  await service.until('the unknown result', () => verdictsOf(id).length === 2);
  expect(verdictsOf(id)).toEqual(['up', 'unknown pings_unavailable']);
  expect((await lastRecordOf(id)).health).toBe('unknown');
  await passToFullHour();
  await ping(id);
  expect((await lastRecordOf(id)).health).toBe('up');
});

/**
 * Outages of our API within a month: the night in which the outage begins, and its duration. The pings of this night
 * are lost.
 */
const ABSENCES: ReadonlyMap<number, number> = new Map([
  [8, 10 * MINUTE],
  [15, HOUR],
  [22, DAY],
]);

test('a healthy nightly job sends no alert in a month with daylight saving and API outages', async () => {
  const id = 'mon_hb_month';
  const { ledger } = service;
  const schedule = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
  const passTo = async (atMs: number) => service.pass(atMs - service.nowMs());
  // The simulated month contains the change to daylight saving.
  const spring = Date.UTC(new Date(service.nowMs()).getUTCFullYear() + 1, 2, 14);
  await passTo(spring);
  await begin(id, { schedule, graceMs: 10 * MINUTE, maxRunMs: 26 * HOUR });
  await ping(id);
  const offsets = [0, -30 * SECOND, 8 * MINUTE, MINUTE, -50 * SECOND];
  let dueMs = findNextDue(schedule, service.nowMs());
  for (let night = 0; night < 30; night += 1) {
    const absenceMs = ABSENCES.get(night) ?? 0;
    const fromMs = dueMs - absenceMs / 2;
    if (absenceMs > 0) {
      await passTo(fromMs);
      ledger.absentSinceMs = fromMs;
      await service.pass(absenceMs);
      ledger.absentSinceMs = null;
      ledger.absences.push({ fromMs, toMs: service.nowMs() });
    } else {
      await passTo(dueMs + (offsets[night % offsets.length] ?? 0));
      await ping(id, { kind: 'start', runId: `night ${night}` });
      // Every seventh run ends only after the next run has begun.
      if (night % 7 === 4) await ping(id, { runId: `night ${night - 1}` });
      await service.pass(MINUTE);
      if (night % 7 !== 3) await ping(id, { runId: `night ${night}` });
    }
    dueMs = findNextDue(schedule, dueMs);
  }
  expect(new Set(verdictsOf(id))).toEqual(
    new Set(['up', 'degraded heartbeat_late', 'unknown pings_unavailable']),
  );
  expect(alertsOf(id)).toEqual([]);
  await passTo(dueMs + 11 * MINUTE);
  await service.until('the one missed night', () => alertsOf(id).length === 1);
  expect(verdictsOf(id).at(-1)).toBe('down heartbeat_missed');
  await ping(id);
  await service.until('the recovery', () => alertsOf(id).length === 2);
  await ping(id, { kind: 'start', runId: 'without end' });
  await passTo(findNextDue(schedule, dueMs));
  await ping(id);
  await service.pass(4 * HOUR);
  await service.until('the run that is too long', () => alertsOf(id).length === 3);
  expect(verdictsOf(id).at(-1)).toBe('down run_too_long');
});

test('while the database is away, a missing ping is not a failure', async () => {
  const id = 'mon_hb_database';
  await begin(id);
  await ping(id);
  await service.pass(30 * MINUTE);
  service.ledger.isAway = true;
  await service.pass(2 * HOUR);
  const atMs = service.nowMs();
  const stored = { accountId: 'acc_1', monitorId: id, exitCode: null, runId: '', failedOn: null };
  service.ledger.pings.push({ ...stored, id: 'png_late', atMs, kind: 'success', text: null });
  service.ledger.isAway = false;
  await service.pass(MINUTE);
  await service.until('the ping', () => verdictsOf(id).length === 2);
  expect(verdictsOf(id)).toEqual(['up', 'up']);
  expect(alertsOf(id)).toEqual([]);
});

test('a pause clears the due time, and the schedule and reminders start again after the pause', async () => {
  const id = 'mon_hb_pause';
  await begin(id);
  await ping(id);
  const anchorMs = service.nowMs();
  const alerts = { ...ALERTS, remindEveryMinutes: 30 };
  const config = heartbeatConfig(id, {}, { anchorMs, alerts });
  const pause = { paused: true, pausedAtMs: anchorMs } as const;
  await service.gateway.configureMonitorNow({ ...config, ...pause, version: 2 });
  await service.pass(5 * HOUR);
  expect(verdictsOf(id)).toEqual(['up']);
  await service.gateway.configureMonitorNow({ ...config, version: 3 });
  await service.pass(59 * MINUTE);
  expect(verdictsOf(id)).toEqual(['up']);
  await service.pass(7 * MINUTE);
  await service.until('the miss', () => alertsOf(id).includes('failure'));
  await service.pass(31 * MINUTE);
  await service.until('a reminder', () => alertsOf(id).includes('reminder'));
});

test('if a flapping job stays down, a timer notifies people of the outage, even after a change of orchestrator', async () => {
  const id = 'mon_hb_flaps';
  await begin(id);
  for (const kind of ['success', 'fail', 'success', 'fail', 'success', 'fail'] as const) {
    await ping(id, { kind });
    await service.pass(SECOND);
  }
  expect(alertsOf(id)).toEqual(['failure', 'recovery', 'failure', 'flapping']);
  expect(await patchesIn(service, id)).toContain('flapping-news');
  await service.replaceOrchestrator();
  await service.pass(5 * MINUTE);
  await service.until('the notification that it stays down', () => alertsOf(id).length === 5);
  expect(service.ledger.tries.at(-1)?.alert).toMatchObject({ resourceId: id, staysDown: true });
  expect(await patchesIn(service, id)).toContain('flapping-news');
});

test('every one of many pings is judged once, even when the workflow continues as new', async () => {
  const id = 'mon_hb_many';
  const { workflow } = service.client;
  await begin(id, { schedule: { everySeconds: 60 }, graceMs: 60 * SECOND });
  const runIds = new Set<string>();
  for (let count = 0; count < PINGS; count += 1) {
    await ping(id);
    await service.pass(50 * SECOND);
    const { runId, historyLength } = await workflow.getHandle(monitorWorkflowId(id)).describe();
    runIds.add(runId);
    expect(historyLength).toBeLessThan(400);
  }
  expect(verdictsOf(id)).toEqual(Array.from({ length: PINGS }, () => 'up'));
  expect(runIds.size).toBeGreaterThan(1);
});
