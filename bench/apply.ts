// Measures how long `POST /v1/apply` takes for three sets: new monitors, the same monitors with a tenth of them
// changed, and unchanged monitors. For the new monitors, also measures the CPU of each process, and how late the checks
// of 50 other monitors are before and during the request. `npm run bench -- apply [--monitors 500] [--enabled]
// [--json]`
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { computeCosts, costTable, createTarget, progress, type Target } from './support/check-load';
import { listenOnLoopback } from './support/listen';
import { percentile } from './support/percentile';
import { processTree } from './support/process-facts';
import { type BenchService, startBenchService } from './support/service';

const CHANGED_SHARE = 0.1;
const WATCHED = 50;
const WATCHED_INTERVAL_MS = 10_000;
const WATCHED_ALONE_MS = 60_000;
const ASSERTIONS = [{ type: 'jsonPath', path: '$.ok', operator: 'equals', value: true }];

interface SetOfMonitors {
  readonly targetUrl: string;
  readonly monitors: number;
  readonly isEnabled: boolean;
  /** How many monitors of the set are changed, counted from the first one. */
  readonly changed: number;
}

/** Builds a set of monitors for apply. Enabled monitors are checked once, and not again on the same day. */
function buildSet({ targetUrl, monitors, isEnabled, changed }: SetOfMonitors): object {
  return {
    set: 'bench',
    monitors: Array.from({ length: monitors }, (_, index) => ({
      key: `m${index}`,
      name: index < changed ? `Changed ${index}` : `Monitor ${index}`,
      url: `${targetUrl}/${WATCHED + index}`,
      interval: 86_400,
      tags: ['bench'],
      assertions: ASSERTIONS,
      enabled: isEnabled,
    })),
  };
}

async function apply({ call }: BenchService, body: object) {
  const startedAt = performance.now();
  const { summary }: { readonly summary: Readonly<Record<string, number>> } = JSON.parse(
    await call('/v1/apply', body),
  );
  return { seconds: Math.round((performance.now() - startedAt) / 10) / 100, summary };
}

/**
 * Creates monitors that are checked every ten seconds. Returns a function that counts the due checks and the received
 * checks since a time, and says how late the received checks were.
 */
async function createWatched({ call, createMonitor }: BenchService, { url, hits }: Target) {
  const offsets: number[] = [];
  for (let index = 0; index < WATCHED; index += 1) {
    const body = { name: `watched ${index}`, url: `${url}/${index}` };
    const id = await createMonitor({ ...body, interval: WATCHED_INTERVAL_MS / 1_000 });
    const { nextCheckAt } = JSON.parse(await call(`/v1/monitors/${id}`));
    offsets.push(Date.parse(nextCheckAt));
  }
  return (sinceMs: number) => {
    const late = hits.flatMap(({ monitor, atMs }) => {
      const offsetMs = offsets[monitor];
      return offsetMs === undefined || atMs < sinceMs
        ? []
        : [(atMs - offsetMs) % WATCHED_INTERVAL_MS];
    });
    const untilMs = Date.now();
    const countSlots = (atMs: number, offsetMs: number) =>
      Math.floor((atMs - offsetMs) / WATCHED_INTERVAL_MS);
    const due = offsets.reduce(
      (sum, offsetMs) => sum + countSlots(untilMs, offsetMs) - countSlots(sinceMs, offsetMs),
      0,
    );
    return { due, made: late.length, p50Ms: percentile(late, 0.5), p99Ms: percentile(late, 0.99) };
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      monitors: { type: 'string', default: '500' },
      enabled: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const monitors = Number(values.monitors);
  const { server, hits } = createTarget();
  const targetUrl = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const set = { targetUrl, monitors, isEnabled: values.enabled };
  const service = await startBenchService();
  try {
    const watchedSince = await createWatched(service, { url: targetUrl, hits });
    await sleep(2 * WATCHED_INTERVAL_MS);
    const aloneSinceMs = Date.now();
    await sleep(WATCHED_ALONE_MS);
    const alone = watchedSince(aloneSinceMs);
    progress(`applying ${monitors} new monitors`);
    const before = processTree(service.pid());
    const appliesSinceMs = Date.now();
    const created = await apply(service, buildSet({ ...set, changed: 0 }));
    const costs = computeCosts(before, processTree(service.pid()), monitors);
    const whileCreating = watchedSince(appliesSinceMs);
    const changed = await apply(
      service,
      buildSet({ ...set, changed: Math.floor(monitors * CHANGED_SHARE) }),
    );
    const unchanged = await apply(
      service,
      buildSet({ ...set, changed: Math.floor(monitors * CHANGED_SHARE) }),
    );
    const watched = { alone, whileCreating };
    const outcome = { monitors, created, changed, unchanged, watched };
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
