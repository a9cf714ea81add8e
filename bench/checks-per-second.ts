// What a check costs: the whole service on a throw-away data folder, monitors that check a target on
// loopback; CPU, bytes written and memory per process, how late checks are, and how long it takes
// until all are checked again after everything was killed. Beside it a bare loop of the same requests.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { listenOnLoopback } from './support/listen';
import { percentile } from './support/percentile';
import { type ProcessFacts, processTree } from './support/process-facts';
import { type BenchService, startBenchService } from './support/service';

const PAGE = 200;
const execFileOnce = promisify(execFile);
const BARE_REQUESTS = 2_000;
const RECOVERY_WITHIN_MS = 300_000;

const USAGE = `npm run bench -- checks-per-second [--monitors 250] [--interval 10] [--seconds 60]
  [--warm-up SECONDS] [--quiet on|off] [--kill] [--json]`;

interface Load {
  readonly monitors: number;
  readonly intervalSeconds: number;
  readonly measureMs: number;
  readonly warmUpMs: number;
}

interface Hit {
  readonly monitor: number;
  readonly atMs: number;
}

interface Cost {
  readonly process: string;
  readonly cpuMsPerCheck: number;
  readonly writtenKbPerCheck: number;
  readonly rssMb: number;
}

interface Outcome {
  readonly load: Load;
  readonly checks: number;
  readonly latenessMs: { readonly p50: number; readonly p99: number };
  readonly bareCpuMs: number;
  readonly recoverySeconds: number | null;
  readonly costs: readonly Cost[];
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      monitors: { type: 'string', default: '250' },
      interval: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '60' },
      'warm-up': { type: 'string' },
      quiet: { type: 'string', default: 'on' },
      kill: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const intervalSeconds = Number(values.interval);
  const load: Load = {
    monitors: Number(values.monitors),
    intervalSeconds,
    measureMs: Number(values.seconds) * 1_000,
    warmUpMs: Number(values['warm-up'] ?? 5 * intervalSeconds) * 1_000,
  };
  return { ...values, load };
}

let lastProgress = '';

function progress(sentence: string): void {
  if (sentence !== lastProgress) process.stderr.write(`${sentence}\n`);
  lastProgress = sentence;
}

/** Monitor 7 asks for /7. */
function createTarget() {
  const hits: Hit[] = [];
  const server = createServer((request, response) => {
    hits.push({ monitor: Number(request.url?.slice(1)), atMs: Date.now() });
    response.setHeader('content-type', 'application/json');
    response.end('{"ok":true,"items":[1,2,3]}');
  });
  return { server, hits };
}

async function createMonitors(service: BenchService, load: Load, targetUrl: string) {
  for (let index = 0; index < load.monitors; index += 1) {
    const assertions = [{ type: 'jsonPath', path: '$.ok', operator: 'equals', value: true }];
    const body = {
      name: `m${index}`,
      url: `${targetUrl}/${index}`,
      interval: load.intervalSeconds,
    };
    await service.createMonitor({ ...body, ...(index % 2 === 0 ? {} : { assertions }) });
  }
}

/** Where the grid of each monitor begins within its interval. */
async function readPhases(service: BenchService, { intervalSeconds }: Load) {
  const phases = new Map<number, number>();
  let path: string | null = `/v1/monitors?limit=${PAGE}`;
  while (path !== null) {
    const page: {
      readonly data: readonly { readonly name: string; readonly nextCheckAt: string }[];
      readonly nextCursor: string | null;
    } = JSON.parse(await service.call(path));
    for (const { name, nextCheckAt } of page.data)
      phases.set(Number(name.slice(1)), Date.parse(nextCheckAt) % (intervalSeconds * 1_000));
    path =
      page.nextCursor === null
        ? null
        : `/v1/monitors?limit=${PAGE}&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
  return phases;
}

function latenessOf(hits: readonly Hit[], phases: ReadonlyMap<number, number>, load: Load) {
  const intervalMs = load.intervalSeconds * 1_000;
  const late = hits.map(
    ({ monitor, atMs }) =>
      (((atMs - (phases.get(monitor) ?? 0)) % intervalMs) + intervalMs) % intervalMs,
  );
  return { p50: percentile(late, 0.5), p99: percentile(late, 0.99) };
}

function costsOf(
  before: readonly ProcessFacts[],
  after: readonly ProcessFacts[],
  checks: number,
): readonly Cost[] {
  const costs = after.map(({ pid, name, cpuMs, rssMb, writtenKb }): Cost => {
    const former = before.find((facts) => facts.pid === pid);
    return {
      process: name,
      cpuMsPerCheck: (cpuMs - (former?.cpuMs ?? 0)) / checks,
      writtenKbPerCheck: (writtenKb - (former?.writtenKb ?? 0)) / checks,
      rssMb,
    };
  });
  const sum = (pick: (cost: Cost) => number) =>
    costs.reduce((total, cost) => total + pick(cost), 0);
  const all: Cost = {
    process: 'all',
    cpuMsPerCheck: sum(({ cpuMsPerCheck }) => cpuMsPerCheck),
    writtenKbPerCheck: sum(({ writtenKbPerCheck }) => writtenKbPerCheck),
    rssMb: sum(({ rssMb }) => rssMb),
  };
  return [...costs, all];
}

async function bareCpuMs(url: string): Promise<number> {
  const program = join(__dirname, 'support', 'bare-loop.js');
  const { stdout } = await execFileOnce(process.execPath, [program, url, String(BARE_REQUESTS)]);
  return Number(stdout);
}

/** Kills every process, starts the service again, and waits until each monitor was checked. */
async function measureRecovery(service: BenchService, hits: readonly Hit[], load: Load) {
  const killedAtMs = Date.now();
  await service.killAndRestart();
  for (;;) {
    const seen = new Set(
      hits.filter(({ atMs }) => atMs > killedAtMs).map(({ monitor }) => monitor),
    );
    const seconds = (Date.now() - killedAtMs) / 1_000;
    progress(`${seen.size} of ${load.monitors} checked again`);
    if (seen.size === load.monitors) return seconds;
    if (seconds * 1_000 > RECOVERY_WITHIN_MS)
      throw new Error(`${load.monitors - seen.size} monitors were not checked again.`);
    await sleep(100);
  }
}

function table({ load, checks, latenessMs, bareCpuMs: bare, recoverySeconds, costs }: Outcome) {
  const perSecond = (checks * 1_000) / load.measureMs;
  const all = costs.at(-1);
  const ratio = (all?.cpuMsPerCheck ?? Number.NaN) / bare;
  return [
    `${load.monitors} monitors every ${load.intervalSeconds} s: ${checks} checks in ${load.measureMs / 1_000} s (${perSecond.toFixed(1)} per second)`,
    `${'process'.padEnd(16)}${'CPU ms/check'.padStart(14)}${'written KB/check'.padStart(18)}${'RSS MB'.padStart(9)}`,
    ...costs.map(
      ({ process, cpuMsPerCheck, writtenKbPerCheck, rssMb }) =>
        `${process.padEnd(16)}${cpuMsPerCheck.toFixed(2).padStart(14)}${writtenKbPerCheck.toFixed(1).padStart(18)}${rssMb.toFixed(0).padStart(9)}`,
    ),
    `lateness: p50 ${latenessMs.p50} ms, p99 ${latenessMs.p99} ms`,
    `bare loop: ${bare.toFixed(2)} ms per request; the service takes ${ratio.toFixed(1)} times that`,
    ...(recoverySeconds === null
      ? []
      : [`all checked again ${recoverySeconds.toFixed(1)} s after kill -9 of everything`]),
  ].join('\n');
}

async function measure(service: BenchService, targetUrl: string, hits: Hit[]): Promise<Outcome> {
  const { load, kill } = readArguments();
  progress('creating monitors');
  await createMonitors(service, load, targetUrl);
  progress('warming up');
  await sleep(load.warmUpMs);
  const phases = await readPhases(service, load);
  const before = processTree(service.pid());
  const fromMs = Date.now();
  progress('measuring');
  await sleep(load.measureMs);
  const measured = hits.filter(({ atMs }) => atMs >= fromMs);
  const costs = costsOf(before, processTree(service.pid()), measured.length);
  const recoverySeconds = kill ? await measureRecovery(service, hits, load) : null;
  return {
    load,
    checks: measured.length,
    latenessMs: latenessOf(measured, phases, load),
    bareCpuMs: await bareCpuMs(`${targetUrl}/-1`),
    recoverySeconds,
    costs,
  };
}

async function main(): Promise<void> {
  const { quiet, json, help } = readArguments();
  if (help) return void process.stdout.write(`${USAGE}\n`);
  const { server, hits } = createTarget();
  const targetUrl = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const service = await startBenchService({ KEEPWATCH_QUIET_CHECKS: quiet });
  try {
    const outcome = await measure(service, targetUrl, hits);
    process.stdout.write(`${json ? JSON.stringify(outcome) : table(outcome)}\n`);
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
