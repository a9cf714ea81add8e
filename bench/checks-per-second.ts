// Measures what a check costs: the whole service on a throw-away data folder, monitors that check a
// target on loopback, and the CPU of each process per check. Reads /proc, so Linux only.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MONITORS = 250;
const INTERVAL_SECONDS = 10;
const WARM_UP_MS = 25_000;
const MEASURE_MS = 60_000;
const CLOCK_TICKS_PER_SECOND = 100;
const PORT = 3977;
const URL_OF_API = `http://127.0.0.1:${PORT}`;

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

async function startTarget(): Promise<{ server: Server; url: string; hits: () => number }> {
  let count = 0;
  const server = createServer((_, response) => {
    count += 1;
    response.setHeader('content-type', 'application/json');
    response.end('{"ok":true,"items":[1,2,3]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}`, hits: () => count };
}

function startService(folder: string): ChildProcess {
  return spawn(process.execPath, [join(process.cwd(), 'dist', 'main', 'all-in-one.js')], {
    env: {
      ...process.env,
      PORT: String(PORT),
      KEEPWATCH_DATA_DIR: folder,
      KEEPWATCH_REGIONS: 'eu-west',
      KEEPWATCH_RATE_LIMITS: 'off',
      KEEPWATCH_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function call(path: string, body: object, apiKey?: string): Promise<string> {
  const answer = await fetch(`${URL_OF_API}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

async function whenReady(): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`${URL_OF_API}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(200);
  }
  throw new Error('the service was not ready within two minutes');
}

async function createMonitors(folder: string, targetUrl: string): Promise<void> {
  const setupToken = readFileSync(join(folder, 'setup-token'), 'utf8').trim();
  const owner = { email: 'bench@example.com', password: 'a-long-password-for-benches' };
  const account = await call('/v1/setup', { setupToken, accountName: 'bench', ...owner });
  const apiKey = /kw_[0-9A-Za-z]{38}/.exec(account)?.[0];
  if (apiKey === undefined) throw new Error('the set-up gave no key');
  for (let index = 0; index < MONITORS; index += 1) {
    const assertions = [{ type: 'jsonPath', path: '$.ok', operator: 'equals', value: true }];
    const body = { name: `m${index}`, url: `${targetUrl}/${index}`, interval: INTERVAL_SECONDS };
    await call('/v1/monitors', { ...body, ...(index % 2 === 0 ? {} : { assertions }) }, apiKey);
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
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-bench-'));
  const target = await startTarget();
  const service = startService(folder);
  try {
    await whenReady();
    await createMonitors(folder, target.url);
    await sleep(WARM_UP_MS);
    const before = descendantsOf(service.pid ?? 0);
    const hitsBefore = target.hits();
    await sleep(MEASURE_MS);
    const checks = target.hits() - hitsBefore;
    const rows = compare(before, descendantsOf(service.pid ?? 0), checks);
    const asJson = process.argv.includes('--json');
    process.stdout.write(`${asJson ? JSON.stringify({ checks, rows }) : table(rows, checks)}\n`);
  } finally {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    await ended;
    target.server.close();
    target.server.closeAllConnections();
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
