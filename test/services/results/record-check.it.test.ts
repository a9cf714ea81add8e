/**
 * Tests recording: one result per slot, statuses only move forward, and a repeated recording repairs any crash.
 *
 * Covers:
 * - services/results/slot-results
 * - services/results/status-changes
 */
import type { IncidentRecord } from '../../../src/contracts/records';
import { createRecordWrites } from '../../../src/models';
import { UNANSWERED } from '../../../src/models/alerting/incidents';
import type { RecordWrites } from '../../../src/models/results/record-writes';
import { createCheckRecorder } from '../../../src/services/results/record-check';
import {
  FIRST_SLOT_MS,
  monitorRecord,
  newId,
  passingOutcome,
  pendingStatus,
  runRecord,
  scenarioRecord,
} from '../../models/example-records';
import { withStores } from '../../models/with-stores';

const MINUTE_MS = 60_000;
const REGIONS = ['eu-west', 'us-east'];

const db = withStores();

async function newMonitor() {
  const [accountId, monitorId] = [newId('account'), newId('monitor')];
  await db.stores.statuses.create(accountId, pendingStatus(accountId, monitorId));
  return { accountId, monitorId };
}

async function newScenario() {
  const [accountId, scenarioId] = [newId('account'), newId('scenario')];
  await db.stores.statuses.create(accountId, pendingStatus(accountId, scenarioId));
  return { accountId, scenarioId };
}

/** Reads everything that recording may have written for a resource. */
async function stateOf(accountId: string, id: string) {
  const [status] = await db.stores.statuses.findMany(accountId, [id]);
  const everything = { fromMs: null, toMs: null, status: null, limit: 200, after: null };
  const results = await db.stores.results.page(accountId, {
    ...everything,
    monitorId: id,
    regions: REGIONS,
  });
  const incidents = await db.stores.incidents.page(accountId, {
    resourceId: id,
    limit: 100,
    beforeId: null,
  });
  return { status, results: results.items, incidents: incidents.items };
}

describe('the slot of a monitor', () => {
  test('a slot of a monitor is recorded as missed if a later result names it as unconfirmed', async () => {
    const ids = await newMonitor();
    const slots = [0, 1, 2, 3].map((index) => FIRST_SLOT_MS + index * MINUTE_MS);
    const [first = 0, stored = 0, missed = 0, now = 0] = slots;
    for (const slotMs of [first, stored])
      await db.recorder.recordMonitorCheck({ ...monitorRecord(ids), slotMs });
    const span = { fromSlotMs: first, toSlotMs: missed, slots: 3 };
    const unconfirmed = { reason: 'missed', ...span } as const;
    const record = { ...monitorRecord(ids), slotMs: now, unconfirmed };
    for (const repeated of [record, record]) await db.recorder.recordMonitorCheck(repeated);
    const { results } = await stateOf(ids.accountId, ids.monitorId);
    const own = results.filter(({ region }) => region === 'us-east');
    const gap = { reason: 'missed', fromSlotMs: missed, toSlotMs: missed, slots: 1 };
    expect(own.map(({ slotMs, gap: found }) => [slotMs, found])).toEqual([
      [now, null],
      [missed, gap],
      [stored, null],
      [first, null],
    ]);
  });

  test.each(['gap', 'unconfirmed'] as const)(
    'a slot of a monitor is not recorded as missed twice if the field `%s` of a later result names the slot again',
    async (kind) => {
      const ids = await newMonitor();
      const slotAt = (index: number): number => FIRST_SLOT_MS + index * MINUTE_MS;
      const gapOf = (from: number, to: number) =>
        ({
          reason: 'missed',
          fromSlotMs: slotAt(from),
          toSlotMs: slotAt(to),
          slots: to - from + 1,
        }) as const;
      const first = { ...monitorRecord(ids), slotMs: slotAt(4), gap: gapOf(1, 3) };
      const second = { ...monitorRecord(ids), slotMs: slotAt(6), [kind]: gapOf(2, 5) };
      for (const record of [first, second, second]) await db.recorder.recordMonitorCheck(record);
      const { results } = await stateOf(ids.accountId, ids.monitorId);
      const named = results.flatMap(({ region, gap }) =>
        gap === null || region !== 'us-east' ? [] : [gap],
      );
      const countOf = (index: number) =>
        named.filter(
          ({ fromSlotMs: from, toSlotMs: to }) => from <= slotAt(index) && to >= slotAt(index),
        ).length;
      expect([1, 2, 3, 5].map(countOf)).toEqual([1, 1, 1, 1]);
      const checked = results.filter(({ region, gap }) => gap === null && region === 'us-east');
      expect(checked.map(({ slotMs }) => slotMs)).toEqual([slotAt(6), slotAt(4)]);
    },
  );

  test('the slot of a monitor is stored as one result per region, together with the status', async () => {
    const ids = await newMonitor();
    expect(await db.recorder.recordMonitorCheck(monitorRecord(ids))).toEqual({ gone: false });
    const { status, results, incidents } = await stateOf(ids.accountId, ids.monitorId);
    expect(results.map(({ region, status: found }) => [region, found])).toEqual([
      ['eu-west', 'up'],
      ['us-east', 'up'],
    ]);
    expect(results[0]?.outcome).toEqual(passingOutcome());
    expect(status).toMatchObject({
      health: 'up',
      healthSinceMs: FIRST_SLOT_MS,
      lastSlotMs: FIRST_SLOT_MS,
      nextSlotMs: FIRST_SLOT_MS + MINUTE_MS,
      lastCheckedAtMs: Date.parse(passingOutcome().finishedAt),
      tlsExpiresAt: '2026-06-30T23:59:59.000Z',
      currentIncidentId: null,
    });
    expect(status?.regionsHealth).toEqual(monitorRecord(ids).regionsHealth);
    expect(incidents).toEqual([]);
  });

  test('a slot that twenty writers record at the same time has one result per region', async () => {
    const ids = await newMonitor();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => db.recorder.recordMonitorCheck(monitorRecord(ids))),
    );
    expect(answers).toEqual(answers.map(() => ({ gone: false })));
    const { results } = await stateOf(ids.accountId, ids.monitorId);
    expect(results).toHaveLength(2);
  });

  test('a slot of a monitor is stored in addition to a manual check at the same time', async () => {
    const ids = await newMonitor();
    await db.recorder.recordMonitorCheck(monitorRecord(ids));
    await db.recorder.recordMonitorCheck(
      monitorRecord({ ...ids, kind: 'manual', trigger: 'manual' }),
    );
    const { results } = await stateOf(ids.accountId, ids.monitorId);
    expect(results.map(({ region, kind }) => [region, kind])).toEqual([
      ['eu-west', 'manual'],
      ['eu-west', 'scheduled'],
      ['us-east', 'manual'],
      ['us-east', 'scheduled'],
    ]);
  });

  test('a late slot of a monitor is stored without moving the status back', async () => {
    const ids = await newMonitor();
    const later = monitorRecord({ ...ids, slotMs: FIRST_SLOT_MS + MINUTE_MS });
    await db.recorder.recordMonitorCheck(later);
    await db.recorder.recordMonitorCheck(monitorRecord({ ...ids, health: 'down' }));
    const { status, results } = await stateOf(ids.accountId, ids.monitorId);
    expect(results).toHaveLength(4);
    expect(status).toMatchObject({ health: 'up', lastSlotMs: later.slotMs });
    expect(await db.stores.incidents.findOpen(ids.accountId, ids.monitorId)).toBeNull();
  });

  test('a gap before a slot of a monitor is stored as one result per region, at the first slot of the gap', async () => {
    const ids = await newMonitor();
    const gap = {
      reason: 'missed',
      fromSlotMs: FIRST_SLOT_MS + MINUTE_MS,
      toSlotMs: FIRST_SLOT_MS + 9 * MINUTE_MS,
      slots: 9,
    } as const;
    const record = monitorRecord({ ...ids, slotMs: FIRST_SLOT_MS + 10 * MINUTE_MS, gap });
    await db.recorder.recordMonitorCheck(record);
    await db.recorder.recordMonitorCheck(record);
    const { results } = await stateOf(ids.accountId, ids.monitorId);
    expect(results.filter((row) => row.gap !== null)).toEqual(
      REGIONS.map((region) =>
        expect.objectContaining({ region, gap, slotMs: gap.fromSlotMs, status: 'unknown' }),
      ),
    );
    expect(results).toHaveLength(4);
  });

  test('the recorder does not write a slot of a deleted monitor, and reports that the monitor is gone', async () => {
    const ids = { accountId: newId('account'), monitorId: newId('monitor') };
    const record = monitorRecord({ ...ids, health: 'down' });
    expect(await db.recorder.recordMonitorCheck(record)).toEqual({ gone: true });
    expect(await stateOf(ids.accountId, ids.monitorId)).toEqual({
      status: undefined,
      results: [],
      incidents: [],
    });
  });

  test('a failed slot of a monitor keeps the last seen certificate', async () => {
    const ids = await newMonitor();
    const tlsOf = async () => (await stateOf(ids.accountId, ids.monitorId)).status?.tlsExpiresAt;
    await db.recorder.recordMonitorCheck(monitorRecord(ids));
    const slotMs = FIRST_SLOT_MS + MINUTE_MS;
    await db.recorder.recordMonitorCheck(monitorRecord({ ...ids, slotMs, health: 'down' }));
    expect(await tlsOf()).toBe('2026-06-30T23:59:59.000Z');
    const plain = [{ region: 'eu-west', outcome: passingOutcome({ tls: null }) }];
    const next = { ...ids, slotMs: slotMs + MINUTE_MS, outcomes: plain };
    await db.recorder.recordMonitorCheck(monitorRecord(next));
    expect(await tlsOf()).toBeNull();
  });

  test('the status of a monitor stores the expiry of a domain registration separately from certificates', async () => {
    const ids = await newMonitor();
    const expiresAt = '2027-03-01T00:00:00.000Z';
    const facts = { registrar: null, expiresAt, fingerprint: 'ab'.repeat(32) };
    const outcome = passingOutcome({
      tls: null,
      registration: { domain: 'shop.example', ...facts },
    });
    const outcomes = [{ region: 'eu-west', outcome }];
    await db.recorder.recordMonitorCheck(monitorRecord({ ...ids, outcomes }));
    const slotMs = FIRST_SLOT_MS + MINUTE_MS;
    const unknown = [{ region: 'eu-west', outcome: passingOutcome({ tls: null, response: null }) }];
    await db.recorder.recordMonitorCheck(monitorRecord({ ...ids, slotMs, outcomes: unknown }));
    const { status } = await stateOf(ids.accountId, ids.monitorId);
    expect(status).toMatchObject({ domainExpiresAt: expiresAt, tlsExpiresAt: null });
  });
});

/** Returns an incident as the workflow records it. */
function incidentRecord(openedAtMs: number, closedAtMs: number | null = null): IncidentRecord {
  return {
    id: newId('incident', openedAtMs),
    openedAtMs,
    closedAtMs,
    cause: { code: 'connection_refused', message: 'The connection was refused.' },
    regions: REGIONS,
    firstRunId: null,
  };
}

describe('incidents', () => {
  const at = (minute: number) => FIRST_SLOT_MS + minute * MINUTE_MS;

  /** Returns the records of the slots that open and close an incident. */
  function outage(ids: { readonly accountId: string; readonly monitorId: string }) {
    const opened = incidentRecord(at(1));
    const closed = { ...opened, closedAtMs: at(3) };
    return {
      opened,
      down: monitorRecord({
        ...ids,
        slotMs: at(1),
        health: 'down',
        incident: opened,
        currentIncidentId: opened.id,
      }),
      up: monitorRecord({ ...ids, slotMs: at(3), incident: closed }),
    };
  }

  test('the slots of a monitor open and close its incident', async () => {
    const ids = await newMonitor();
    const { opened, down, up } = outage(ids);
    await db.recorder.recordMonitorCheck(down);
    const { status, incidents } = await stateOf(ids.accountId, ids.monitorId);
    expect(incidents).toEqual([
      {
        ...opened,
        accountId: ids.accountId,
        resourceType: 'monitor',
        resourceId: ids.monitorId,
        firstResultId: expect.stringContaining(`${ids.monitorId}:eu-west:`),
        ...UNANSWERED,
      },
    ]);
    expect(status?.currentIncidentId).toBe(opened.id);
    expect(await db.stores.incidents.findOpen(ids.accountId, ids.monitorId)).toEqual(incidents[0]);
    await db.recorder.recordMonitorCheck(up);
    const after = await stateOf(ids.accountId, ids.monitorId);
    expect(after.incidents).toEqual([{ ...incidents[0], closedAtMs: at(3) }]);
    expect(after.status?.currentIncidentId).toBeNull();
    expect(await db.stores.incidents.findOpen(ids.accountId, ids.monitorId)).toBeNull();
  });

  test('incidents are complete even if their end is recorded before their start, and both are recorded twice', async () => {
    const ids = await newMonitor();
    const { opened, down, up } = outage(ids);
    for (const record of [up, down, down, up]) await db.recorder.recordMonitorCheck(record);
    const { status, incidents } = await stateOf(ids.accountId, ids.monitorId);
    expect(incidents).toEqual([expect.objectContaining({ ...opened, closedAtMs: at(3) })]);
    expect(status).toMatchObject({ health: 'up', currentIncidentId: null });
    expect(await db.stores.incidents.findOpen(ids.accountId, ids.monitorId)).toBeNull();
  });

  test('an incident that is recorded again keeps the acknowledgement and notes of people', async () => {
    const ids = await newMonitor();
    const { opened, down, up } = outage(ids);
    await db.recorder.recordMonitorCheck(down);
    const before = { id: opened.id, silenceSequence: 0 };
    const acknowledgedBy = (by: string, atMs: number) => ({
      fields: {
        acknowledgedAtMs: atMs,
        acknowledgedBy: by,
        snoozedUntilMs: null,
        snoozedBy: null,
        snoozeReason: null,
        silenceChanges: [],
      },
      atMs,
    });
    const silence = (by: string, atMs: number) =>
      db.stores.incidents.silence(ids.accountId, before, acknowledgedBy(by, atMs));
    expect([await silence('ann', at(2)), await silence('bob', at(4))]).toEqual([true, false]);
    await db.stores.incidents.addNote(ids.accountId, opened.id, {
      atMs: at(2),
      by: 'ann',
      text: 'x',
    });
    await db.recorder.recordMonitorCheck(down);
    await db.recorder.recordMonitorCheck(up);
    const { incidents } = await stateOf(ids.accountId, ids.monitorId);
    expect(incidents).toEqual([
      expect.objectContaining({
        closedAtMs: at(3),
        acknowledgedAtMs: at(2),
        acknowledgedBy: 'ann',
        notes: [{ atMs: at(2), by: 'ann', text: 'x' }],
      }),
    ]);
  });

  test('an incident of a scenario names the run that opened it', async () => {
    const ids = await newScenario();
    const runId = newId('run');
    const incident = { ...incidentRecord(FIRST_SLOT_MS), firstRunId: runId };
    await db.recorder.recordScenarioSlot(
      scenarioRecord({ ...ids, runId, health: 'down', incident, currentIncidentId: incident.id }),
    );
    const { incidents } = await stateOf(ids.accountId, ids.scenarioId);
    expect(incidents).toEqual([
      expect.objectContaining({ resourceType: 'scenario', firstRunId: runId, firstResultId: null }),
    ]);
  });
});

describe('a crash in the middle of recording', () => {
  /** Returns the real steps of recording. The write with this number fails before or after it is done. */
  function crashingSteps(crashAt: number, when: 'before' | 'after') {
    const real = createRecordWrites(db.database);
    let writes = 0;
    const through = async <Answer>(write: () => Promise<Answer>): Promise<Answer> => {
      const isHit = writes === crashAt;
      writes += 1;
      if (isHit && when === 'before') throw new Error('crash');
      const answer = await write();
      if (isHit) throw new Error('crash');
      return answer;
    };
    const steps: RecordWrites = {
      ...real,
      advanceStatus: (change) => through(() => real.advanceStatus(change)),
      insertResults: (rows) => through(() => real.insertResults(rows)),
      saveRun: (run) => through(() => real.saveRun(run)),
      saveIncident: (incident) => through(() => real.saveIncident(incident)),
      insertChanges: (owner, addition) => through(() => real.insertChanges(owner, addition)),
    };
    return { steps, writes: () => writes };
  }

  const gap = {
    reason: 'missed',
    fromSlotMs: FIRST_SLOT_MS + 3 * MINUTE_MS,
    toSlotMs: FIRST_SLOT_MS + 4 * MINUTE_MS,
    slots: 2,
  } as const;
  const first = incidentRecord(FIRST_SLOT_MS + MINUTE_MS);
  const second = incidentRecord(FIRST_SLOT_MS + 5 * MINUTE_MS);
  const story = [
    { slotMs: FIRST_SLOT_MS, health: 'up' },
    {
      slotMs: FIRST_SLOT_MS + MINUTE_MS,
      health: 'down',
      incident: first,
      currentIncidentId: first.id,
    },
    {
      slotMs: FIRST_SLOT_MS + 2 * MINUTE_MS,
      health: 'up',
      incident: { ...first, closedAtMs: FIRST_SLOT_MS + 2 * MINUTE_MS },
    },
    {
      slotMs: FIRST_SLOT_MS + 5 * MINUTE_MS,
      health: 'down',
      gap,
      incident: second,
      currentIncidentId: second.id,
    },
  ] as const;

  /**
   * Records each slot twice, and repeats a recording that crashed. Returns the state with placeholders for ids and times.
   */
  async function recordAll(crashAt: number, when: 'before' | 'after') {
    const ids = await newMonitor();
    const own = JSON.parse(
      JSON.stringify(story)
        .replaceAll(first.id, newId('incident', first.openedAtMs))
        .replaceAll(second.id, newId('incident', second.openedAtMs)),
    ) as typeof story;
    const { steps, writes } = crashingSteps(crashAt, when);
    const crashing = createCheckRecorder(steps);
    let crashes = 0;
    for (const slot of [...own, ...own].toSorted((one, other) => one.slotMs - other.slotMs)) {
      const record = monitorRecord({ ...ids, ...slot });
      await crashing.recordMonitorCheck(record).catch(async () => {
        crashes += 1;
        await crashing.recordMonitorCheck(record);
      });
    }
    const text = JSON.stringify(await stateOf(ids.accountId, ids.monitorId));
    const state = text
      .replaceAll(ids.accountId, 'ACCOUNT')
      .replaceAll(ids.monitorId, 'MONITOR')
      .replaceAll(/inc_[0-9a-z]{26}/g, 'INCIDENT')
      .replaceAll(/"changedAtMs":\d+/g, '"changedAtMs":"NOW"');
    return { state: JSON.parse(state), writes: writes(), crashes };
  }

  test.each(['before', 'after'] as const)(
    'a recording repeated after a crash %s any one write gives the same state as without the crash',
    async (when) => {
      const smooth = await recordAll(-1, when);
      expect(smooth.crashes).toBe(0);
      expect(smooth.state.results).toHaveLength(10);
      expect(smooth.state.incidents).toHaveLength(2);
      for (let crashAt = 0; crashAt < smooth.writes; crashAt += 1) {
        const crashed = await recordAll(crashAt, when);
        expect({ crashAt, crashes: crashed.crashes }).toEqual({ crashAt, crashes: 1 });
        expect(crashed.state).toEqual(smooth.state);
      }
    },
  );
});

describe('runs', () => {
  test('runs of a deleted scenario are not stored', async () => {
    const ids = { accountId: newId('account'), scenarioId: newId('scenario') };
    const run = runRecord(ids);
    expect(await db.recorder.saveRun(run)).toEqual({ gone: true });
    expect(await db.recorder.recordScenarioSlot(scenarioRecord(ids))).toEqual({ gone: true });
    expect(await db.stores.runs.find(ids.accountId, run.runId)).toBeNull();
  });

  test('the state of a run only moves forward, and does not change once the run has ended', async () => {
    const ids = await newScenario();
    const queued = runRecord(ids);
    const running = { ...queued, status: 'running', sequence: 1 } as const;
    const passed = { ...queued, status: 'passed', sequence: 5 } as const;
    const find = () => db.stores.runs.find(ids.accountId, queued.runId);
    await db.stores.runs.save(ids.accountId, queued);
    await db.recorder.saveRun(running);
    await db.stores.runs.save(ids.accountId, queued);
    expect(await find()).toEqual(running);
    await db.recorder.saveRun(passed);
    await db.recorder.saveRun({ ...running, sequence: 3 });
    await db.recorder.saveRun({ ...running, sequence: 9 });
    expect(await find()).toEqual(passed);
  });

  test('runs that have ended keep their final state, even after writes of a lost orchestrator', async () => {
    const ids = await newScenario();
    const queued = runRecord(ids);
    await db.recorder.saveRun({ ...queued, status: 'running', sequence: 7 });
    const cancelled = { ...queued, status: 'cancelled', sequence: 4 } as const;
    await db.recorder.saveRun(cancelled);
    expect(await db.stores.runs.find(ids.accountId, queued.runId)).toEqual(cancelled);
  });

  test('a run ends in its finished state, even if its states are saved at the same time and in any order', async () => {
    const ids = await newScenario();
    const queued = runRecord(ids);
    const states = Array.from({ length: 20 }, (_, sequence) =>
      sequence === 19
        ? ({ ...queued, sequence, status: 'passed' } as const)
        : ({ ...queued, sequence, status: 'running' } as const),
    );
    await Promise.all(states.toReversed().map((state) => db.recorder.saveRun(state)));
    expect(await db.stores.runs.find(ids.accountId, queued.runId)).toEqual(states.at(-1));
  });

  test('runs of both regions at one slot update the status of their scenario', async () => {
    const ids = await newScenario();
    await db.recorder.recordScenarioSlot(scenarioRecord({ ...ids, region: 'eu-west' }));
    const second = scenarioRecord({ ...ids, region: 'us-east', health: 'degraded' });
    await db.recorder.recordScenarioSlot(second);
    const { status } = await stateOf(ids.accountId, ids.scenarioId);
    expect(status).toMatchObject({ health: 'degraded', lastRunId: second.runId });
  });
});
