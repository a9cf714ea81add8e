// Measures how fast pings of jobs are accepted, and whether each accepted ping is stored, on the whole service with a
// throw-away data folder. There are as many heartbeats as the limit per token requires. Pings start at even intervals
// and do not wait for earlier pings. `npm run bench -- pings [--rate 2000] [--seconds 60] [--json]`
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { computeCosts, costTable, progress } from './support/check-load';
import { createHeartbeats, PINGS_PER_HEARTBEAT } from './support/heartbeats';
import { openDatabase } from './support/open-database';
import { percentile } from './support/percentile';
import { openPipelinedPosts, type PipelinedPosts } from './support/pipelined-posts';
import { type ProcessFacts, processTree } from './support/process-facts';
import { type BenchService, startBenchService } from './support/service';

/** Each connection sends several pings at once. */
const CONNECTIONS = 32;
const GOAL_P99_MS = 100;
const WARM_UP_SECONDS = 3;

interface Load {
  readonly rate: number;
  readonly seconds: number;
}

interface Sent {
  readonly statuses: Map<number, number>;
  /** Milliseconds from the instant at which a ping was due to the end of its response. */
  readonly times: number[];
}

/**
 * Sends each ping when it is due, so that a slow response delays no other ping and is counted in
 * full.
 */
async function send(urls: readonly URL[], { rate, seconds }: Load): Promise<Sent> {
  const connections = await openConnections(urls[0]);
  const sent: Sent = { statuses: new Map(), times: [] };
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < rate * seconds; index += 1) {
    const dueAt = startedAt + (index * 1_000) / rate;
    const waitMs = dueAt - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    const path = urls[index % urls.length]?.pathname ?? '/';
    // A heartbeat always uses the same connection, because each of its jobs waits for one response
    // only.
    const connection = connections[(index % urls.length) % connections.length];
    if (connection === undefined) break;
    underWay.push(
      connection.post(path).then((status) => {
        sent.times.push(performance.now() - dueAt);
        sent.statuses.set(status, (sent.statuses.get(status) ?? 0) + 1);
      }),
    );
  }
  await Promise.all(underWay);
  for (const connection of connections) connection.close();
  return sent;
}

function openConnections(url: URL | undefined): Promise<readonly PipelinedPosts[]> {
  if (url === undefined) throw new Error('there is no heartbeat');
  return Promise.all(Array.from({ length: CONNECTIONS }, () => openPipelinedPosts(url)));
}

interface Outcome extends Load {
  readonly heartbeats: number;
  readonly taken: number;
  /** The number of responses by status. 0 means that there was no response. */
  readonly refused: Readonly<Record<string, number>>;
  readonly stored: number;
  /** Pings that were accepted but not stored. */
  readonly lost: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The CPU that the sender used, which the service on the same machine could not use. */
  readonly senderCpuMsPerPing: number;
}

async function measure(service: BenchService, load: Load) {
  const heartbeats = Math.ceil(load.rate / PINGS_PER_HEARTBEAT);
  const urls = await createHeartbeats(service, heartbeats);
  const database = await openDatabase(service.folder);
  const count = () => database.models.pings.countDocuments({});
  try {
    progress('warming up');
    await send(urls, { ...load, seconds: WARM_UP_SECONDS });
    const [before, factsBefore] = [await count(), processTree(service.pid())];
    progress('measuring');
    const cpuBefore = process.cpuUsage();
    const sent = await send(urls, load);
    const { user, system } = process.cpuUsage(cpuBefore);
    const senderCpuMs = (user + system) / 1_000;
    const facts: readonly ProcessFacts[] = processTree(service.pid());
    const stored = (await count()) - before;
    const outcome = computeOutcome({ load, heartbeats, sent, stored, senderCpuMs });
    return { outcome, costs: computeCosts(factsBefore, facts, outcome.taken) };
  } finally {
    await database.close();
  }
}

interface Measured {
  readonly load: Load;
  readonly heartbeats: number;
  readonly sent: Sent;
  readonly stored: number;
  readonly senderCpuMs: number;
}

function computeOutcome({ load, heartbeats, sent, stored, senderCpuMs }: Measured): Outcome {
  const { times, statuses } = sent;
  const taken = statuses.get(200) ?? 0;
  const others = [...statuses].filter(([status]) => status !== 200);
  const round = (ms: number) => Math.round(ms * 10) / 10;
  return {
    ...load,
    heartbeats,
    taken,
    refused: Object.fromEntries(others.map(([status, times_]) => [String(status), times_])),
    stored,
    lost: Math.max(0, taken - stored),
    p50Ms: round(percentile(times, 0.5)),
    p99Ms: round(percentile(times, 0.99)),
    maxMs: round(times.reduce((most, each) => Math.max(most, each), 0)),
    senderCpuMsPerPing: Math.round((senderCpuMs / times.length) * 1_000) / 1_000,
  };
}

function formatText({ outcome, costs }: Awaited<ReturnType<typeof measure>>): string {
  const { rate, seconds, heartbeats, taken, refused, lost, p50Ms, p99Ms, maxMs } = outcome;
  const { senderCpuMsPerPing } = outcome;
  return [
    `${rate} pings a second for ${seconds} s to ${heartbeats} heartbeats: ${taken} taken, ${lost} lost, refused ${JSON.stringify(refused)}`,
    `p50 ${p50Ms} ms, p99 ${p99Ms} ms (${p99Ms <= GOAL_P99_MS ? 'within' : 'ABOVE'} ${GOAL_P99_MS}), most ${maxMs} ms`,
    ...costTable(costs, 'ping'),
    `sending took ${senderCpuMsPerPing} ms of CPU per ping`,
  ].join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rate: { type: 'string', default: '2000' },
      seconds: { type: 'string', default: '60' },
      json: { type: 'boolean', default: false },
    },
  });
  const load = { rate: Number(values.rate), seconds: Number(values.seconds) };
  const service = await startBenchService();
  try {
    const measured = await measure(service, load);
    process.stdout.write(
      `${values.json ? JSON.stringify({ ...measured.outcome, costs: measured.costs }) : formatText(measured)}\n`,
    );
    if (measured.outcome.lost > 0) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
