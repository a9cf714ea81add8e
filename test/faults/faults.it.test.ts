/**
 * Faults are played one after the other on one service. Afterwards every slot is a result or named, each
 * once; nothing that was well is called down; and each failure and recovery was notified once.
 * `npm run faults` plays all of them; KEEPWATCH_TEST_SEED repeats a choice of moments and their order.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { mapAtMost } from '../../src/platform/map-at-most';
import { createRandom } from '../support/random';
import { waitUntil } from '../support/wait-until';
import { FAULTS, type Fault } from './faults';
import { countAlerts, countSlots } from './ledger';
import { type FaultRow, renderTable } from './report';
import { AT_ONCE_MAX, INTERVAL_MS, type Monitor, openStage, type Stage } from './stage';

const SEED = Number(process.env['KEEPWATCH_TEST_SEED'] ?? Date.now() % 1_000_000);
const CHOSEN = process.env['KEEPWATCH_TEST_FAULTS'] ?? 'kill-everything';
const SECONDS = process.env['KEEPWATCH_TEST_FAULT_SECONDS'];
const REPORT = process.env['KEEPWATCH_TEST_FAULT_REPORT'];
const MONITORS = Number(process.env['KEEPWATCH_TEST_MONITORS'] ?? 5);
const QUIET = process.env['KEEPWATCH_QUIET_CHECKS'] === 'on' ? 'on' : 'off';
const ON = process.env['KEEPWATCH_TEST_FAULTS_ON'] === 'cluster' ? 'cluster' : 'all-in-one';
const NORMAL_MS = 240_000;
const TEST_MS = 1_200_000;

const random = createRandom(SEED);
const rows: FaultRow[] = [];
const skipped: { readonly fault: string; readonly why: string }[] = [];
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

beforeAll(async () => {
  const smallDisks = chosen.some(([, { needsSmallDisks }]) => needsSmallDisks === true);
  stage = await openStage({ on: ON, monitors: MONITORS, quiet: QUIET, smallDisks });
}, TEST_MS);
afterAll(async () => {
  await stage?.stop();
  const notes = skipped.map(({ fault, why }) => `${fault}: not played, ${why}`);
  if (rows.some(({ fault }) => fault.startsWith('cut-')))
    notes.push('cut-…: by proxies on loopback that hold every packet, in no network namespace');
  process.stderr.write(`${ON}, seed ${SEED}\n${[renderTable(rows), ...notes].join('\n')}\n`);
  const facts = { seed: SEED, on: ON, monitors: MONITORS, quiet: QUIET, intervalMs: INTERVAL_MS };
  if (REPORT !== undefined)
    writeFileSync(REPORT, `${JSON.stringify({ ...facts, faults: rows, skipped }, null, 2)}\n`);
});

/** As a supervisor or an orchestrating system does. */
async function revive({ service }: Stage): Promise<void> {
  for (const [name, child] of service.processes)
    if (child.exitCode !== null || child.signalCode !== null) await service.start(name);
}

/** Resolves when each has a result that was measured for a slot later than the instant. */
async function untilMeasured(monitors: readonly Monitor[], sinceMs: number): Promise<void> {
  for (const { id, name } of monitors) {
    const isMeasured = async () => {
      await revive(stage);
      const results = await stage.api.resultsOf(id);
      return results.some(
        ({ slot, gap, status }) => Date.parse(slot) > sinceMs && gap === null && status === 'up',
      );
    };
    await waitUntil(`${name} is measured again`, isMeasured, NORMAL_MS);
  }
}

/** A 503 of a busy machine may come after it was deleted. */
async function deleteMonitor({ id }: Monitor): Promise<boolean> {
  const path = `/v1/monitors/${id}`;
  const shape = z.unknown();
  return stage.api.call({ method: 'DELETE', path }, { status: 204, shape }).then(
    () => true,
    () => stage.api.call({ method: 'GET', path }, { status: 404, shape }).then(() => true),
  );
}

/** Those that the fault itself troubles. */
async function ownMonitorsOf(name: string, { troubles }: Fault): Promise<readonly Monitor[]> {
  if (troubles === undefined) return [];
  const names = Array.from({ length: troubles.countOf(stage) }, (_, nth) => `${name}-${nth}`);
  return stage.createMonitors(names, troubles.intervalMs);
}

async function play(name: string, fault: Fault): Promise<FaultRow> {
  const [sick] = await stage.createMonitors([`sick-${name}`]);
  if (sick === undefined) throw new Error('no monitor that fails');
  const own = await ownMonitorsOf(name, fault);
  const troubled = [sick, ...own];
  const seenBefore = stage.hook.events.length;
  await sleep(random() * INTERVAL_MS);
  const sinceMs = Date.now();
  const seconds = SECONDS === undefined ? fault.seconds : Number(SECONDS);
  stage.target.failing.add(sick.path);
  await fault.play(stage, seconds * 1_000, own);
  await revive(stage);
  const endedMs = Date.now();
  const judged = { ...stage, monitors: [...stage.monitors, ...own] };
  await untilMeasured(judged.monitors, endedMs);
  const normalMs = Date.now() - endedMs;
  const alertsOf = () => countAlerts(stage, seenBefore, troubled);
  // The failure first: a monitor that recovers before it was ever down owes nothing.
  await waitUntil('the failures', () => alertsOf().sent * 2 >= alertsOf().owed, NORMAL_MS);
  stage.target.failing.delete(sick.path);
  const isSettled = async () => {
    const { owed, sent } = alertsOf();
    return sent >= owed && (await countSlots(judged, sinceMs, troubled)).lost === 0;
  };
  // What is still missing then is in the row.
  await waitUntil('all slots and alerts', isSettled, NORMAL_MS / 2).catch(() => undefined);
  const slots = await countSlots(judged, sinceMs, troubled);
  await mapAtMost(AT_ONCE_MAX, troubled, (one) =>
    waitUntil(`${one.name} is deleted`, () => deleteMonitor(one)),
  );
  return { fault: name, seconds, slots, alerts: alertsOf(), normalMs };
}

test.each(chosen)(
  'nothing is lost, doubled or wrongly notified by: %s',
  async (name, fault) => {
    const why = fault.findObstacle?.(stage) ?? null;
    if (why !== null) {
      skipped.push({ fault: name, why });
      return;
    }
    const row = await play(name, fault);
    rows.push(row);
    process.stderr.write(`${renderTable([row])}\n`);
    expect(row).toMatchObject({
      slots: { lost: 0, doubled: 0, falseDowns: 0 },
      alerts: { sent: row.alerts.owed, doubled: 0, false: 0 },
    });
    expect(row.slots.due).toBeGreaterThanOrEqual(MONITORS);
  },
  TEST_MS,
);
