/**
 * A fixed list of faults, one after the other, on one service that watches one of everything. Afterwards every
 * slot is a result or named, each once; nothing that was well was called down; people got each failure and
 * recovery once; no POST was sent twice. Random moments, long faults and many monitors: `npm run faults`.
 */

import { readSlots } from '../support/slots';
import { toldByMail, toldByWebhook } from '../support/told';
import { waitUntil } from '../support/wait-until';
import { FAULTS } from './faults';
import { createMixture, type Mixture, STEPS } from './mixture';
import {
  INTERVAL_MS,
  type Monitor,
  openStage,
  PROCESSES,
  REGION,
  revive,
  type Stage,
} from './stage';

const FROZEN_MS = 4_000;
const KILLED_MS = 500;
const HOUR_MS = 3_600_000;

type Play = (stage: Stage) => Promise<void>;

/** A fault that `npm run faults` knows. */
function known(name: string, forMs: number): readonly [string, Play] {
  const fault = FAULTS.get(name);
  if (fault === undefined) throw new Error(`no fault is called ${name}`);
  return [name, (stage) => fault.play(stage, forMs, [])];
}

/** The API has taken results of a probe, and confirmed none. */
async function killApiInDelivery({ service, target, monitors }: Stage): Promise<void> {
  service.processes.get('api')?.kill('SIGSTOP');
  const requests = () => monitors.reduce((sum, { path }) => sum + target.countOf(path), 0);
  const before = requests();
  await waitUntil('checks of quiet monitors', () => requests() > before);
  await service.kill('api');
  await service.start('api');
}

async function endInOrder({ service }: Stage): Promise<void> {
  const codes = PROCESSES.map(async (name) => {
    const child = service.processes.get(name);
    await service.kill(name, 'SIGTERM');
    return [name, child?.exitCode];
  });
  expect(await Promise.all(codes)).toEqual(PROCESSES.map((name) => [name, 0]));
  for (const name of PROCESSES) await service.start(name);
}

const WALK: readonly (readonly [string, Play])[] = [
  known('kill-probe', KILLED_MS),
  known('stop-api', FROZEN_MS),
  known('kill-orchestrator', KILLED_MS),
  known('kill-database', KILLED_MS),
  known('lose-temporal', 0),
  known('stop-probe', FROZEN_MS),
  known('kill-temporal', KILLED_MS),
  known('stop-database', FROZEN_MS),
  ['kill-api-in-delivery', killApiInDelivery],
  known('stop-temporal', FROZEN_MS),
  ['end-in-order', endInOrder],
  known('stop-orchestrator', FROZEN_MS),
  known('kill-everything', KILLED_MS),
];
/** Until Temporal is lost: its own times would not fit to those of the database. */
const WITH_WRONG_CLOCKS = ['kill-probe', 'stop-api', 'kill-orchestrator'];
/** One fails during a fault and recovers during the next one: what changes more often would be flapping. */
const SICK = Math.ceil(WALK.length / 2);

let stage: Stage;
let mixture: Mixture;
const runs: string[] = [];
/** Requests of the paused monitor until the first fault was over. */
let beforePause = 0;

beforeAll(async () => {
  stage = await openStage({
    on: 'all-in-one',
    monitors: 3,
    quiet: 'on',
    smallDisks: false,
    namespaces: false,
    note: () => undefined,
  });
  mixture = await createMixture(stage, SICK);
});
afterAll(() => stage?.stop());

const told = () => [toldByWebhook(stage.hook), toldByMail(stage.mail)];

function hasArrived(monitor: Monitor, kind: string): boolean {
  return told().every((all) => all.some((one) => one.name === monitor.name && one.kind === kind));
}

/** The target of a monitor changes as the fault begins, and people hear of it after the fault at the latest. */
async function play(nth: number, [name, fault]: readonly [string, Play]): Promise<void> {
  const { target, clocks } = stage;
  const areWrong = WITH_WRONG_CLOCKS.includes(name);
  clocks.api.shift(areWrong ? HOUR_MS : 0);
  clocks.orchestrator.shift(areWrong ? -HOUR_MS : 0);
  const monitor = mixture.sick[Math.floor(nth / 2)];
  if (monitor === undefined) throw new Error('no monitor is left');
  await mixture.ping();
  // With Temporal's data a run is lost too, and is closed ten minutes later.
  if (name !== 'lose-temporal') runs.push(await mixture.beginRun());
  const isFailing = nth % 2 === 0;
  if (isFailing) target.failing.add(monitor.path);
  else target.failing.delete(monitor.path);
  await fault(stage);
  await revive(stage);
  if (nth === 0) beforePause = target.countOf(mixture.paused.path);
  const kind = isFailing ? 'failure' : 'recovery';
  await waitUntil(`the ${kind} during ${name}`, async () => {
    if (hasArrived(monitor, kind)) return true;
    await mixture.checkNow(monitor);
    return hasArrived(monitor, kind);
  });
}

test.each(WALK.map((fault, nth) => [fault[0], fault, nth] as const))(
  'people are notified of what changes during %s',
  (_, fault, nth) => play(nth, fault),
);

/** Slots twice, slots that appear nowhere, and results that no target deserved. */
async function findSlotFaults(monitor: Monitor, mayBeDown: boolean): Promise<readonly string[]> {
  const results = await stage.api.resultsOf(monitor.id);
  const slots = readSlots(results, { region: REGION, intervalMs: INTERVAL_MS });
  const down = mayBeDown ? [] : results.filter(({ status }) => status === 'down');
  return [
    ...slots.doubled.map((slot) => `doubled ${slot}`),
    ...slots.unnamed.map((slot) => `lost ${slot}`),
    ...down.map(({ slot, failure }) => `down ${slot}: ${failure?.code}`),
  ].map((fault) => `${monitor.name}: ${fault}`);
}

async function findAllSlotFaults(): Promise<readonly string[]> {
  const { well, sick, escalated } = mixture;
  const found = [
    ...well.map((monitor) => findSlotFaults(monitor, false)),
    ...[...sick, escalated].map((monitor) => findSlotFaults(monitor, true)),
  ];
  return (await Promise.all(found)).flat();
}

test('afterwards each monitor is measured again, and every slot is a result or named, once', async () => {
  const sinceMs = Date.now();
  for (const { id, name } of mixture.well)
    await waitUntil(`${name} is measured again`, async () =>
      (await stage.api.resultsOf(id)).some(
        ({ slot, gap, status }) => Date.parse(slot) > sinceMs && gap === null && status === 'up',
      ),
    );
  await waitUntil('every slot is named', async () => {
    const faults = await findAllSlotFaults();
    return !faults.some((fault) => fault.includes('lost'));
  }).catch(() => undefined);
  expect(await findAllSlotFaults()).toEqual([]);
});

test('people got each failure and each recovery once, and nothing about what was well', async () => {
  const last = mixture.sick.at(-1);
  for (const { name, path } of mixture.sick)
    if (name === last?.name) stage.target.failing.delete(path);
  if (last !== undefined)
    await waitUntil('the last recovery', async () => {
      if (!hasArrived(last, 'recovery')) await mixture.checkNow(last);
      return hasArrived(last, 'recovery');
    });
  const owed = mixture.sick.map(({ name }) => [name, ['failure', 'recovery']]);
  for (const all of [toldByWebhook({ events: defaultEvents() }), toldByMail(stage.mail)]) {
    // Killed between the receiver's yes and its record, a message comes again with the same id.
    const news = new Map(
      all.map(({ id, name, kind }) => [`${id} ${name} ${kind}`, { name, kind }]),
    );
    const kindsOf = (name: string) =>
      [...news.values()].filter((one) => one.name === name).map(({ kind }) => kind);
    const names = new Set([...news.values()].map(({ name }) => name));
    expect([...names].toSorted().map((name) => [name, kindsOf(name)])).toEqual(owed);
  }
});

const defaultEvents = () => stage.hook.events.filter(({ path }) => path === '/');

test('the escalation took each step once, and whoever was notified is notified of the end', async () => {
  const kindsAt = (path: string) => [
    ...new Map(
      toldByWebhook({ events: stage.hook.events.filter((event) => event.path === path) }).map(
        ({ id, kind }) => [id, kind],
      ),
    ).values(),
  ];
  await waitUntil('the second step', () => kindsAt(STEPS[1]).length > 0);
  stage.target.failing.delete(mixture.escalated.path);
  await mixture.checkNow(mixture.escalated);
  await waitUntil('its end', () => STEPS.every((path) => kindsAt(path).includes('recovery')));
  expect(STEPS.map(kindsAt)).toEqual(STEPS.map(() => ['failure', 'recovery']));
});

test('every run has ended, no POST was sent twice, and clean-up followed each login', async () => {
  const { target } = stage;
  const faults: string[] = [];
  for (const id of runs) {
    const run = await waitUntil(`the end of ${id}`, async () => {
      const found = await mixture.readRun(id);
      return found.finishedAt !== null && found;
    });
    const isLost = run.status === 'error' && run.failure?.code === 'worker_lost';
    const orders = target.countOf(`/run/${id}/order`);
    const cleanUps = target.countOf(`/run/${id}/tidy/ok`);
    if ((run.status !== 'passed' && !isLost) || orders !== 1 || cleanUps === 0)
      faults.push(
        `${id}: ${run.status} ${run.failure?.code}, ${orders} orders, ${cleanUps} tidied`,
      );
  }
  expect(faults).toEqual([]);
});

test('a job that pinged between faults was never called down, and a paused monitor sent nothing', async () => {
  const jobs = await stage.api.resultsOf(mixture.job.id);
  expect(jobs.filter(({ status }) => status === 'down')).toEqual([]);
  expect(stage.target.countOf(mixture.paused.path)).toBe(beforePause);
});
