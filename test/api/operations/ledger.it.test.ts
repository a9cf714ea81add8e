/**
 * Tests the ledger on the real application and database: what happened to every slot and alert.
 *
 * Covers:
 * - services/operations/read-ledger
 */
import request from 'supertest';
import type { StepOutcome } from '../../../src/contracts/outcome';
import type { Gap } from '../../../src/contracts/records';
import { buildUlid } from '../../../src/domain/definitions/ids';
import type { Alert } from '../../../src/models/alerting/alerts';
import { failingOutcome, monitorRecord, passingOutcome } from '../../models/example-records';
import { arranged } from '../arranged';
import { suiteService, type TestAccount } from '../test-service';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** An instant late in the day, so that the day before it is almost complete. */
const BEGIN = Date.parse('2026-03-10T22:00:00Z');
const service = suiteService();
let account: TestAccount;

beforeEach(async () => {
  service.clock.nowMs = BEGIN;
  account = await service.newAccount();
});

function read(query: object = {}, { key }: TestAccount = account) {
  return request(service.app)
    .get('/v1/operations/ledger')
    .query(query)
    .set('Authorization', `Bearer ${key}`);
}

async function newMonitor(fields: object = {}): Promise<string> {
  const body = { name: 'm', url: 'http://shop.example/', regions: ['eu-west'], ...fields };
  const sent = request(service.app).post('/v1/monitors').send(body);
  return (await arranged(sent.set('Authorization', `Bearer ${account.key}`))).id;
}

const startedAt = (atMs: number) => new Date(atMs).toISOString();
const blind = (slotMs: number): StepOutcome => ({
  ...failingOutcome(),
  startedAt: startedAt(slotMs),
  status: 'unknown',
  failure: { code: 'region_unavailable', message: 'No probe took it.', phase: null },
});

interface Seen {
  readonly slotMs: number;
  readonly outcome?: StepOutcome;
  readonly gap?: Gap | null;
  readonly kind?: 'scheduled' | 'manual';
}

async function record(monitorId: string, { slotMs, outcome, gap = null, kind }: Seen) {
  const seen = outcome ?? passingOutcome({ startedAt: startedAt(slotMs + 40) });
  const region = 'eu-west';
  const health = seen.status === 'down' ? 'down' : 'up';
  await service.recorder.recordMonitorCheck(
    monitorRecord({
      accountId: account.id,
      monitorId,
      slotMs,
      gap,
      kind: kind ?? 'scheduled',
      outcomes: [{ region, outcome: seen }],
      regionsHealth: [{ region, health, sinceMs: slotMs, lastResponseTimeMs: 1 }],
      health,
    }),
  );
}

async function recordEvery(monitorId: string, fromMs: number, toMs: number): Promise<void> {
  for (let slotMs = fromMs; slotMs < toMs; slotMs += 10 * MINUTE)
    await record(monitorId, { slotMs });
}

test('every due slot counts as checked, missed for a reason, or unaccounted for, by day and in total', async () => {
  const id = await newMonitor({ interval: 600 });
  await record(id, { slotMs: BEGIN });
  const late = passingOutcome({ startedAt: startedAt(BEGIN + 10 * MINUTE + 1_001) });
  await record(id, { slotMs: BEGIN + 10 * MINUTE, outcome: late });
  await record(id, { slotMs: BEGIN + 20 * MINUTE, outcome: blind(BEGIN + 20 * MINUTE) });
  await record(id, { slotMs: BEGIN + 25 * MINUTE, kind: 'manual' });
  // The slot at 22:30 is never stored.
  const gap: Gap = {
    reason: 'missed',
    fromSlotMs: BEGIN + 40 * MINUTE,
    toSlotMs: BEGIN + 60 * MINUTE,
    slots: 3,
  };
  await record(id, { slotMs: BEGIN + 70 * MINUTE, gap });
  await record(id, { slotMs: BEGIN + 80 * MINUTE, outcome: failingOutcome() });
  await recordEvery(id, BEGIN + 90 * MINUTE, BEGIN + 5 * HOUR);
  service.clock.nowMs = BEGIN + 4 * HOUR + 5 * MINUTE;
  const { status, body } = await read();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    from: '2026-03-05T00:00:00.000Z',
    to: '2026-03-11T02:00:00.000Z',
    observedFrom: '2026-03-05T00:00:00.000Z',
  });
  expect(body.days).toHaveLength(7);
  expect(body.days[5]).toMatchObject({
    date: '2026-03-10',
    slots: {
      due: 12,
      made: 7,
      late: 1,
      missed: 4,
      missedReasons: { region_unavailable: 1, missed: 3 },
      unaccounted: 1,
      verified: 12,
    },
  });
  expect(body.days[6]).toMatchObject({
    date: '2026-03-11',
    slots: { due: 12, made: 12, late: 0, missed: 0, unaccounted: 0, verified: 12 },
  });
  expect(body.total.slots).toMatchObject({ due: 24, made: 19, missed: 4, unaccounted: 1 });
  const hour = await read({ from: startedAt(BEGIN), to: startedAt(BEGIN + 30 * MINUTE) });
  expect(hour.body.total.slots).toMatchObject({ due: 3, made: 2, missed: 1, unaccounted: 0 });
});

test('slots of a day on which the monitor was paused are not compared with the schedule', async () => {
  const id = await newMonitor({ interval: 600 });
  await recordEvery(id, BEGIN, BEGIN + HOUR);
  service.clock.nowMs = BEGIN + HOUR;
  const path = `/v1/monitors/${id}`;
  const sent = request(service.app).post(`${path}/pause`);
  await arranged(sent.set('Authorization', `Bearer ${account.key}`));
  service.clock.nowMs = BEGIN + DAY;
  const { body } = await read();
  expect(body.total.slots).toMatchObject({ due: 6, made: 6, unaccounted: 0, verified: 0 });
});

test('if old summaries have no slot counts, the ledger says since when its numbers are exact', async () => {
  const id = await newMonitor({ interval: 600 });
  await recordEvery(id, BEGIN, BEGIN + 5 * HOUR);
  const { summaries } = service.database.database.models;
  await summaries.updateMany({ a: account.id }, { $unset: { k: 1 } });
  service.clock.nowMs = BEGIN + 4 * HOUR;
  const { body } = await read();
  expect(body.observedFrom).toBe(body.to);
});

test('alerts count as due, sent, pending, failed or sent twice on the day on which they arose', async () => {
  const save = (change: Partial<Alert>, atMs: number, nth: number) =>
    service.services.stores.alerts.save(account.id, {
      id: `alr_${buildUlid(atMs, new Uint8Array(10).fill(nth))}`,
      accountId: account.id,
      incidentId: 'inc_1',
      resourceId: 'mon_1',
      kind: 'failure',
      channelId: 'chn_1',
      channelType: 'email',
      recipient: 'o…@example.com',
      status: 'sent',
      attempts: [],
      sequence: 1,
      createdAtMs: atMs,
      sentAtMs: atMs,
      certificate: null,
      pending: null,
      ...change,
    });
  await save({}, BEGIN, 1);
  await save({}, BEGIN, 2);
  await save({ kind: 'recovery', status: 'failed' }, BEGIN + 3 * HOUR, 3);
  await save({ incidentId: 'inc_2', status: 'pending' }, BEGIN + 3 * HOUR, 4);
  service.clock.nowMs = BEGIN + 5 * HOUR;
  const { body } = await read();
  expect(body.total.alerts).toEqual({ due: 4, sent: 2, pending: 1, failed: 1, doubled: 1 });
  expect(body.days[5].alerts).toMatchObject({ due: 2, doubled: 1 });
  expect(body.days[6].alerts).toMatchObject({ due: 2, failed: 1, pending: 1 });
});

test('each account has its own ledger, and the requested period is limited', async () => {
  const id = await newMonitor({ interval: 600 });
  await recordEvery(id, BEGIN, BEGIN + HOUR);
  service.clock.nowMs = BEGIN + 3 * HOUR;
  const { body } = await read({}, await service.newAccount());
  expect(body.total.slots.due).toBe(0);
  expect(body.total.alerts.due).toBe(0);
  const wide = await read({ from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' });
  expect([wide.status, wide.body.code]).toEqual([400, 'invalid_query']);
  const turned = await read({ from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' });
  expect([turned.status, turned.body.code]).toEqual([400, 'invalid_query']);
});
