// Measures how long a rollout takes: all monitors of an account change from 60 to 30 seconds and
// back, while they are checked. `npm run bench -- rollouts [--monitors 500] [--json]`
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { computeCosts, costTable, createTarget, progress } from './support/check-load';
import { listenOnLoopback } from './support/listen';
import { processTree } from './support/process-facts';
import { type BenchService, startBenchService } from './support/service';

const LOOK_EVERY_MS = 100;

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly progress: Readonly<Record<string, number>>;
}

const secondsSince = (beganMs: number): number =>
  Math.round((performance.now() - beganMs) / 10) / 100;

/** Starts a rollout and waits for its end. */
async function carryOut({ call }: BenchService, path: string, body: object) {
  const beganMs = performance.now();
  let shown: Shown = JSON.parse(await call(path, body));
  const startedSeconds = secondsSince(beganMs);
  while (shown.state !== 'ended') {
    await sleep(LOOK_EVERY_MS);
    shown = JSON.parse(await call(`/v1/rollouts/${shown.id}?limit=1`));
  }
  const { id, progress: counts } = shown;
  return { id, startedSeconds, endedSeconds: secondsSince(beganMs), counts };
}

function buildSet(monitors: number, url: string): object {
  return {
    monitors: Array.from({ length: monitors }, (_, index) => ({
      key: `m${index}`,
      name: `Monitor ${index}`,
      url: `${url}/${index}`,
      interval: 60,
      tags: ['bench'],
    })),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      monitors: { type: 'string', default: '500' },
      json: { type: 'boolean', default: false },
    },
  });
  const monitors = Number(values.monitors);
  const { server, hits } = createTarget();
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const service = await startBenchService();
  try {
    progress(`applying ${monitors} monitors`);
    await service.call('/v1/apply', buildSet(monitors, url));
    while (new Set(hits.map(({ monitor }) => monitor)).size < monitors) await sleep(LOOK_EVERY_MS);
    const faster = { filter: { tag: 'bench' }, action: 'set', set: { interval: 30 } };
    const beganMs = performance.now();
    await service.call('/v1/monitors/bulk', { ...faster, dryRun: true });
    const planSeconds = secondsSince(beganMs);
    progress('rolling out');
    const before = processTree(service.pid());
    const rollout = await carryOut(service, '/v1/monitors/bulk', faster);
    const costs = computeCosts(before, processTree(service.pid()), monitors);
    const undo = await carryOut(service, `/v1/rollouts/${rollout.id}/undo`, {});
    const outcome = { monitors, planSeconds, rollout, undo };
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ ...outcome, costs })}\n`
        : `${JSON.stringify(outcome, null, 2)}\n${costTable(costs, 'monitor').join('\n')}\n`,
    );
  } finally {
    await service.stop();
    server.close();
    server.closeAllConnections();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
