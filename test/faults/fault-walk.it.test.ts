/**
 * Carries out a fixed list of faults, one after the other, on one service with one object of every kind. Afterwards
 * every slot is stored once, as a result or in a named gap. No healthy target was reported as down. People got each
 * failure and recovery once. No POST was sent twice. Programs got every event. `npm run faults` covers random moments,
 * long faults and many monitors.
 */

import { z } from 'zod';
import { never } from '../support/never';
import { readMailReports, readWebhookReports } from '../support/reported-changes';
import { isLongForm } from '../support/test-size';
import { waitUntil } from '../support/wait-until';
import { type EventReceiver, listOwedEvents, startEventReceiver } from './event-ledger';
import { FAULTS } from './faults';
import { countAlerts, countSlots, describeLost } from './ledger';
import { createMixture, type Mixture, STEPS } from './mixture';
import { type Monitor, openStage, PROCESSES, revive, type Stage } from './stage';

const FROZEN_MS = 4_000;
const KILLED_MS = 500;
const HOUR_MS = 3_600_000;

type Play = (stage: Stage) => Promise<void>;

/** Returns a fault of `npm run faults`, with this duration. */
function known(name: string, forMs: number): readonly [string, Play] {
  const fault = FAULTS.get(name);
  if (fault === undefined) throw new Error(`no fault is called ${name}`);
  return [name, (stage) => fault.play(stage, forMs, [])];
}

/** Kills the API after a probe has sent results that the API has not confirmed. */
async function killApiInDelivery({ service, target, monitors }: Stage): Promise<void> {
  service.processes.get('api')?.kill('SIGSTOP');
  const requests = () => monitors.reduce((sum, { path }) => sum + target.countOf(path), 0);
  const before = requests();
  await waitUntil('checks of steady monitors', () => requests() > before);
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

/**
 * The fault that deletes all data of Temporal. It also loses a current run, which is closed ten minutes later. All
 * unrecorded work is repeated, so a message that was just sent is sent again. The test makes sure that nothing is in
 * progress at that moment.
 */
const LOSS = 'lose-temporal';

/** One fault of each mechanism: a kill, a loss, a freeze, and the end of the API in the middle of a delivery. */
const IN_CI = [
  known('kill-probe', KILLED_MS),
  known('kill-orchestrator', KILLED_MS),
  known(LOSS, 0),
  known('stop-database', FROZEN_MS),
  ['kill-api-in-delivery', killApiInDelivery],
] as const;

/** Faults with the same mechanisms as in CI, at other processes. */
const ALIKE = [
  known('stop-api', FROZEN_MS),
  known('kill-database', KILLED_MS),
  ['end-in-order', endInOrder],
  known('stop-temporal', FROZEN_MS),
  known('stop-orchestrator', FROZEN_MS),
  known('stop-probe', FROZEN_MS),
  known('kill-temporal', KILLED_MS),
  known('kill-everything', KILLED_MS),
] as const;

const WALK: readonly (readonly [string, Play])[] = isLongForm ? [...IN_CI, ...ALIKE] : IN_CI;
/**
 * Faults during which the clocks of processes are wrong. They come before Temporal loses its data, because afterwards
 * the times of Temporal would not match the database.
 */
const WITH_WRONG_CLOCKS = ['kill-probe', 'kill-orchestrator'];
/**
 * Number of monitors that fail. Each fails during one fault and recovers during the next, because more frequent changes
 * would be flapping.
 */
const SICK = Math.ceil(WALK.length / 2);

const incidentPage = z.object({
  data: z.array(z.object({ id: z.string(), resourceName: z.string(), state: z.string() })),
});
const alertPage = z.object({ data: z.array(z.object({ status: z.string() })) });
const explanation = z.object({
  escalation: z.object({ notifications: z.array(z.object({ state: z.string() })) }).nullable(),
});

let stage: Stage;
let mixture: Mixture;
let receiver: EventReceiver;
const runs: string[] = [];
/** Number of requests for the paused monitor until the end of the first fault. */
let beforePause = 0;
let beganMs = 0;

beforeAll(async () => {
  stage = await openStage({
    on: 'all-in-one',
    monitors: 3,
    steady: 'watch',
    smallDisks: false,
    namespaces: false,
    note: () => undefined,
  });
  receiver = await startEventReceiver(stage);
  mixture = await createMixture(stage, SICK);
  beganMs = Date.now();
});
afterAll(async () => {
  await stage?.stop();
  await receiver?.close();
});

const whenEnded = (id: string) =>
  waitUntil(`the end of ${id}`, async () => {
    const run = await mixture.readRun(id);
    return run.finishedAt !== null && run;
  });

/** Resolves when only the monitor that is always down has an open incident. */
const whenRecorded = () =>
  waitUntil('every recovery is recorded', async () => {
    const request = { method: 'GET', path: '/v1/incidents?limit=500' };
    const { data } = await stage.api.call(request, { status: 200, shape: incidentPage });
    const isOpen = (incident: (typeof data)[number]) => incident.state !== 'resolved';
    return data.filter(isOpen).every(({ resourceName }) => resourceName === mixture.escalated.name);
  });

/** Resolves when each step of the escalation was sent and its delivery is recorded. */
async function whenEscalated(): Promise<void> {
  const { api } = stage;
  const read = <T>(path: string, shape: z.ZodType<T>) =>
    api.call({ method: 'GET', path }, { status: 200, shape });
  await waitUntil('every step of the escalation is recorded', async () => {
    const { data } = await read('/v1/incidents?limit=500', incidentPage);
    const incident = data.find(({ resourceName }) => resourceName === mixture.escalated.name);
    if (incident === undefined) return false;
    const { escalation } = await read(`/v1/incidents/${incident.id}/explain`, explanation);
    const alerts = await read(`/v1/alerts?incidentId=${incident.id}`, alertPage);
    return (
      escalation?.notifications.every(({ state }) => state === 'sent') === true &&
      alerts.data.length === STEPS.length &&
      alerts.data.every(({ status }) => status === 'sent')
    );
  });
}

const troubled = () => [...mixture.sick, mixture.escalated];
const told = () => [readWebhookReports(stage.hook), readMailReports(stage.mail)];

function hasArrived(monitor: Monitor, kind: string): boolean {
  return told().every((all) => all.some((one) => one.name === monitor.name && one.kind === kind));
}

/**
 * Carries out a fault. The target of a monitor changes when the fault begins. People are notified of this change after
 * the fault at the latest.
 */
async function play(nth: number, [name, fault]: readonly [string, Play]): Promise<void> {
  const { target, clocks } = stage;
  const areWrong = WITH_WRONG_CLOCKS.includes(name);
  clocks.api.shift(areWrong ? HOUR_MS : 0);
  clocks.orchestrator.shift(areWrong ? -HOUR_MS : 0);
  const monitor = mixture.sick[Math.floor(nth / 2)];
  if (monitor === undefined) throw new Error('no monitor is left');
  await mixture.ping();
  const isFailing = nth % 2 === 0;
  const change = () =>
    isFailing ? target.failing.add(monitor.path) : target.failing.delete(monitor.path);
  if (name === LOSS) {
    await Promise.all([...runs.map(whenEnded), whenRecorded(), whenEscalated()]);
    await fault(stage);
    change();
  } else {
    runs.push(await mixture.beginRun());
    change();
    await fault(stage);
  }
  await revive(stage);
  if (nth === 0) beforePause = target.countOf(mixture.paused.path);
  const kind = isFailing ? 'failure' : 'recovery';
  // Requests a check, because the next slot is usually later.
  await mixture.checkNow(monitor);
  await waitUntil(`the ${kind} during ${name}`, () => hasArrived(monitor, kind));
}

test.each(WALK.map((fault, nth) => [fault[0], fault, nth] as const))(
  'people are notified of changes during the fault %s',
  (_, fault, nth) => play(nth, fault),
);

const LOST_NOTHING = { lost: 0, doubled: 0, falseDowns: 0, where: [] };

const countAllSlots = () =>
  countSlots({ ...stage, monitors: [...mixture.well, ...troubled()] }, beganMs, troubled());

test('every slot during the faults has one result or is in one recorded gap', async () => {
  const sinceMs = Date.now();
  for (const { id, name } of mixture.well)
    await waitUntil(`${name} is measured again`, async () =>
      (await stage.api.resultsOf(id)).some(
        ({ slot, gap, status }) => Date.parse(slot) > sinceMs && gap === null && status === 'up',
      ),
    );
  // The timeout of this wait is ignored, because the counts below show which slots are missing.
  await waitUntil('every slot is named', async () => (await countAllSlots()).lost === 0).catch(
    () => undefined,
  );
  const counts = await countAllSlots();
  const lost = await describeLost(
    { ...stage, monitors: [...mixture.well, ...troubled()] },
    beganMs,
  );
  await never(() => expect({ ...counts, where: lost }).toMatchObject(LOST_NOTHING));
});

test('people got each failure and recovery once, and no false alert, during all faults', async () => {
  const last = mixture.sick.at(-1);
  if (last === undefined) throw new Error('no monitor failed');
  stage.target.failing.delete(last.path);
  await mixture.checkNow(last);
  await waitUntil('the last recovery', () => hasArrived(last, 'recovery'));
  const byDefault = { events: stage.hook.events.filter(({ path }) => path === '/') };
  for (const all of [readWebhookReports(byDefault), readMailReports(stage.mail)]) {
    const { well, sick, escalated, paused } = mixture;
    // Counts messages by id. If a process is killed after the response of the receiver and before its record, the
    // message is sent again with the same id.
    const counts = countAlerts(all, [...well, ...sick, escalated, paused], sick);
    const sent = 2 * SICK;
    await never(() => expect(counts).toEqual({ owed: sent, sent, doubled: 0, false: 0 }));
  }
});

test('each outage under the faults is one incident, and all incidents are resolved', async () => {
  const request = { method: 'GET', path: '/v1/incidents?limit=500' };
  const names = mixture.sick.map(({ name }) => name);
  const incidents = await waitUntil('their records', async () => {
    const { data } = await stage.api.call(request, { status: 200, shape: incidentPage });
    const found = data.filter(({ resourceName }) => names.includes(resourceName));
    return found.every(({ state }) => state === 'resolved') && found;
  });
  expect(incidents.map(({ resourceName }) => resourceName).toSorted()).toEqual(names);
});

test('the escalation under the faults sent each step once, and everyone notified got the recovery', async () => {
  const kindsAt = (path: string) => [
    ...new Map(
      readWebhookReports({ events: stage.hook.events.filter((event) => event.path === path) }).map(
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

test('every run under the faults has ended, no POST was sent twice, and clean-up followed each login', async () => {
  const { target } = stage;
  const faults: string[] = [];
  for (const id of runs) {
    const run = await whenEnded(id);
    const isLost = run.status === 'error' && run.failure?.code === 'worker_lost';
    const orders = target.countOf(`/run/${id}/order`);
    const cleanUps = target.countOf(`/run/${id}/tidy/ok`);
    if ((run.status !== 'passed' && !isLost) || orders !== 1 || cleanUps === 0)
      faults.push(
        `${id}: ${run.status} ${run.failure?.code}, ${orders} orders, ${cleanUps} tidied`,
      );
  }
  await never(() => expect(faults).toEqual([]));
});

test('each accepted ping became a result, and no request was sent for the paused monitor', async () => {
  const statuses = async () =>
    (await stage.api.resultsOf(mixture.job.id)).map(({ status }) => status);
  await waitUntil('every ping', async () => (await statuses()).length >= WALK.length);
  // The loss of Temporal's data also loses the information that the previous ping was judged. So this ping may be
  // judged once more.
  const found = await statuses();
  expect(found.filter((status) => status !== 'up')).toEqual([]);
  expect(found.length).toBeLessThanOrEqual(WALK.length + 1);
  expect(stage.target.countOf(mixture.paused.path)).toBe(beforePause);
});

test('programs got every event of a stored change, signed and always with the same id', async () => {
  receiver.getWell();
  // Restarts the orchestrator, because it reads new events at its start.
  await stage.service.kill('orchestrator');
  await stage.service.start('orchestrator');
  const owed = await listOwedEvents(stage, {
    runs: await Promise.all(runs.map(whenEnded)),
    monitors: [...mixture.sick, mixture.escalated],
  });
  const listLost = () => owed.filter((event) => !receiver.triesOf().has(event));
  // The timeout of this wait is ignored, because the list below shows which events are missing.
  await waitUntil('every event', () => listLost().length === 0).catch(() => undefined);
  const tries = [...receiver.triesOf().values()];
  expect(tries.filter((ids) => ids.length > 1).length).toBeGreaterThan(WALK.length);
  const renamed = tries.filter((ids) => new Set(ids).size > 1);
  const unsigned = receiver.countUnsigned();
  await never(() =>
    expect({ lost: listLost(), renamed, unsigned }).toEqual({
      lost: [],
      renamed: [],
      unsigned: 0,
    }),
  );
});
