/**
 * Carries out faults one after the other on one service. Afterwards every slot is stored once, as a result or in a
 * named gap. No healthy target is reported as down. People are notified once of each failure and recovery. `npm run
 * faults` carries out all faults. KEEPWATCH_TEST_SEED repeats a choice of moments and their order.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { mapAtMost } from '../../src/platform/map-at-most';
import { createRandom } from '../support/random';
import { readWebhookReports } from '../support/reported-changes';
import { testSeed } from '../support/test-seed';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';
import { FAULTS, type Fault } from './faults';
import { type AlertCounts, countAlerts, countSlots, lastFailureAtMs } from './ledger';
import { type Note, startProgress } from './progress';
import { type FaultRow, renderReport, renderTable } from './report';
import { AT_ONCE_MAX, INTERVAL_MS, type Monitor, openStage, revive, type Stage } from './stage';

const SEED = testSeed();
const CHOSEN = process.env['KEEPWATCH_TEST_FAULTS'] ?? 'all';
const SECONDS = process.env['KEEPWATCH_TEST_FAULT_SECONDS'];
const REPORT = process.env['KEEPWATCH_TEST_FAULT_REPORT'];
const MONITORS = testSize('monitors', { ci: 5, long: 20 });
const STEADY = process.env['KEEPWATCH_STEADY'] === 'watch' ? 'watch' : 'full';
const ON = process.env['KEEPWATCH_TEST_FAULTS_ON'] === 'cluster' ? 'cluster' : 'all-in-one';
const TEST_MS = 1_200_000;
/** Milliseconds for each monitor of a fault: the time to create it, read it several times and delete it. */
const EACH_MS = 1_000;

const INTERVALS_FAILING_MIN = 1.5;

const random = createRandom(SEED);
const rows: FaultRow[] = [];
const skipped: { readonly fault: string; readonly why: string }[] = [];
const broken: { readonly fault: string; readonly why: string }[] = [];
let stage: Stage;

function choose(): readonly (readonly [string, Fault])[] {
  const names = CHOSEN === 'all' ? [...FAULTS.keys()] : CHOSEN.split(',');
  const shuffled = names.map((name) => ({ name, at: random() })).toSorted((a, b) => a.at - b.at);
  return shuffled.map(({ name }) => {
    const found = FAULTS.get(name);
    if (found === undefined)
      throw new Error(`no fault is called ${name}; there are ${[...FAULTS.keys()].join(', ')}`);
    return [name, found] as const;
  });
}

const chosen = choose();

/**
 * Returns the time limit of a fault in milliseconds. It includes the time to create all monitors, read them several
 * times and delete them.
 */
function limitMs(monitors: number, seconds = 0): number {
  return TEST_MS + EACH_MS * monitors + 1_000 * seconds;
}

function ownCountOf({ troubles }: Fault): number {
  return troubles?.countOf(MONITORS) ?? 0;
}

/**
 * Returns the duration of the fault in seconds. It is at least so long that the service sees the failing monitors fail,
 * because otherwise no alert is due.
 */
function secondsOf({ seconds, troubles }: Fault): number {
  const least = ((troubles?.intervalMs ?? 0) * INTERVALS_FAILING_MIN) / 1_000;
  return SECONDS === undefined ? seconds : Math.max(Number(SECONDS), least);
}

beforeAll(async () => {
  const smallDisks = chosen.some(([, { needsSmallDisks }]) => needsSmallDisks === true);
  const namespaces = chosen.some(([, { needsNamespaces }]) => needsNamespaces === true);
  const { note, end } = startProgress('stage');
  const size = { on: ON, monitors: MONITORS, steady: STEADY } as const;
  stage = await openStage({ ...size, smallDisks, namespaces, note }).finally(end);
}, limitMs(MONITORS));
afterAll(async () => {
  await stage?.stop();
  const notes = [
    ...skipped.map(({ fault, why }) => `${fault}: not played, ${why}`),
    ...broken.map(({ fault, why }) => `${fault}: not counted, ${why}`),
  ];
  process.stderr.write(`${ON}, seed ${SEED}\n${[renderReport(rows), ...notes].join('\n')}\n`);
  writeReport();
});

/** Writes the report. Called after each fault, so that a stopped run has a report of the faults so far. */
function writeReport(): void {
  if (REPORT === undefined) return;
  const facts = { seed: SEED, on: ON, monitors: MONITORS, steady: STEADY, intervalMs: INTERVAL_MS };
  const report = { ...facts, faults: rows, skipped, broken };
  writeFileSync(REPORT, `${JSON.stringify(report, null, 2)}\n`);
}

/** Resolves when each monitor has a measured result for a slot after the instant. */
async function untilMeasured(
  monitors: readonly Monitor[],
  sinceMs: number,
  note: Note,
): Promise<void> {
  for (const [nth, { id, name }] of monitors.entries()) {
    note(`${nth} of ${monitors.length} monitors measured again`);
    const isMeasured = async () => {
      await revive(stage);
      const results = await stage.api.resultsOf(id);
      return results.some(
        ({ slot, gap, status }) => Date.parse(slot) > sinceMs && gap === null && status === 'up',
      );
    };
    await waitUntil(`${name} is measured again`, isMeasured);
  }
}

/**
 * Deletes the monitor. A busy machine may respond with 503 although the monitor was deleted, so a 404 afterwards counts
 * as success.
 */
async function deleteMonitor({ id }: Monitor): Promise<boolean> {
  const path = `/v1/monitors/${id}`;
  const shape = z.unknown();
  return stage.api.call({ method: 'DELETE', path }, { status: 204, shape }).then(
    () => true,
    () => stage.api.call({ method: 'GET', path }, { status: 404, shape }).then(() => true),
  );
}

/** Creates the monitors that the fault itself makes fail. */
async function ownMonitorsOf(name: string, fault: Fault, note: Note): Promise<readonly Monitor[]> {
  const { troubles } = fault;
  if (troubles === undefined) return [];
  const names = Array.from({ length: ownCountOf(fault) }, (_, nth) => `${name}-${nth}`);
  return stage.createMonitors(names, { intervalMs: troubles.intervalMs, note });
}

/**
 * Returns a function that counts the alerts. It counts again only if a message has arrived, because reading thousands
 * of messages each time is slow.
 */
function alertCounter(seenBefore: number, troubled: readonly Monitor[]): () => AlertCounts {
  const count = () =>
    countAlerts(
      readWebhookReports({ events: stage.hook.events.slice(seenBefore) }),
      stage.monitors,
      troubled,
    );
  let counted = count();
  let seen = stage.hook.events.length;
  return () => {
    if (stage.hook.events.length > seen) {
      seen = stage.hook.events.length;
      counted = count();
    }
    return counted;
  };
}

async function play(name: string, fault: Fault, note: Note): Promise<FaultRow> {
  const [sick] = await stage.createMonitors([`sick-${name}`], { note });
  if (sick === undefined) throw new Error('no monitor that fails');
  const own = await ownMonitorsOf(name, fault, note);
  const troubled = [sick, ...own];
  const seenBefore = stage.hook.events.length;
  const alertsOf = alertCounter(seenBefore, troubled);
  await sleep(random() * INTERVAL_MS);
  const sinceMs = Date.now();
  const seconds = secondsOf(fault);
  note(`the fault lasts ${seconds} s`);
  stage.target.failing.add(sick.path);
  await fault.play(stage, seconds * 1_000, own);
  await revive(stage);
  const endedMs = Date.now();
  const judged = { ...stage, monitors: [...stage.monitors, ...own] };
  await untilMeasured(judged.monitors, endedMs, note);
  const normalMs = Date.now() - endedMs;
  const { owed } = alertsOf();
  const noteAlerts = () => note(`${alertsOf().sent} of ${owed} alerts sent`);
  // Waits for the failures before the recovery. If a monitor recovers before it was down, no alert is due.
  const areTold = () => {
    noteAlerts();
    return alertsOf().sent * 2 >= owed;
  };
  await waitUntil('the failures', areTold);
  stage.target.failing.delete(sick.path);
  const isSettled = async () => {
    noteAlerts();
    return alertsOf().sent >= owed && (await countSlots(judged, sinceMs, troubled)).lost === 0;
  };
  // The timeout of this wait is ignored, because the row of the table shows what is missing.
  await waitUntil('all slots and alerts', isSettled).catch(() => undefined);
  note('slots are counted');
  const slots = await countSlots(judged, sinceMs, troubled);
  note('its monitors are deleted');
  await mapAtMost(AT_ONCE_MAX, troubled, (one) =>
    waitUntil(`${one.name} is deleted`, () => deleteMonitor(one)),
  );
  const alertedAtMs = lastFailureAtMs(stage.hook.events.slice(seenBefore), troubled);
  const alertedMs = alertedAtMs === null ? null : alertedAtMs - sinceMs;
  return { fault: name, seconds, slots, alerts: alertsOf(), normalMs, alertedMs };
}

async function playAndJudge(name: string, fault: Fault): Promise<void> {
  const why = fault.findObstacle?.(stage) ?? null;
  if (why !== null) {
    skipped.push({ fault: name, why });
    return;
  }
  const { note, end } = startProgress(name);
  const row = await play(name, fault, note)
    .catch((error: unknown) => {
      broken.push({ fault: name, why: error instanceof Error ? error.message : String(error) });
      writeReport();
      throw error;
    })
    .finally(end);
  rows.push(row);
  writeReport();
  process.stderr.write(`${renderTable([row])}\n`);
  expect(row).toMatchObject({
    slots: { lost: 0, doubled: 0, falseDowns: 0 },
    alerts: { sent: row.alerts.owed, doubled: 0, false: 0 },
  });
  expect(row.slots.due).toBeGreaterThanOrEqual(MONITORS);
}

for (const [name, fault] of chosen)
  test(
    `no slot or alert is lost or doubled, and no alert is false, during: ${name}`,
    () => playAndJudge(name, fault),
    limitMs(MONITORS + ownCountOf(fault), secondsOf(fault)),
  );
