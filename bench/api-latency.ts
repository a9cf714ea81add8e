// Measures how fast /v1 responds with 2,000 monitors and a million stored results, on the whole
// service with a throw-away data folder. The results are written into the database directly,
// because a million checks would take too long. Measured requests are sent one after the other,
// over loopback. `npm run bench -- api-latency [--monitors 2000] [--results 1000000]`
import { parseArgs } from 'node:util';
import { buildResultId } from '../src/domain/health/result-id';
import type { Database } from '../src/models';
import { toResultDocument } from '../src/models/results/result-documents';
import { summariseHours } from '../src/models/results/summaries';
import { openDatabase } from './support/open-database';
import { percentile } from './support/percentile';
import { runBench } from './support/run-bench';
import { type BenchService, readId } from './support/service';
import { timeListPage } from './support/time-page';

/** How many monitors are created, or filled with results, at the same time. */
const AT_ONCE = 8;
const REGION = 'eu-west';
const REPEATS = 300;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const GOALS = {
  create: 250,
  get: 60,
  list: 60,
  results: 60,
  uptime: 60,
  overview: 60,
  recent: 150,
} as const;

function resultRow(accountId: string, monitorId: string, slotMs: number) {
  const startedAt = new Date(slotMs).toISOString();
  const responseTimeMs = 50 + ((slotMs / 1000) % 97);
  const timings = { dnsMs: 1.2, connectMs: 8.1, tlsMs: 21, ttfbMs: 40, downloadMs: 1, totalMs: 71 };
  const response = {
    status: 200,
    httpVersion: '1.1',
    bytes: 1200,
    remoteIp: '93.184.215.14',
    finalUrl: 'https://shop.example.com/health',
    redirects: 0,
    bodyPreview: null,
    truncated: false,
  };
  const outcome = {
    status: 'up' as const,
    startedAt,
    finishedAt: startedAt,
    responseTimeMs,
    timings,
    request: { method: 'GET', url: 'https://shop.example.com/health' },
    response,
    tls: null,
    assertions: [],
    failure: null,
    attempts: [{ startedAt, responseTimeMs, status: 200, failure: null }],
    extracted: [],
  };
  const key = { monitorId, region: REGION, slotMs, kind: 'scheduled' as const };
  return toResultDocument({
    ...key,
    id: buildResultId(key),
    accountId,
    revision: 1,
    trigger: 'schedule',
    status: 'up',
    inMaintenance: false,
    responseTimeMs,
    outcome,
    gap: null,
  });
}

interface Filling {
  readonly accountId: string;
  readonly ids: readonly string[];
  /** The number of results of all monitors together. */
  readonly count: number;
}

/**
 * Stores the same number of results for each monitor. The first monitor also gets a result every five minutes for 90
 * days.
 */
async function fill(database: Database, { accountId, ids, count }: Filling): Promise<void> {
  const { results, statuses } = database.models;
  const nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const insert = (rows: ReturnType<typeof resultRow>[]) =>
    results.collection.insertMany(rows as never[], { ordered: false });
  const each = Math.max(1, Math.floor(count / ids.length));
  const slots = Array.from({ length: each }, (_, slot) => nowMs - (slot + 1) * 60_000);
  await inParallel(ids, async (id, index) => {
    await insert(slots.map((slotMs) => resultRow(accountId, id, slotMs)));
    if (index % 200 === 0) process.stderr.write(`  ${index * each} of ${count} results stored\n`);
  });
  const [first = ''] = ids;
  const fromMs = nowMs - 90 * DAY_MS;
  for (let startMs = fromMs; startMs < nowMs - DAY_MS; startMs += DAY_MS) {
    const ofDay = Array.from({ length: 288 }, (_, slot) => startMs + slot * 300_000);
    await insert(ofDay.map((slotMs) => resultRow(accountId, first, slotMs)));
  }
  const source = { accountId, id: first, region: REGION };
  await summariseHours(database.models, source, { fromMs, toMs: nowMs, endedMs: nowMs });
  await statuses.updateOne({ _id: first }, { $set: { summarisedUntilMs: nowMs } });
  const { monitors } = database.models;
  await monitors.updateOne({ _id: first }, { $set: { createdAtMs: fromMs } });
}

async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const waiting = items.entries();
  const workOff = async (): Promise<void> => {
    for (const [index, item] of waiting) await work(item, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOff));
}

async function timeCalls(count: number, work: (index: number) => Promise<unknown>) {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    await work(index);
    times.push(performance.now() - startedAt);
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

async function measure(service: BenchService, targetUrl: string): Promise<void> {
  const { call } = service;
  const { values } = parseArgs({
    options: {
      monitors: { type: 'string', default: '2000' },
      results: { type: 'string', default: '1000000' },
    },
  });
  const ids: string[] = [];
  const createOne = async (index: number): Promise<void> => {
    const body = { name: `m${index}`, url: `${targetUrl}/${index}`, interval: 86_400 };
    ids.push(await service.createMonitor(body));
  };
  const monitors = Number(values.monitors);
  const unmeasured = Array.from({ length: Math.max(0, monitors - REPEATS) }, (_, index) => index);
  await inParallel(unmeasured, createOne);
  const create = await timeCalls(Math.min(REPEATS, monitors), (index) =>
    createOne(unmeasured.length + index),
  );
  const accountId = readId(await call('/v1/account'));
  const database = await openDatabase(service.folder);
  await fill(database, { accountId, ids, count: Number(values.results) });
  const stats = await database.connection.db?.stats();
  await database.close();
  const idAt = (index: number) => ids[(index * 37) % ids.length];
  const rows = {
    create,
    get: await timeCalls(REPEATS, async (index) => call(`/v1/monitors/${idAt(index)}`)),
    list: await timeCalls(REPEATS, async () => call('/v1/monitors?limit=100')),
    results: await timeCalls(REPEATS, async (index) => call(`/v1/monitors/${idAt(index)}/results`)),
    uptime: await timeCalls(REPEATS, async () => call(`/v1/monitors/${ids[0]}/uptime?window=90d`)),
    overview: await timeCalls(REPEATS, async () => call('/v1/overview')),
    recent: await timeCalls(REPEATS, async () => call('/v1/monitors?limit=50&include=recent')),
  };
  for (const [name, { p50, p99 }] of Object.entries(rows)) {
    const goal = GOALS[name as keyof typeof GOALS];
    const verdict = p99 <= goal ? 'within' : 'ABOVE';
    console.log(
      `${name.padEnd(9)} p50 ${p50.toFixed(1).padStart(7)} ms  p99 ${p99.toFixed(1).padStart(7)} ms  ${verdict} ${goal}`,
    );
  }
  const { firstRows, filter, kilobytes } = await timeListPage(service.url, service.cookie);
  const middle = (times: readonly number[]) => (times[times.length >> 1] ?? 0).toFixed(0);
  const most = (times: readonly number[]) => (times.at(-1) ?? 0).toFixed(0);
  console.log(
    `page      50 rows after ${middle(firstRows)} ms (most ${most(firstRows)}), goal 1000; ` +
      `a filter after ${middle(filter)} ms (most ${most(filter)}), goal 200; ${kilobytes.toFixed(0)} kB, goal 300`,
  );
  console.log(`database  ${JSON.stringify(stats)}`);
}

runBench(measure);
