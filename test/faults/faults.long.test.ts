/**
 * Faults are played one after the other on one service. Afterwards every slot is stored once, as a
 * result or in a named gap; no healthy target is called down; and each failure and recovery was
 * notified once. `npm run faults` plays all of them; KEEPWATCH_TEST_SEED repeats a choice of
 * moments and their order.
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
/** For each monitor of a fault: the time to create it, read it several times and delete it. */
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

/** The time to create all monitors, read them several times and delete them. */
function limitMs(monitors: number, seconds = 0): number {
  return TEST_MS + EACH_MS * monitors + 1_000 * seconds;
}

function ownCountOf({ troubles }: Fault): number {
  return troubles?.countOf(MONITORS) ?? 0;
}

/**
 * The service must see the failing monitors fail, even if a short duration was requested. Otherwise no alert is due.
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

/** Written after each fault, so that a run that is stopped has a report of the faults so far. */
function writeReport(): void {
  if (REPORT === undefined) return;
  const facts = { seed: SEED, on: ON, monitors: MONITORS, steady: STEADY, intervalMs: INTERVAL_MS };
  const report = { ...facts, faults: rows, skipped, broken };
  writeFileSync(REPORT, `${JSON.stringify(report, null, 2)}\n`);
}

/** Resolves when each monitor has a measured result for a slot later than the instant. */
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

/** A busy machine may respond with 503 after the monitor was deleted. */
async function deleteMonitor({ id }: Monitor): Promise<boolean> {
  const path = `/v1/monitors/${id}`;
  const shape = z.unknown();
  return stage.api.call({ method: 'DELETE', path }, { status: 204, shape }).then(
    () => true,
    () => stage.api.call({ method: 'GET', path }, { status: 404, shape }).then(() => true),
  );
}

/** The monitors that the fault itself makes fail. */
async function ownMonitorsOf(name: string, fault: Fault, note: Note): Promise<readonly Monitor[]> {
  const { troubles } = fault;
  if (troubles === undefined) return [];
  const names = Array.from({ length: ownCountOf(fault) }, (_, nth) => `${name}-${nth}`);
  return stage.createMonitors(names, { intervalMs: troubles.intervalMs, note });
}

/**
 * Counts again only when a message has arrived, since reading thousands of them each time is slow.
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
  // The failure comes first: a monitor that recovers before it was down needs no alert.
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
  // The row shows what is still missing then.
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
    `no slot or alert is lost, doubled or false during: ${name}`,
    () => playAndJudge(name, fault),
    limitMs(MONITORS + ownCountOf(fault), secondsOf(fault)),
  );
