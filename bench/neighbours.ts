// Measures how a busy account affects a quiet account on the same service: how late the checks of the quiet account
// are, how long its API requests take, and how long its alerts take.
//
// The busy account has failing and hanging checks, a webhook that hangs, and 100 connections that list 200 monitors. It
// also sends edits and exports. After a 429 or 503, a connection retries three times at once and then waits for the
// time in Retry-After. With --harsh, it never waits. The clients of the busy account run in a process of the lowest
// priority, because their CPU is not part of the service. In both phases, processes of the lowest priority use up the
// CPU that is left.
//
// The quiet account has the same monitors and incidents in both phases. Only the ratios between the phases are
// meaningful. `npm run bench -- neighbours [--quiet 20] [--busy 200] [--seconds 60] [--harsh] [--json]` takes about
// seven minutes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { BusyOptions, Statuses } from './support/busy-account';
import { progress } from './support/check-load';
import { listenOnLoopback } from './support/listen';
import { percentile } from './support/percentile';
import { type BenchService, readId, startBenchService } from './support/service';
import { fillSpareCpu } from './support/spare-cpu';

const QUIET_INTERVAL_MS = 10_000;
const READ_EVERY_MS = 250;
/**
 * Time between two failures, so that alerts are sent separately: ten alerts of a kind in a minute are the limit. Each
 * monitor recovers half of this time after its failure.
 */
const ALERT_EVERY_MS = 7_000;
/** Number of incidents before the first phase, so that the reads of both phases return the same amount. */
const FILLING = 20;
/**
 * Waiting time after the busy account has created its monitors, and again after its flood has started. Reads during the
 * creation and the first wait are listed in a separate row.
 */
const WAIT_MS = 20_000;
const HANGS_MS = 20_000;
const PASSWORD = 'a-long-password-for-benches';
const READS = ['/v1/monitors?limit=50', '/v1/overview', '/v1/incidents?limit=20'];

/** Measurements of the quiet account in one phase, in milliseconds. */
interface Phase {
  readonly lateness: number[];
  readonly reads: number[];
  readonly alerts: number[];
}
const newPhase = (): Phase => ({ lateness: [], reads: [], alerts: [] });
const MEASURED = ['lateness', 'reads', 'alerts'] as const;

/** State that both servers share. */
const state = {
  phase: newPhase(),
  /** The offset of each quiet monitor's slots within its interval. */
  offsets: new Map<string, number>(),
  broken: new Set<string>(),
  /** Name of an alert monitor → when the target sent the response that changed the monitor's health. */
  changedAtMs: new Map<string, number>(),
};

/** `/quiet-1` and `/alert-1` belong to the quiet account; `/failing` and `/hanging` to the busy one. */
async function answer({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = url.slice(1);
  const nowMs = Date.now();
  const offset = state.offsets.get(name);
  if (offset !== undefined) state.phase.lateness.push((nowMs - offset) % QUIET_INTERVAL_MS);
  if (name.startsWith('hanging')) await sleep(HANGS_MS, undefined, { ref: false });
  const isFailing = name.startsWith('failing') || state.broken.has(name);
  response.statusCode = isFailing ? 500 : 200;
  response.end('ok');
  if (name.startsWith('alert')) state.changedAtMs.set(name, Date.now());
}

/** Receives the alerts of both accounts. Alerts of the busy account are sent to `/hanging`. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const part of request) text += String(part);
  if (request.url === '/hanging') await sleep(HANGS_MS, undefined, { ref: false });
  response.end();
  const name = /alert-\d+-/.exec(text)?.[0] ?? '';
  const changedAtMs = state.changedAtMs.get(name);
  if (changedAtMs === undefined) return;
  state.changedAtMs.delete(name);
  state.phase.alerts.push(Date.now() - changedAtMs);
}

/** A second account with an owner and as many keys as its flood uses. */
interface Busy {
  readonly ask: (method: string, path: string, body?: object) => Promise<Response>;
  readonly cookie: string;
  readonly keys: readonly string[];
}

async function createBusyAccount({ url, cookie }: BenchService): Promise<Busy> {
  const as = (headers: Record<string, string>) => (method: string, path: string, body?: object) =>
    fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', origin: url, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const account = { name: 'busy', plan: 'business', ownerEmail: 'busy@example.com' };
  const created = await (await as({ cookie })('POST', '/v1/operator/accounts', account)).text();
  const token = /#token=([^"]+)"/.exec(created)?.[1];
  const accepting = { token, password: PASSWORD };
  const accepted = await as({})('POST', '/v1/invitations/accept', accepting);
  if (!accepted.ok) throw new Error(`the second account has no owner: ${created}`);
  const ownCookie = accepted.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask = as({ cookie: ownCookie });
  const keys: string[] = [];
  for (let index = 0; index < 10; index += 1) {
    const made = await (
      await ask('POST', '/v1/api-keys', { name: `k${index}`, scopes: ['write'] })
    ).text();
    keys.push(/kw_[0-9A-Za-z]{38}/.exec(made)?.[0] ?? '');
  }
  return { ask, keys, cookie: ownCookie };
}

async function createBusyMonitors({ ask }: Busy, targetUrl: string, count: number) {
  const ids: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const name = `${next % 4 === 0 ? 'hanging' : 'failing'}-${next}`;
      next += 1;
      const body = { name, url: `${targetUrl}/${name}`, interval: 60, retries: 0 };
      const made = await ask('POST', '/v1/monitors', body);
      if (made.ok) ids.push(readId(await made.text()));
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return ids;
}

/** Starts the process of the busy account. `stop` returns how many of its responses had each status. */
function startMisbehaving(options: BusyOptions) {
  const child = fork(join(__dirname, 'support', 'busy-account.js'));
  child.send(options);
  return {
    stop: async (): Promise<Statuses> => {
      const sent: Promise<Statuses[]> = once(child, 'message');
      child.send('stop');
      const [statuses = {}] = await sent;
      return statuses;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

async function createQuietMonitors(service: BenchService, targetUrl: string, count: number) {
  for (let index = 0; index < count; index += 1) {
    const name = `quiet-${index}`;
    const body = { name, url: `${targetUrl}/${name}`, interval: QUIET_INTERVAL_MS / 1_000 };
    const id = await service.createMonitor({ ...body, retries: 0 });
    const { nextCheckAt } = JSON.parse(await service.call(`/v1/monitors/${id}`));
    state.offsets.set(name, Date.parse(nextCheckAt) % QUIET_INTERVAL_MS);
  }
}

/** A monitor that is checked only on request. */
interface AlertMonitor {
  readonly name: string;
  readonly id: string;
}

async function createAlertMonitors(
  service: BenchService,
  targetUrl: string,
  count: number,
): Promise<AlertMonitor[]> {
  const monitors: AlertMonitor[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `alert-${index}-`;
    const body = { name, url: `${targetUrl}/${name}`, interval: 604_800, retries: 0 };
    monitors.push({ name, id: await service.createMonitor(body) });
  }
  return monitors;
}

/** Makes the monitors fail and recover, one at a time. */
async function failAndRecover(
  service: BenchService,
  monitors: readonly AlertMonitor[],
): Promise<void> {
  for (const { name, id } of monitors) {
    for (const change of ['add', 'delete'] as const) {
      state.broken[change](name);
      await service.call(`/v1/monitors/${id}/run`, {});
      await sleep(ALERT_EVERY_MS / 2);
    }
  }
}

/** Sends requests to the API until the work has ended. */
async function measure(service: BenchService, work: Promise<unknown>): Promise<Phase> {
  const phase = newPhase();
  state.phase = phase;
  let isOver = false;
  const done = work.finally(() => {
    isOver = true;
  });
  for (let round = 0; !isOver; round += 1) {
    const startedAt = performance.now();
    await service.call(READS[round % READS.length] ?? '/');
    phase.reads.push(performance.now() - startedAt);
    await sleep(READ_EVERY_MS);
  }
  await done;
  return phase;
}

function compare(alone: Phase, other: Phase, names: readonly (typeof MEASURED)[number][]) {
  return names.map((what) => {
    const at = (phase: Phase, share: number) => Math.round(percentile(phase[what], share));
    const ratio = (share: number) =>
      Math.round((100 * at(other, share)) / Math.max(1, at(alone, share))) / 100;
    return {
      what,
      samples: `${alone[what].length}, ${other[what].length}`,
      p50Ms: `${at(alone, 0.5)}, ${at(other, 0.5)}`,
      p99Ms: `${at(alone, 0.99)}, ${at(other, 0.99)}`,
      p50Ratio: ratio(0.5),
      p99Ratio: ratio(0.99),
    };
  });
}

/** Runs both phases: first the quiet account alone, then with the busy account. */
async function runPhases(service: BenchService, targetUrl: string, values: Values) {
  const perPhase = Math.ceil((Number(values.seconds) * 1_000) / ALERT_EVERY_MS);
  await createQuietMonitors(service, targetUrl, Number(values.quiet));
  const monitors = await createAlertMonitors(service, targetUrl, 2 * perPhase + FILLING);
  const busy = await createBusyAccount(service);
  await busy.ask('POST', '/v1/alert-channels', webhook(`${values.receiverUrl}/hanging`));
  progress('filling the list of incidents');
  await failAndRecover(service, monitors.splice(0, FILLING));
  progress('the quiet account alone');
  const alone = await measure(service, failAndRecover(service, monitors.splice(0, perPhase)));
  progress('creating the monitors of the busy account');
  const creation = createBusyMonitors(busy, targetUrl, Number(values.busy));
  const creating = await measure(
    service,
    creation.then(() => sleep(WAIT_MS)),
  );
  const monitorIds = await creation;
  progress('with the busy account');
  const { cookie, keys } = busy;
  const isHarsh = values.harsh;
  const misbehaving = startMisbehaving({ url: service.url, cookie, keys, monitorIds, isHarsh });
  try {
    await sleep(WAIT_MS);
    const busyPhase = await measure(service, failAndRecover(service, monitors));
    const rows = compare(alone, busyPhase, MEASURED);
    const creatingRows = compare(alone, creating, ['reads']).map((row) => ({
      ...row,
      what: 'reads while it creates monitors',
    }));
    return { rows: [...rows, ...creatingRows], statuses: await misbehaving.stop() };
  } finally {
    misbehaving.kill();
  }
}

const webhook = (url: string) => ({ name: 'w', type: 'webhook', url, isDefault: true });

interface Values {
  readonly quiet: string;
  readonly busy: string;
  readonly seconds: string;
  readonly harsh: boolean;
  readonly receiverUrl: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quiet: { type: 'string', default: '20' },
      busy: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '60' },
      harsh: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const target = createServer((request, response) => void answer(request, response));
  const receiver = createServer((request, response) => void receive(request, response));
  const targetUrl = `http://127.0.0.1:${await listenOnLoopback(target)}`;
  const receiverUrl = `http://127.0.0.1:${await listenOnLoopback(receiver)}`;
  const service = await startBenchService({ KEEPWATCH_RATE_LIMITS: 'on' });
  const stopSpinning = fillSpareCpu();
  try {
    await service.call('/v1/alert-channels', webhook(receiverUrl));
    const { rows, statuses } = await runPhases(service, targetUrl, { ...values, receiverUrl });
    if (values.json) console.log(JSON.stringify({ rows, statuses }));
    else {
      console.table(rows);
      console.log(`responses to the busy account: ${JSON.stringify(statuses)}`);
    }
  } finally {
    stopSpinning();
    await service.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
