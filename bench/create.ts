// Measures what a monitor costs from its creation to the start of its watch, on the whole service with a throw-away
// data folder. Monitors are created eight at a time, and each is checked once. Reports CPU, bytes written and memory
// per process, and the elapsed time. The figures include what the idle service uses.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { computeCosts, costTable, createTarget, progress } from './support/check-load';
import { listenOnLoopback } from './support/listen';
import { processTree } from './support/process-facts';
import { type BenchService, startBenchService } from './support/service';

const AT_ONCE = 8;
const FIRST = 20;
const DAY_SECONDS = 86_400;
/** Waiting time after the last check, so that the writes that follow this check are measured, too. */
const REST_MS = 3_000;
const REFUSED_PAUSE_MS = 500;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      monitors: { type: 'string', default: '200' },
      json: { type: 'boolean', default: false },
    },
  });
  const count = Number(values.monitors);
  const { server, hits } = createTarget();
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const service = await startBenchService();
  const create = async (from: number, to: number): Promise<void> => {
    let next = from;
    const work = async (): Promise<void> => {
      while (next < to) {
        const index = next++;
        const body = { name: `m${index}`, url: `${url}/${index}`, interval: DAY_SECONDS };
        await createWhenAdmitted(service, body);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    while (new Set(hits.map(({ monitor }) => monitor)).size < to) await sleep(50);
    await sleep(REST_MS);
  };
  try {
    progress(`creating ${FIRST} monitors to warm up`);
    await create(0, FIRST);
    progress(`creating ${count} monitors`);
    const before = processTree(service.pid());
    const beganMs = performance.now();
    await create(FIRST, FIRST + count);
    const seconds = (performance.now() - beganMs - REST_MS) / 1_000;
    const costs = computeCosts(before, processTree(service.pid()), count);
    const said = `${count} monitors created, ${AT_ONCE} at a time, and checked in ${seconds.toFixed(1)} s`;
    const table = [said, ...costTable(costs, 'new')].join('\n');
    process.stdout.write(`${values.json ? JSON.stringify({ count, seconds, costs }) : table}\n`);
  } finally {
    await service.stop();
    server.close();
    server.closeAllConnections();
  }
}

/**
 * Creates a monitor. On a busy machine, the service refuses some of the first requests with 503; these requests are
 * sent again.
 */
async function createWhenAdmitted(service: BenchService, body: object): Promise<void> {
  try {
    await service.createMonitor(body);
  } catch (error) {
    if (!String(error).includes(': 503 ')) throw error;
    await sleep(REFUSED_PAUSE_MS);
    await createWhenAdmitted(service, body);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
