// Measures the loads on which the sizing is based, each on a separate service. Part one is the cost of a check with
// 250, 500, 2,000 and 5,000 monitors. At the end of each load, all processes are killed, and the recovery is measured.
// Part two is the cost of a run of a scenario with four steps. Prints a table for each load, and a table of all loads
// at the end.
import { parseArgs } from 'node:util';
import {
  computeRatio,
  createTarget,
  type Load,
  loadTable,
  measureLoad,
  type Outcome,
  progress,
} from './support/check-load';
import { listenOnLoopback } from './support/listen';
import { measureRuns, type RunCost, runTable } from './support/scenario-load';
import { type BenchService, startBenchService } from './support/service';

/** The number of runs whose cost is measured. */
const RUNS = 60;
const SCENARIO = 'scenario';
const NAMES = ['250@10', '500@20', '2000@60', '5000@60', SCENARIO] as const;
/** Three slots: one check through the workflow, and two in a watch. */
const WARM_UP_SLOTS = 3;
/**
 * Minimum length of the warm-up. Until then, V8 is still compiling the code of a check. A long-running service compiles
 * this code only once.
 */
const WARM_UP_MS_MIN = 180_000;
const MEASURE_SECONDS = 60;

const USAGE = `npm run bench -- loads [--only ${NAMES.join(',')}]
  [--seconds ${MEASURE_SECONDS}] [--steady watch|full] [--no-kill] [--json]
Minutes, about: 5 for 250@10, 6 for 500@20, 8 for 2000@60, 12 for 5000@60,
1 for the scenario. MONITORS@SECONDS of your own are taken, too.`;

function readArguments() {
  return parseArgs({
    options: {
      only: { type: 'string', default: NAMES.join(',') },
      seconds: { type: 'string', default: String(MEASURE_SECONDS) },
      steady: { type: 'string', default: 'watch' },
      'no-kill': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

/** Throws if the name is not of the form `MONITORS@SECONDS`. */
function parseLoad(name: string): Load {
  const [, monitors, seconds] = /^(\d+)@(\d+)$/.exec(name) ?? [];
  if (monitors === undefined || seconds === undefined)
    throw new Error(`${name} is not a load of the form MONITORS@SECONDS.\n${USAGE}`);
  const intervalSeconds = Number(seconds);
  return {
    monitors: Number(monitors),
    intervalSeconds,
    warmUpMs: Math.max(WARM_UP_MS_MIN, WARM_UP_SLOTS * intervalSeconds * 1_000),
    measureMs: Number(readArguments().seconds) * 1_000,
  };
}

/** Runs the measurement with a new target and a new service. */
async function withService<Measured>(
  measure: (
    service: BenchService,
    target: ReturnType<typeof createTarget>,
    url: string,
  ) => Measured,
): Promise<Awaited<Measured>> {
  const target = createTarget();
  const url = `http://127.0.0.1:${await listenOnLoopback(target.server)}`;
  const service = await startBenchService({ KEEPWATCH_STEADY: readArguments().steady });
  try {
    return await measure(service, target, url);
  } finally {
    await service.stop();
    target.server.close();
    target.server.closeAllConnections();
  }
}

/** Formats a table with one row per load. Lines have at most 80 columns. */
function summary(outcomes: readonly Outcome[]): string {
  const head = [
    ['load', 10],
    ['per s', 7],
    ['CPU ms', 8],
    ['x bare', 8],
    ['KB', 6],
    ['RSS MB', 8],
    ['PSS MB', 8],
    ['p50 ms', 8],
    ['p99 ms', 8],
    ['back s', 8],
  ] as const;
  const rows = outcomes.map((outcome) => {
    const { load, checks, latenessMs, recoverySeconds, costs } = outcome;
    const all = costs.at(-1);
    return [
      `${load.monitors}@${load.intervalSeconds}`,
      ((checks * 1_000) / load.measureMs).toFixed(1),
      all?.cpuMsPerCheck.toFixed(1),
      computeRatio(outcome).toFixed(0),
      all?.writtenKbPerCheck.toFixed(0),
      all?.rssMb.toFixed(0),
      all?.pssMb.toFixed(0),
      latenessMs.p50,
      latenessMs.p99,
      recoverySeconds?.toFixed(1) ?? '–',
    ];
  });
  const lines = [head.map(([name]) => name), ...rows];
  return lines
    .map((cells) => cells.map((cell, at) => String(cell).padStart(head[at]?.[1] ?? 0)).join(''))
    .join('\n');
}

async function main(): Promise<void> {
  const { only, json, help, 'no-kill': isSpared } = readArguments();
  if (help) return void process.stdout.write(`${USAGE}\n`);
  const names = only.split(',');
  const loads = names.filter((name) => name !== SCENARIO).map(parseLoad);
  const outcomes: Outcome[] = [];
  for (const load of loads) {
    progress(`${load.monitors}@${load.intervalSeconds}`);
    const outcome = await withService((service, { hits }, url) =>
      measureLoad(service, { url, hits }, { load, kill: !isSpared }),
    );
    outcomes.push(outcome);
    if (!json) process.stdout.write(`${loadTable(outcome)}\n\n`);
  }
  let runs: RunCost | null = null;
  if (names.includes(SCENARIO)) {
    runs = await withService((service, _, url) => measureRuns(service, url, RUNS));
    if (!json) process.stdout.write(`${runTable(runs)}\n\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify({ outcomes, runs })}\n`);
  else if (outcomes.length > 0) process.stdout.write(`${summary(outcomes)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
