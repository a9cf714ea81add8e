/**
 * Tests the state with which a lost workflow restarts. It is computed from the resource and its status in the database.
 */
import { nextAlerts } from '../../../src/domain/alerting/alert-policy';
import { followPlan } from '../../../src/domain/health/maintenance';
import { planSlot } from '../../../src/domain/health/schedule';
import type { Incident } from '../../../src/models/alerting/incidents';
import { UNANSWERED } from '../../../src/models/alerting/incidents';
import type { StoredStatus } from '../../../src/models/results/statuses';
import { type NoticeRecord, seedMonitorState } from '../../../src/services/resources/seed-state';
import { monitorRow } from '../../models/example-records';

const MINUTE = 60_000;
const ANCHOR = 1_000_000_000_000;

const resource = monitorRow('acc_1', {
  id: 'mon_1',
  anchorMs: ANCHOR,
  updatedAtMs: ANCHOR,
  intervalSeconds: 60,
  regions: ['eu-west', 'us-east'],
  failuresBeforeDown: 3,
  successesBeforeUp: 2,
});

const status = (change: Partial<StoredStatus> = {}): StoredStatus => ({
  id: 'mon_1',
  accountId: 'acc_1',
  health: 'up',
  healthSinceMs: ANCHOR,
  regionsHealth: [],
  lastSlotMs: ANCHOR + 10 * MINUTE,
  nextSlotMs: ANCHOR + 11 * MINUTE,
  lastCheckedAtMs: ANCHOR + 10 * MINUTE + 300,
  tlsExpiresAt: null,
  lastRunId: null,
  currentIncidentId: null,
  summarisedUntilMs: 0,
  changedAtMs: 0,
  inMaintenance: false,
  ...change,
});

const nowMs = ANCHOR + 60 * MINUTE + 5_000;
const seed = (change: Partial<StoredStatus> = {}, resourceChange: Partial<typeof resource> = {}) =>
  seedMonitorState(
    {
      resource: { ...resource, ...resourceChange },
      status: status(change),
      incident: null,
      notices: [],
      maintenance: { asOfMs: nowMs, spans: [] },
      certificates: [],
    },
    nowMs,
  );
const gapOf = (
  change: Partial<StoredStatus> = {},
  resourceChange: Partial<typeof resource> = {},
) => {
  const { config, lastSlotMs } = seed(change, resourceChange);
  return planSlot({ ...config, lastSlotMs, nowMs }).gap;
};

test('a recreated workflow records all due slots since the last recorded slot as missed, except the newest', () => {
  expect(gapOf()).toEqual({
    reason: 'missed',
    fromSlotMs: ANCHOR + 11 * MINUTE,
    toSlotMs: ANCHOR + 59 * MINUTE,
    slots: 49,
  });
});

test('a recreated workflow also records slots between the last recorded slot and the stored next slot as missed', () => {
  expect(gapOf({ nextSlotMs: ANCHOR + 15 * MINUTE })?.fromSlotMs).toBe(ANCHOR + 11 * MINUTE);
});

test('a recreated workflow does not count a manual check between two slots as the check of a slot', () => {
  const checked = { lastSlotMs: ANCHOR + 10.5 * MINUTE, nextSlotMs: ANCHOR + 11 * MINUTE };
  expect(gapOf(checked)?.fromSlotMs).toBe(ANCHOR + 11 * MINUTE);
});

test('a recreated workflow records unrecorded slots before a manual check outside the schedule as missed', () => {
  const checked = {
    lastSlotMs: ANCHOR + 10.5 * MINUTE,
    recordedSlotMs: ANCHOR + 8 * MINUTE,
    measured: resource.regions.map((region) => ({ region, slotMs: ANCHOR + 8 * MINUTE })),
  };
  expect(gapOf(checked)?.fromSlotMs).toBe(ANCHOR + 9 * MINUTE);
});

test('a recreated workflow records slots as missed from the oldest last slot of all regions', () => {
  const watched = {
    lastSlotMs: ANCHOR + 10 * MINUTE,
    recordedSlotMs: ANCHOR + 4 * MINUTE,
    measured: [
      { region: 'eu-west', slotMs: ANCHOR + 10 * MINUTE },
      { region: 'us-east', slotMs: ANCHOR + 7 * MINUTE },
    ],
  };
  expect(gapOf(watched)?.fromSlotMs).toBe(ANCHOR + 8 * MINUTE);
});

test('a recreated workflow ignores a stored next slot that belongs to an old schedule', () => {
  expect(gapOf({ nextSlotMs: ANCHOR + 11.25 * MINUTE })?.fromSlotMs).toBe(ANCHOR + 11 * MINUTE);
});

test('a recreated workflow records an expired pause, and does not record slots during the pause as missed', () => {
  const pause = {
    state: 'paused',
    pausedAtMs: ANCHOR + 10.5 * MINUTE,
    pausedUntilMs: ANCHOR + 40.5 * MINUTE,
  } as const;
  expect(gapOf({ nextSlotMs: null }, pause)?.fromSlotMs).toBe(ANCHOR + 41 * MINUTE);
  expect(seed({ nextSlotMs: null }, pause).excludedPeriods).toEqual([
    { state: 'paused', fromMs: pause.pausedAtMs, toMs: pause.pausedUntilMs },
  ]);
});

test.each([
  ['expired', 'paused'],
  ['was ended by a person', 'active'],
] as const)(
  'after a pause that %s, a recreated workflow records only the slots before the pause as missed',
  (_how, state) => {
    const pause = { state, pausedAtMs: ANCHOR + 14.5 * MINUTE, pausedUntilMs: nowMs - 1_000 };
    const { skipped, lastSlotMs } = seed({}, pause);
    expect(skipped).toEqual({
      reason: 'missed',
      fromSlotMs: ANCHOR + 11 * MINUTE,
      toSlotMs: ANCHOR + 14 * MINUTE,
      slots: 4,
    });
    expect(lastSlotMs).toBe(ANCHOR + 60 * MINUTE);
    expect(gapOf({}, pause)).toBeNull();
  },
);

test('a pause that ended before the last recorded slot does not change what a recreated workflow records', () => {
  const pause = { pausedAtMs: ANCHOR + 2.5 * MINUTE, pausedUntilMs: ANCHOR + 4.5 * MINUTE };
  expect(gapOf({}, pause)).toEqual(gapOf());
  expect(seed({}, pause).skipped).toBeNull();
});

test('a paused monitor whose workflow was lost stays paused and keeps its last slot', () => {
  const paused = { state: 'paused', pausedAtMs: ANCHOR, pausedUntilMs: null } as const;
  const state = seed({ nextSlotMs: null }, paused);
  expect(state.config.paused).toBe(true);
  expect(state.lastSlotMs).toBe(ANCHOR + 10 * MINUTE);
  expect(state.excludedPeriods).toEqual([]);
});

test.each([
  ['down', { failures: 3, successes: 0, lastKnown: 'down' }],
  ['up', { failures: 0, successes: 2, lastKnown: 'up' }],
  ['degraded', { failures: 0, successes: 2, lastKnown: 'degraded' }],
  ['unknown', { failures: 0, successes: 0, lastKnown: 'pending' }],
] as const)(
  'a recreated workflow restores the health %s with its start and its failure counts',
  (health, expected) => {
    expect(seed({ health, healthSinceMs: ANCHOR + 7 }).health).toMatchObject({
      health,
      sinceMs: ANCHOR + 7,
      ...expected,
    });
  },
);

test('a monitor with unknown health and an open incident is restored as last known down', () => {
  const state = seed({ health: 'unknown', currentIncidentId: 'inc_1' });
  expect(state.health).toMatchObject({ health: 'unknown', lastKnown: 'down', failures: 3 });
});

test('a recreated workflow leaves out regions that the monitor no longer has', () => {
  const seen = ['eu-west', 'ap-south'].map((region) => ({
    region,
    health: 'up' as const,
    sinceMs: ANCHOR,
    lastResponseTimeMs: 12,
  }));
  expect(seed({ regionsHealth: seen }).health.regions.map(({ region }) => region)).toEqual([
    'eu-west',
  ]);
});

test('a recreated workflow checks a definition at once only if it was saved after the last check', () => {
  expect(seed().checkedRevision).toBe(resource.revision);
  expect(seed({}, { updatedAtMs: ANCHOR + 20 * MINUTE }).checkedRevision).not.toBe(
    resource.revision,
  );
});

test('the recreated workflow of a monitor that was never checked starts as pending', () => {
  const state = seed({ lastSlotMs: null, nextSlotMs: null, health: 'pending' });
  expect(state).toMatchObject({ lastSlotMs: null, checkedRevision: null });
  expect(state.health).toMatchObject({ health: 'pending', sinceMs: ANCHOR });
});

test('a recreated workflow has the current maintenance with its true start', () => {
  const span = { windowId: 'mnt_1', fromMs: nowMs - MINUTE, toMs: nowMs + MINUTE };
  const { maintenance } = seedMonitorState(
    {
      resource,
      status: status(),
      incident: null,
      notices: [],
      maintenance: { asOfMs: nowMs, spans: [{ ...span, mode: 'pause' }] },
      certificates: [],
    },
    nowMs,
  );
  const { state } = followPlan(maintenance, nowMs);
  expect(state.current).toEqual({ fromMs: span.fromMs, mode: 'pause' });
});

test('a recreated workflow notifies people of an open incident that notified no one, unless it is a day old', () => {
  const incident: Incident = {
    id: 'inc_1',
    accountId: 'acc_1',
    resourceType: 'monitor',
    resourceId: resource.id,
    openedAtMs: nowMs - MINUTE,
    closedAtMs: null,
    cause: null,
    regions: [],
    firstResultId: null,
    firstRunId: null,
    ...UNANSWERED,
  };
  const seeded = (change: Partial<Incident>, notices: readonly NoticeRecord[] = []) =>
    seedMonitorState(
      {
        resource,
        status: status({ health: 'down', currentIncidentId: incident.id }),
        incident: { ...incident, ...change },
        notices,
        maintenance: { asOfMs: nowMs, spans: [] },
        certificates: [],
      },
      nowMs,
    ).alerts;
  const failure = { kind: 'failure', sentAtMs: nowMs - MINUTE, incident } as const;
  expect(seeded({}, [failure]).notices).toMatchObject([{ kind: 'failure' }]);
  const yesterday = { openedAtMs: nowMs - 25 * 60 * MINUTE };
  expect(seeded(yesterday).notices).toMatchObject([{ kind: 'failure' }]);
  expect(seeded({})).toMatchObject({ notices: [], incident: { id: incident.id } });
  expect(seeded({}).silence).toBeNull();
  expect(seeded({ acknowledgedAtMs: nowMs, silenceSequence: 3 }).silence).toEqual({
    incidentId: incident.id,
    sequence: 3,
    isAcknowledged: true,
    snoozedUntilMs: null,
  });
});

test('after the loss of a workflow, people notified of a degraded state get its recovery, and no alert twice', () => {
  const sent = { kind: 'degraded', sentAtMs: nowMs - MINUTE, incident: null } as const;
  const { alerts } = seedMonitorState(
    {
      resource,
      status: status({ health: 'degraded' }),
      incident: null,
      notices: [sent],
      maintenance: { asOfMs: nowMs, spans: [] },
      certificates: [],
    },
    nowMs,
  );
  const opening = { id: 'inc_2', cause: null, regions: [], firstRunId: null };
  const slot = { healthSinceMs: nowMs, opening, isMuted: false };
  const target = { key: 'a', type: 'email', channelId: null, masked: 'a', sealed: '' } as const;
  const rules = {
    channels: [],
    targets: [target],
    onFailure: true,
    onRecovery: true,
    onDegraded: true,
    remindEveryMinutes: null,
  };
  const still = nextAlerts(alerts, { ...slot, atMs: nowMs, health: 'degraded' }, rules);
  expect(still.due).toEqual([]);
  const over = nextAlerts(still.state, { ...slot, atMs: nowMs + 1, health: 'up' }, rules);
  expect(over.due).toMatchObject([{ kind: 'recovery', ends: ['degraded'] }]);
});
