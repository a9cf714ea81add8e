/** Tests that the backlog of a workflow is limited in size, and that gaps name the slots that are dropped. */
import type { PendingRecord } from '../../../src/contracts/backlog';
import type { MonitorCheckRecord } from '../../../src/contracts/records';
import {
  NO_BACKLOG,
  withDeferred,
  withDone,
  withNextInFlight,
} from '../../../src/domain/states/backlog';
import { outcomeOf } from '../../support/outcomes';
import { createRandom } from '../../support/random';
import { testSeed } from '../../support/test-seed';

const MINUTE = 60_000;

function checkAt(slotMs: number, change: Partial<MonitorCheckRecord> = {}): PendingRecord {
  const record: MonitorCheckRecord = {
    accountId: 'acc_1',
    monitorId: 'mon_1',
    revision: 1,
    kind: 'scheduled',
    trigger: 'schedule',
    slotMs,
    outcomes: [{ region: 'eu-west', outcome: outcomeOf('up') }],
    gap: null,
    excludedPeriods: [],
    incident: null,
    currentIncidentId: null,
    inMaintenance: false,
    health: 'up',
    healthSinceMs: 0,
    regionsHealth: [],
    nextSlotMs: null,
    ...change,
  };
  return { kind: 'monitor', record };
}

const slotsOf = ({ record }: PendingRecord): readonly number[] => {
  if (record.kind === 'manual') return [];
  const isMeasured = 'outcomes' in record && record.outcomes.length > 0;
  const from = record.gap?.fromSlotMs ?? 0;
  const named = Array.from({ length: record.gap?.slots ?? 0 }, (_, index) => from + index * MINUTE);
  return isMeasured ? [record.slotMs, ...named] : named;
};

test('a backlog keeps every slot once, as a result or in a recorded gap, and every incident', () => {
  const seed = testSeed();
  const random = createRandom(seed);
  let backlog = NO_BACKLOG;
  let slot = 0;
  const incidents: string[] = [];
  for (let count = 0; count < 500; count += 1) {
    slot += 1;
    const slotMs = slot * MINUTE;
    const missed = random() < 0.1 ? Math.ceil(random() * 5) : 0;
    const gap = { reason: 'missed', fromSlotMs: slotMs, toSlotMs: slotMs, slots: missed } as const;
    slot += missed;
    const at = slot * MINUTE;
    const isIncident = random() < 0.05;
    if (isIncident) incidents.push(`inc_${count}`);
    const incident = {
      id: `inc_${count}`,
      openedAtMs: at,
      closedAtMs: null,
      cause: null,
      regions: [],
      firstRunId: null,
    };
    const change = {
      gap: missed === 0 ? null : { ...gap, toSlotMs: at - MINUTE },
      incident: isIncident ? incident : null,
    };
    backlog = withDeferred(backlog, 'waiting', [checkAt(at, change)]);
    const { held } = backlog.waiting;
    expect(held.length).toBeLessThanOrEqual(100);
    const named = held.flatMap(slotsOf).toSorted((a, b) => a - b);
    const all = Array.from({ length: slot }, (_, index) => (index + 1) * MINUTE);
    if (JSON.stringify(named) !== JSON.stringify(all)) throw new Error(`seed ${seed}`);
    expect(held.flatMap(({ record }) => record.incident?.id ?? [])).toEqual(incidents);
  }
});

test('a backlog is also limited by its length in characters', () => {
  let backlog = NO_BACKLOG;
  const long = { region: 'eu-west', outcome: outcomeOf('up', { page: 'x'.repeat(20_000) }) };
  for (let slot = 1; slot <= 90; slot += 1)
    backlog = withDeferred(backlog, 'waiting', [checkAt(slot * MINUTE, { outcomes: [long] })]);
  expect(JSON.stringify(backlog).length).toBeLessThan(600_000);
  expect(backlog.waiting.held.flatMap(slotsOf)).toHaveLength(90);
});

test('deferring more checks does not change the batch of checks that is being stored', () => {
  const first = checkAt(MINUTE);
  const handed = withNextInFlight(withDeferred(NO_BACKLOG, 'waiting', [first]), 'waiting', 7);
  const more = Array.from({ length: 300 }, (_, index) => checkAt((index + 2) * MINUTE));
  const full = withDeferred(handed, 'waiting', more);
  expect(full.waiting.handed).toEqual([first]);
  expect(withNextInFlight(full, 'waiting', 9).waiting).toEqual(full.waiting);
  const done = withNextInFlight(withDone(full, 'waiting', 1), 'waiting', 9);
  expect(done.waiting).toMatchObject({ handed: full.waiting.held, held: [], sinceMs: 9 });
});
