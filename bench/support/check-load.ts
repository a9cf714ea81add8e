/**
 * Measures one load on a running service whose monitors check a target on loopback. Reports CPU, bytes written and
 * memory per check, and how late checks are. Then kills all processes and reports how long it takes until all monitors
 * are checked again. The caller starts and stops the service.
 */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { percentile } from './percentile';
import { type ProcessFacts, processTree } from './process-facts';
import type { BenchService } from './service';

const PAGE = 200;
const APPLIED_AT_ONCE = 500;
const APPLY_TRIES = 10;
const BARE_REQUESTS = 2_000;
const RECOVERY_WITHIN_MS = 180_000;
const REPORT_EVERY_MS = 30_000;

const execFileOnce = promisify(execFile);

export interface Load {
  readonly monitors: number;
  readonly intervalSeconds: number;
  readonly measureMs: number;
  readonly warmUpMs: number;
}

export interface Cost {
  readonly process: string;
  readonly cpuMsPerCheck: number;
  readonly writtenKbPerCheck: number;
  readonly rssMb: number;
  /**
   * Memory of the process in MB. A page that several processes share is divided among them, so that a sum counts it
   * once.
   */
  readonly pssMb: number;
}

export interface Outcome {
  readonly load: Load;
  readonly checks: number;
  readonly latenessMs: { readonly p50: number; readonly p99: number };
  readonly bareCpuMs: number;
  /** null if nothing was killed, or if some monitors were not checked again within three minutes. */
  readonly recoverySeconds: number | null;
  /** The costs of each process. The last entry, `all`, is their sum. */
  readonly costs: readonly Cost[];
}

interface Hit {
  readonly monitor: number;
  readonly atMs: number;
}

/** A target, and the requests that it has received. */
export interface Target {
  readonly url: string;
  readonly hits: Hit[];
}

let lastProgress = '';

export function progress(sentence: string): void {
  if (sentence !== lastProgress) process.stderr.write(`${sentence}\n`);
  lastProgress = sentence;
}

/**
 * Creates the server that receives the checks. The path of a request is the index of its monitor: monitor 7 requests
 * /7.
 */
export function createTarget() {
  const hits: Hit[] = [];
  const server = createServer((request, response) => {
    hits.push({ monitor: Number(request.url?.slice(1)), atMs: Date.now() });
    response.setHeader('content-type', 'application/json');
    response.end('{"ok":true,"items":[1,2,3]}');
  });
  return { server, hits };
}

function buildMonitor(index: number, { intervalSeconds }: Load, targetUrl: string): object {
  const assertions = [{ type: 'jsonPath', path: '$.ok', operator: 'equals', value: true }];
  const name = `m${index}`;
  const body = { name, key: name, url: `${targetUrl}/${index}`, interval: intervalSeconds };
  return index % 2 === 0 ? body : { ...body, assertions };
}

/**
 * Creates the monitors in batches. Applies a batch again until the service has accepted all of it, because a busy
 * machine may refuse a part.
 */
async function createMonitors(service: BenchService, load: Load, targetUrl: string) {
  const beganAt = performance.now();
  for (let from = 0; from < load.monitors; from += APPLIED_AT_ONCE) {
    const count = Math.min(APPLIED_AT_ONCE, load.monitors - from);
    const monitors = Array.from({ length: count }, (_, nth) =>
      buildMonitor(from + nth, load, targetUrl),
    );
    await applyWithRetries(service, monitors);
    const seconds = (performance.now() - beganAt) / 1_000;
    progress(`${from + count} of ${load.monitors} created after ${seconds.toFixed(0)} s`);
  }
}

async function applyWithRetries(service: BenchService, monitors: readonly object[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const problem = await service.call('/v1/apply', { monitors }).then(
      (answer) => {
        const { summary }: { readonly summary: { readonly failed: number } } = JSON.parse(answer);
        return summary.failed === 0 ? null : new Error(`${summary.failed} monitors failed`);
      },
      (error: unknown) => error,
    );
    if (problem === null) return;
    if (tries === APPLY_TRIES) throw problem;
    await sleep(500);
  }
}

/** The offset of each monitor's slots within its interval. */
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

function computeLateness(hits: readonly Hit[], phases: ReadonlyMap<number, number>, load: Load) {
  const intervalMs = load.intervalSeconds * 1_000;
  const late = hits.map(
    ({ monitor, atMs }) =>
      (((atMs - (phases.get(monitor) ?? 0)) % intervalMs) + intervalMs) % intervalMs,
  );
  return { p50: percentile(late, 0.5), p99: percentile(late, 0.99) };
}

/**
 * Returns what each process used between two readings, divided by `count`. `count` is the number of checks, runs or
 * pings.
 */
export function computeCosts(
  before: readonly ProcessFacts[],
  after: readonly ProcessFacts[],
  count: number,
): readonly Cost[] {
  const costs = after.map(({ pid, name, cpuMs, rssMb, pssMb, writtenKb }): Cost => {
    const former = before.find((facts) => facts.pid === pid);
    return {
      process: name,
      cpuMsPerCheck: (cpuMs - (former?.cpuMs ?? 0)) / count,
      writtenKbPerCheck: (writtenKb - (former?.writtenKb ?? 0)) / count,
      rssMb,
      pssMb,
    };
  });
  const none = { cpuMsPerCheck: 0, writtenKbPerCheck: 0, rssMb: 0, pssMb: 0 };
  return [...costs, costs.reduce(addCosts, { process: 'all', ...none })];
}

/** Adds up the costs of processes with the same name, such as several probes. */
export function sumByProcess(costs: readonly Cost[]): readonly Cost[] {
  const sums = new Map<string, Cost>();
  for (const cost of costs) {
    const sum = sums.get(cost.process);
    sums.set(cost.process, sum === undefined ? cost : addCosts(sum, cost));
  }
  return [...sums.values()];
}

function addCosts(one: Cost, other: Cost): Cost {
  return {
    process: one.process,
    cpuMsPerCheck: one.cpuMsPerCheck + other.cpuMsPerCheck,
    writtenKbPerCheck: one.writtenKbPerCheck + other.writtenKbPerCheck,
    rssMb: one.rssMb + other.rssMb,
    pssMb: one.pssMb + other.pssMb,
  };
}

async function bareCpuMs(url: string): Promise<number> {
  const program = join(__dirname, 'bare-loop.js');
  const { stdout } = await execFileOnce(process.execPath, [program, url, String(BARE_REQUESTS)]);
  return Number(stdout);
}

/** Kills all processes, starts the service again, and waits until each monitor has been checked. */
async function measureRecovery(service: BenchService, hits: readonly Hit[], load: Load) {
  const killedAtMs = Date.now();
  await service.killAndRestart();
  for (;;) {
    const seen = new Set(
      hits.filter(({ atMs }) => atMs > killedAtMs).map(({ monitor }) => monitor),
    );
    const seconds = (Date.now() - killedAtMs) / 1_000;
    if (seen.size === load.monitors) return seconds;
    progress(`${seen.size} of ${load.monitors} checked again`);
    if (seconds * 1_000 > RECOVERY_WITHIN_MS) return null;
    await sleep(100);
  }
}

/** Prints the number of checks a second every half minute, until the work has ended. */
async function reportProgress<T>(
  hits: readonly Hit[],
  doing: string,
  work: Promise<T>,
): Promise<T> {
  let reported = hits.length;
  const report = (): void => {
    progress(
      `${doing}: ${((hits.length - reported) / (REPORT_EVERY_MS / 1_000)).toFixed(1)} checks a second`,
    );
    reported = hits.length;
  };
  const timer = setInterval(report, REPORT_EVERY_MS);
  return work.finally(() => clearInterval(timer));
}

/** Creates the monitors of the load and measures them. */
export async function measureLoad(
  service: BenchService,
  { url, hits }: Target,
  { load, kill }: { readonly load: Load; readonly kill: boolean },
): Promise<Outcome> {
  progress(`creating ${load.monitors} monitors`);
  await reportProgress(hits, 'creating', createMonitors(service, load, url));
  // The phases are read before the warm-up. Reading them lists all monitors, and this cost must not count as a cost of
  // checks.
  const phases = await readPhases(service, load);
  progress('warming up');
  await reportProgress(hits, 'warming up', sleep(load.warmUpMs));
  const before = processTree(service.pid());
  const fromMs = Date.now();
  progress('measuring');
  await reportProgress(hits, 'measuring', sleep(load.measureMs));
  const measured = hits.filter(({ atMs }) => atMs >= fromMs);
  const costs = computeCosts(before, processTree(service.pid()), measured.length);
  const recoverySeconds = kill ? await measureRecovery(service, hits, load) : null;
  return {
    load,
    checks: measured.length,
    latenessMs: computeLateness(measured, phases, load),
    bareCpuMs: await bareCpuMs(`${url}/-1`),
    recoverySeconds,
    costs,
  };
}

/** Returns the CPU of the service divided by the CPU of the bare loop. */
export function computeRatio({ costs, bareCpuMs: bare }: Outcome): number {
  return (costs.at(-1)?.cpuMsPerCheck ?? Number.NaN) / bare;
}

/** Widths of the table columns after the name, in characters. */
const WIDTHS = [14, 18, 9, 9];

/** Formats the costs as table rows of at most 80 columns. */
export function costTable(costs: readonly Cost[], unit: string): readonly string[] {
  const head = ['process', `CPU ms/${unit}`, `written KB/${unit}`, 'RSS MB', 'PSS MB'];
  const cells = costs.map((cost) => [
    cost.process,
    cost.cpuMsPerCheck.toFixed(2),
    cost.writtenKbPerCheck.toFixed(1),
    cost.rssMb.toFixed(0),
    cost.pssMb.toFixed(0),
  ]);
  return [head, ...cells].map(([name = '', ...figures]) =>
    [name.padEnd(14), ...figures.map((figure, at) => figure.padStart(WIDTHS[at] ?? 0))].join(''),
  );
}

export function loadTable(outcome: Outcome): string {
  const { load, checks, latenessMs, bareCpuMs: bare, recoverySeconds, costs } = outcome;
  const seconds = load.measureMs / 1_000;
  return [
    `${load.monitors} monitors every ${load.intervalSeconds} s: ${checks} checks in ${seconds} s (${(checks / seconds).toFixed(1)} per second)`,
    ...costTable(costs, 'check'),
    `lateness: p50 ${latenessMs.p50} ms, p99 ${latenessMs.p99} ms`,
    `bare loop: ${bare.toFixed(2)} ms per request; the service takes ${computeRatio(outcome).toFixed(1)} times that`,
    ...(recoverySeconds === null
      ? []
      : [`all checked again ${recoverySeconds.toFixed(1)} s after kill -9 of everything`]),
  ].join('\n');
}
