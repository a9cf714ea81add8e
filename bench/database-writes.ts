// `npm run bench -- database-writes [checks per second] [seconds]`: measures what the embedded database writes at the
// pace of a service. Checks come at even intervals. Each check inserts a result, updates a status and updates an hourly
// summary.
import type { mongo } from 'mongoose';
import {
  type BenchDatabase,
  readCpuMs,
  readDeviceBytes,
  readWrittenBytes,
  withDatabase,
} from './support/database-server';
import { percentile } from './support/percentile';

const MONITORS = 500;
const RESULTS_PER_MONITOR = 200;
const WARM_UP_SECONDS = 35;
const START_MS = 1_700_000_000_000;

type Result = { _id: string; a: string; s: number; r: number; o: string };
type Status = { _id: string; accountId: string; changedAtMs: number; text: string };
type Summary = { _id: string; n: number; h: string };

interface Collections {
  readonly results: mongo.Collection<Result>;
  readonly statuses: mongo.Collection<Status>;
  readonly summaries: mongo.Collection<Summary>;
}

const KINDS = ['insert', 'update', 'check'] as const;
type Kind = (typeof KINDS)[number];

function monitorId(index: number): string {
  return `mon_${String(index % MONITORS).padStart(22, '0')}`;
}

function buildResult(check: number): Result {
  const slot = Math.floor(check / MONITORS) * 20_000;
  const _id = `${monitorId(check)}:local:${(START_MS + slot).toString(36).padStart(9, '0')}`;
  return { _id, a: `acc_${check % 10}`, s: 0, r: check % 400, o: 'o'.repeat(420) };
}

function buildStatus(check: number): Status {
  const accountId = `acc_${check % 10}`;
  return { _id: monitorId(check), accountId, changedAtMs: START_MS + check, text: 's'.repeat(600) };
}

async function fill({ results, statuses, summaries }: Collections): Promise<void> {
  await results.createIndex({ s: 1, _id: 1 });
  await statuses.createIndex({ accountId: 1, changedAtMs: 1 });
  for (let at = 0; at < MONITORS * RESULTS_PER_MONITOR; at += 1000) {
    await results.insertMany(Array.from({ length: 1000 }, (_, index) => buildResult(at + index)));
  }
  const indexes = Array.from({ length: MONITORS }, (_, index) => index);
  await statuses.insertMany(indexes.map(buildStatus));
  await summaries.insertMany(
    indexes.map((index) => ({ _id: `${monitorId(index)}:h`, n: 0, h: 'h'.repeat(300) })),
  );
}

function createSteps(
  collections: Collections,
  check: number,
): Record<Kind, () => Promise<unknown>> {
  const { results, statuses, summaries } = collections;
  const insert = () => results.insertOne(buildResult(check));
  const { _id, changedAtMs, text } = buildStatus(check);
  const update = () => statuses.updateOne({ _id }, { $set: { changedAtMs, text } });
  const summarise = () => summaries.updateOne({ _id: `${_id}:h` }, { $inc: { n: 1 } });
  return {
    insert,
    update,
    check: () => insert().then(update).then(summarise),
  };
}

interface Pace {
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Starts one call per interval, even if earlier calls have not ended, and measures the time of
 * each.
 */
async function keepPace({ perSecond, seconds }: Pace, run: (index: number) => Promise<unknown>) {
  const total = perSecond * seconds;
  const startedAt = performance.now();
  const times: number[] = [];
  const running: Promise<void>[] = [];
  for (let index = 0; index < total; index++) {
    const waitMs = startedAt + (index * 1000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const begunAt = performance.now();
    running.push(
      run(index).then(() => {
        times.push(performance.now() - begunAt);
      }),
    );
  }
  await Promise.all(running);
  return times.sort((a, b) => a - b);
}

async function measure({ pid, client }: BenchDatabase, pace: Pace): Promise<void> {
  const db = client.db();
  const collections = {
    results: db.collection<Result>('results'),
    statuses: db.collection<Status>('statuses'),
    summaries: db.collection<Summary>('summaries'),
  };
  await fill(collections);
  let next = MONITORS * RESULTS_PER_MONITOR;
  // The warm-up lasts until the file has reached the size that this pace needs.
  const warmUp = { ...pace, seconds: WARM_UP_SECONDS };
  next += (await keepPace(warmUp, (index) => createSteps(collections, next + index).check()))
    .length;
  for (const kind of KINDS) {
    const before = [readWrittenBytes(pid), readDeviceBytes(), readCpuMs(pid)] as const;
    const first = next;
    const times = await keepPace(pace, (index) => createSteps(collections, first + index)[kind]());
    next += times.length;
    const after = [readWrittenBytes(pid), readDeviceBytes(), readCpuMs(pid)] as const;
    const operations = times.length * (kind === 'check' ? 3 : 1);
    const [written, device, cpuMs] = after.map(
      (value, at) => (value - (before[at] ?? 0)) / operations,
    );
    const row = {
      kind,
      operations,
      writtenKb: round((written ?? 0) / 1024),
      deviceKb: round((device ?? 0) / 1024),
      cpuMs: round(cpuMs ?? 0),
      p50Ms: round(percentile(times, 0.5)),
      p99Ms: round(percentile(times, 0.99)),
      maxMs: round(times.at(-1) ?? 0),
    };
    process.stdout.write(`${JSON.stringify(row)}\n`);
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const [perSecond = 25, seconds = 40] = process.argv.slice(2).map(Number);
withDatabase((database) => measure(database, { perSecond, seconds })).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
