// Measures what a check costs: the whole service on a throw-away data folder, monitors that check a
// target on loopback, and the CPU of each process per check. Reads /proc, so Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from './support/listen';
import { type BenchService, startBenchService } from './support/service';

const MONITORS = 250;
const INTERVAL_SECONDS = 10;
/** Quiet checks begin with the fourth slot. */
const WARM_UP_MS = 50_000;
const MEASURE_MS = 60_000;
const CLOCK_TICKS_PER_SECOND = 100;
const PORT = 3977;

interface Row {
  readonly process: string;
  readonly cpuMsPerCheck: number;
  readonly rssMb: number;
}

interface ProcessFacts {
  readonly pid: number;
  readonly name: string;
  readonly cpuMs: number;
  readonly rssMb: number;
}

/** Names of our processes by a part of their command line. */
const NAMES = [
  ['temporal', /temporal.* server start-dev/],
  ['database', /embedded\/database\/main\.js|mongod /],
  ['api', /main\/api\.js/],
  ['orchestrator', /main\/orchestrator\.js/],
  ['probe', /main\/probe\.js/],
] as const;

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Descendants of the process, itself left out. */
function descendantsOf(pid: number): ProcessFacts[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readText(`/proc/${entry}/stat`);
    parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isDescendant = (child: number): boolean => {
    const parent = parents.get(child);
    return parent !== undefined && (parent === pid || (parent > 1 && isDescendant(parent)));
  };
  return [...parents.keys()].filter(isDescendant).flatMap((child) => factsOf(child));
}

function factsOf(pid: number): ProcessFacts[] {
  const command = readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  const name = NAMES.find(([, pattern]) => pattern.test(command))?.[0];
  // Our wrapper around a foreign program carries that program's command line too.
  if (name === undefined || /run-foreign/.test(command)) return [];
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const rssKb = Number(/VmRSS:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1] ?? 0);
  return [{ pid, name, cpuMs: (ticks * 1_000) / CLOCK_TICKS_PER_SECOND, rssMb: rssKb / 1_024 }];
}

function createTarget(): { server: Server; hits: () => number } {
  let count = 0;
  const server = createServer((_, response) => {
    count += 1;
    response.setHeader('content-type', 'application/json');
    response.end('{"ok":true,"items":[1,2,3]}');
  });
  return { server, hits: () => count };
}

async function createMonitors(service: BenchService, targetUrl: string): Promise<void> {
  for (let index = 0; index < MONITORS; index += 1) {
    const assertions = [{ type: 'jsonPath', path: '$.ok', operator: 'equals', value: true }];
    const body = { name: `m${index}`, url: `${targetUrl}/${index}`, interval: INTERVAL_SECONDS };
    await service.createMonitor({ ...body, ...(index % 2 === 0 ? {} : { assertions }) });
  }
}

function compare(before: readonly ProcessFacts[], after: readonly ProcessFacts[], checks: number) {
  const rows: Row[] = after.flatMap(({ pid, name, cpuMs, rssMb }) => {
    const former = before.find((facts) => facts.pid === pid);
    const spentMs = cpuMs - (former?.cpuMs ?? 0);
    return [{ process: name, cpuMsPerCheck: spentMs / checks, rssMb }];
  });
  const total = rows.reduce((sum, { cpuMsPerCheck }) => sum + cpuMsPerCheck, 0);
  const rssMb = rows.reduce((sum, row) => sum + row.rssMb, 0);
  return [...rows, { process: 'all', cpuMsPerCheck: total, rssMb }];
}

function table(rows: readonly Row[], checks: number): string {
  const perSecond = (checks * 1_000) / MEASURE_MS;
  return [
    `${checks} checks in ${MEASURE_MS / 1_000} s (${perSecond.toFixed(1)} per second)`,
    `${'process'.padEnd(16)}${'CPU ms per check'.padStart(18)}${'RSS MB'.padStart(10)}`,
    ...rows.map(
      ({ process, cpuMsPerCheck, rssMb }) =>
        `${process.padEnd(16)}${cpuMsPerCheck.toFixed(2).padStart(18)}${rssMb.toFixed(0).padStart(10)}`,
    ),
  ].join('\n');
}

async function main(): Promise<void> {
  const target = createTarget();
  const targetUrl = `http://127.0.0.1:${await listenOnLoopback(target.server)}`;
  const service = await startBenchService(PORT);
  try {
    await createMonitors(service, targetUrl);
    await sleep(WARM_UP_MS);
    const before = descendantsOf(service.pid);
    const hitsBefore = target.hits();
    await sleep(MEASURE_MS);
    const checks = target.hits() - hitsBefore;
    const rows = compare(before, descendantsOf(service.pid), checks);
    const asJson = process.argv.includes('--json');
    process.stdout.write(`${asJson ? JSON.stringify({ checks, rows }) : table(rows, checks)}\n`);
  } finally {
    await service.stop();
    target.server.close();
    target.server.closeAllConnections();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
