// Measures how the service behaves when it gets more pings than it can handle. Counts the accepted pings, and checks
// that each of them is stored. Measures how fast the service refuses the rest, whether health checks stay fast, and how
// long it takes until pings are as fast as before. `npm run bench -- overload [--rate 500] [--seconds 12] [--json]`
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { progress } from './support/check-load';
import { createHeartbeats, PINGS_PER_HEARTBEAT } from './support/heartbeats';
import { openDatabase } from './support/open-database';
import { percentile } from './support/percentile';
import { openPipelinedPosts, type PipelinedPosts } from './support/pipelined-posts';
import { startBenchService } from './support/service';

const LOOK_EVERY_MS = 100;
/** A request counts as failed after this time. A job would not wait longer for the response to its ping. */
const GIVEN_UP_AFTER_MS = 30_000;
const FAST_MS = 100;
/** After this many fast responses in a row, the service counts as recovered. */
const FAST_IN_A_ROW = 20;
const RECOVERY_WITHIN_MS = 120_000;

interface Load {
  readonly rate: number;
  readonly seconds: number;
}

interface Answer {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly ms: number;
}

/** Sends each ping at its time, as jobs do. No ping waits for the response to another ping. */
async function flood(urls: readonly URL[], { rate, seconds }: Load): Promise<readonly Answer[]> {
  const free: PipelinedPosts[] = [];
  const all: PipelinedPosts[] = [];
  const [first] = urls;
  if (first === undefined) throw new Error('there is no heartbeat');
  const connect = async (): Promise<PipelinedPosts> => {
    const opened = await openPipelinedPosts(first);
    all.push(opened);
    return opened;
  };
  const sendOne = async (path: string, dueAt: number): Promise<Answer> => {
    const answer = await (free.pop() ?? connect().catch(() => null));
    const none = sleep(GIVEN_UP_AFTER_MS, 0, { ref: false });
    const status = answer === null ? 0 : await Promise.race([answer.post(path), none]);
    if (answer !== null && status !== 0) free.push(answer);
    return { status, ms: performance.now() - dueAt };
  };
  const underWay: Promise<Answer>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < rate * seconds; index += 1) {
    const dueAt = startedAt + (index * 1_000) / rate;
    const waitMs = dueAt - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    underWay.push(sendOne(urls[index % urls.length]?.pathname ?? '/', dueAt));
  }
  const answers = await Promise.all(underWay);
  for (const connection of all) connection.close();
  return answers;
}

async function timed(url: string, method = 'GET'): Promise<Answer> {
  const startedAt = performance.now();
  const status = await fetch(url, { method }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  return { status, ms: performance.now() - startedAt };
}

/** Sends requests repeatedly until `isOver` returns true. */
async function watch(url: string, isOver: () => boolean): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (!isOver()) {
    answers.push(await timed(url));
    await sleep(LOOK_EVERY_MS);
  }
  return answers;
}

/** Returns the milliseconds until the service has recovered. null if it does not recover within two minutes. */
async function recoveryMs(pingUrl: string): Promise<number | null> {
  const startedAt = performance.now();
  for (let fast = 0; performance.now() - startedAt < RECOVERY_WITHIN_MS; ) {
    const { status, ms } = await timed(pingUrl, 'POST');
    fast = status === 200 && ms <= FAST_MS ? fast + 1 : 0;
    if (fast === FAST_IN_A_ROW) return performance.now() - startedAt;
    await sleep(LOOK_EVERY_MS * 3);
  }
  return null;
}

function summarize(answers: readonly Answer[]) {
  const times = answers.map(({ ms }) => ms);
  return {
    count: answers.length,
    p50Ms: Math.round(percentile(times, 0.5)),
    p99Ms: Math.round(percentile(times, 0.99)),
    maxMs: Math.round(times.reduce((most, each) => Math.max(most, each), 0)),
  };
}

function byStatus(answers: readonly Answer[]) {
  const statuses = [...new Set(answers.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      summarize(answers.filter((answer) => answer.status === status)),
    ]),
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rate: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '12' },
      json: { type: 'boolean', default: false },
    },
  });
  const load = { rate: Number(values.rate), seconds: Number(values.seconds) };
  const service = await startBenchService();
  try {
    const urls = await createHeartbeats(service, Math.ceil(load.rate / PINGS_PER_HEARTBEAT));
    const database = await openDatabase(service.folder);
    const count = () => database.models.pings.countDocuments({});
    const before = await count();
    progress('flooding');
    let isOver = false;
    const health = watch(`${service.url}/healthz`, () => isOver);
    const readiness = watch(`${service.url}/readyz`, () => isOver);
    const answers = await flood(urls, load);
    isOver = true;
    const stored = (await count()) - before;
    await database.close();
    const recovered = await recoveryMs(String(urls[0]));
    const taken = answers.filter(({ status }) => status === 200).length;
    const outcome = {
      ...load,
      pings: byStatus(answers),
      lost: Math.max(0, taken - stored),
      healthz: byStatus(await health),
      readyz: byStatus(await readiness),
      recoverySeconds: recovered === null ? null : Math.round(recovered / 100) / 10,
    };
    process.stdout.write(`${JSON.stringify(outcome, null, values.json ? 0 : 2)}\n`);
    if (outcome.lost > 0) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
