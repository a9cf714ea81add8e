// Measures how a busy account affects a small account on the same service: the delay of the small account's checks, API
// requests and alerts. The busy account fails, hangs, edits, exports and floods the API up to its limits. Only the
// ratios between both phases are meaningful. `npm run bench -- neighbours [--quiet 20] [--busy 400] [--seconds 60]
// [--json]`
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { progress } from './support/check-load';
import { listenOnLoopback } from './support/listen';
import { percentile } from './support/percentile';
import { type BenchService, idOf, startBenchService } from './support/service';

const QUIET_INTERVAL_MS = 10_000;
const READ_EVERY_MS = 300;
const ALERT_EVERY_MS = 8_000;
const HANGS_MS = 20_000;
const FLOOD_CONNECTIONS = 100;
const PASSWORD = 'a-long-password-for-benches';
const READS = ['/v1/monitors?limit=50', '/v1/overview', '/v1/incidents?limit=20'];

/** What the quiet account measured in one phase, in milliseconds. */
interface Phase {
  readonly lateness: number[];
  readonly reads: number[];
  readonly alerts: number[];
}
const newPhase = (): Phase => ({ lateness: [], reads: [], alerts: [] });

/** One object for the sinks, which both servers write to. */
const state = {
  phase: newPhase(),
  /** The offset of each quiet monitor's slots within its interval. */
  offsets: new Map<string, number>(),
  broken: new Set<string>(),
  failedAtMs: new Map<string, number>(),
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
  if (isFailing && !state.failedAtMs.has(name)) state.failedAtMs.set(name, Date.now());
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const part of request) text += String(part);
  response.end();
  const name = /alert-\d+-/.exec(text)?.[0] ?? '';
  const failedAtMs = state.failedAtMs.get(name);
  if (failedAtMs === undefined) return;
  state.failedAtMs.delete(name);
  state.phase.alerts.push(Date.now() - failedAtMs);
}

/** A second account with an owner and as many keys as its flood uses. */
interface Busy {
  readonly ask: (method: string, path: string, body?: object) => Promise<Response>;
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
  const ask = as({ cookie: accepted.headers.get('set-cookie')?.split(';')[0] ?? '' });
  const keys: string[] = [];
  for (let index = 0; index < 10; index += 1) {
    const made = await (
      await ask('POST', '/v1/api-keys', { name: `k${index}`, scopes: ['write'] })
    ).text();
    keys.push(/kw_[0-9A-Za-z]{38}/.exec(made)?.[0] ?? '');
  }
  return { ask, keys };
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
      if (made.ok) ids.push(idOf(await made.text()));
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return ids;
}

/** Edits, exports and floods until it is over. Returns the number of responses by status. */
async function misbehave(
  { ask, keys }: Busy,
  { url }: BenchService,
  { ids, isOver }: { readonly ids: readonly string[]; readonly isOver: () => boolean },
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  const count = async (answered: Promise<Response>): Promise<void> => {
    const response = await answered.catch(() => null);
    await response?.arrayBuffer().catch(() => null);
    const status = response?.status ?? 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const repeat = async (one: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; !isOver(); round += 1) await one(round);
  };
  await Promise.all([
    ...[0, 1].map((lane) =>
      repeat((round) => {
        const id = ids[(round * 2 + lane) % ids.length] ?? '';
        return count(ask('PATCH', `/v1/monitors/${id}`, { failuresBeforeDown: 1 + (round % 3) }));
      }),
    ),
    repeat(() => count(ask('GET', '/v1/export'))),
    ...Array.from({ length: FLOOD_CONNECTIONS }, (_, index) =>
      repeat(async () => {
        const headers = { authorization: `Bearer ${keys[index % keys.length]}` };
        await count(fetch(`${url}/v1/monitors?limit=200`, { headers }));
      }),
    ),
  ]);
  return statuses;
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

/** Reads the API and makes monitors fail, for the given time. */
async function measure(service: BenchService, targetUrl: string, seconds: number): Promise<Phase> {
  const endsAtMs = Date.now() + seconds * 1_000;
  const phase = newPhase();
  const alerting: string[] = [];
  const label = Date.now();
  for (let index = 0; index < (seconds * 1_000) / ALERT_EVERY_MS; index += 1) {
    const name = `alert-${label}${index}-`;
    const body = { name, url: `${targetUrl}/${name}`, interval: 604_800, retries: 0 };
    alerting.push(`${name} ${await service.createMonitor(body)}`);
  }
  state.phase = phase;
  const read = async (): Promise<void> => {
    for (let round = 0; Date.now() < endsAtMs; round += 1) {
      const startedAt = performance.now();
      await service.call(READS[round % READS.length] ?? '/');
      phase.reads.push(performance.now() - startedAt);
      await sleep(READ_EVERY_MS);
    }
  };
  const fail = async (): Promise<void> => {
    for (const one of alerting) {
      const [name = '', id = ''] = one.split(' ');
      state.broken.add(name);
      await service.call(`/v1/monitors/${id}/run`, {});
      await sleep(ALERT_EVERY_MS);
    }
  };
  await Promise.all([read(), fail()]);
  return phase;
}

function compare(alone: Phase, beside: Phase) {
  const names = ['lateness', 'reads', 'alerts'] as const;
  return names.map((what) => {
    const at = (phase: Phase, share: number) => Math.round(percentile(phase[what], share));
    const ratio = (share: number) =>
      Math.round((100 * at(beside, share)) / Math.max(1, at(alone, share))) / 100;
    return {
      what,
      samples: `${alone[what].length}, ${beside[what].length}`,
      p50Ms: `${at(alone, 0.5)}, ${at(beside, 0.5)}`,
      p99Ms: `${at(alone, 0.99)}, ${at(beside, 0.99)}`,
      p50Ratio: ratio(0.5),
      p99Ratio: ratio(0.99),
    };
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quiet: { type: 'string', default: '20' },
      busy: { type: 'string', default: '400' },
      seconds: { type: 'string', default: '60' },
      json: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.seconds);
  const target = createServer((request, response) => void answer(request, response));
  const receiver = createServer((request, response) => void receive(request, response));
  const targetUrl = `http://127.0.0.1:${await listenOnLoopback(target)}`;
  const receiverUrl = `http://127.0.0.1:${await listenOnLoopback(receiver)}`;
  const service = await startBenchService({ KEEPWATCH_RATE_LIMITS: 'on' });
  try {
    const channel = { name: 'w', type: 'webhook', url: receiverUrl, isDefault: true };
    await service.call('/v1/alert-channels', channel);
    await createQuietMonitors(service, targetUrl, Number(values.quiet));
    const busy = await createBusyAccount(service);
    await sleep(2 * QUIET_INTERVAL_MS);
    progress('the quiet account alone');
    const alone = await measure(service, targetUrl, seconds);
    progress('creating the monitors of the busy account');
    const ids = await createBusyMonitors(busy, targetUrl, Number(values.busy));
    progress('beside the busy account');
    let isOver = false;
    const misbehaving = misbehave(busy, service, { ids, isOver: () => isOver });
    const beside = await measure(service, targetUrl, seconds);
    isOver = true;
    const statuses = Object.fromEntries(await misbehaving);
    const rows = compare(alone, beside);
    if (values.json) console.log(JSON.stringify({ rows, statuses }));
    else {
      console.table(rows);
      console.log(`responses to the busy account: ${JSON.stringify(statuses)}`);
    }
  } finally {
    await service.stop();
    target.closeAllConnections();
    target.close();
    receiver.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
