// Measures what one check costs its probe: the CPU of this process per check. The target is a
// separate process on loopback. Run it with `npm run bench -- check`.
import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { dirname, join } from 'node:path';
import type { StepRunner } from '../src/checks/step-runner';
import type { Assertion, Definition, StepDefinition } from '../src/contracts/definition';
import { createStepRunner } from '../src/kinds/run-step';
import { listenOnLoopback } from './support/listen';

const CHECKS = 1_000;
const AT_ONCE = 10;
const GOAL_CPU_MS = 15;
const ROLE = 'target';

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly http2: number;
}

interface Scene {
  readonly name: string;
  readonly change: (ports: Ports) => Partial<StepDefinition>;
}

const REPOSITORY = findRepository(__dirname);

function findRepository(folder: string): string {
  if (existsSync(join(folder, 'package-lock.json'))) return folder;
  return findRepository(dirname(folder));
}

function readCertificate(name: string): string {
  return readFileSync(join(REPOSITORY, 'test', 'support', 'tls', `${name}.pem`), 'utf8');
}

const small = JSON.stringify({ ok: true, items: [{ id: 1 }, { id: 2 }], name: 'x'.repeat(200) });
const large = JSON.stringify({
  items: Array.from({ length: 4_000 }, (_, id) => ({ id, n: 'name' })),
});

async function serve(): Promise<void> {
  const answer: RequestListener = ({ url }, response) => {
    if (url === '/redirect') response.writeHead(302, { location: '/' }).end();
    else response.end(url === '/large' ? large : small);
  };
  const pem = readCertificate('good');
  const http = await listenOnLoopback(createServer(answer));
  const https = await listenOnLoopback(createTlsServer({ key: pem, cert: pem }, answer));
  const server = createSecureServer({ key: pem, cert: pem }, (_, response) => response.end(small));
  const http2 = await listenOnLoopback(server);
  process.send?.({ http, https, http2 });
}

function assertPath(path: string): Assertion {
  return { type: 'jsonPath', path, match: 'first', operator: 'exists', severity: 'fail' };
}

const fast: Assertion = {
  type: 'responseTime',
  operator: 'lessThan',
  value: 5_000,
  severity: 'fail',
};

const SCENES: readonly Scene[] = [
  { name: 'GET, status expected', change: ({ http }) => ({ url: `http://127.0.0.1:${http}/` }) },
  { name: 'GET by name (localhost)', change: ({ http }) => ({ url: `http://localhost:${http}/` }) },
  {
    name: 'GET, time and one JSON path',
    change: ({ http }) => ({
      url: `http://127.0.0.1:${http}/`,
      assertions: [fast, assertPath('$.items[-1].id')],
    }),
  },
  {
    name: 'POST, templates, extraction',
    change: ({ http }) => ({
      method: 'POST',
      url: `http://127.0.0.1:${http}/{{a}}`,
      headers: [{ name: 'x-a', value: '{{a}}' }],
      body: { a: '{{a}}', list: [1, 'x {{a}}'] },
      extract: [{ variable: 'id', from: 'jsonPath', path: '$.items[0].id' }],
    }),
  },
  {
    name: 'GET, pattern on the body',
    change: ({ http }) => ({
      url: `http://127.0.0.1:${http}/`,
      assertions: [{ type: 'body', operator: 'matches', value: '"ok": ?true', severity: 'fail' }],
    }),
  },
  {
    name: 'GET, one redirect',
    change: ({ http }) => ({ url: `http://127.0.0.1:${http}/redirect` }),
  },
  {
    name: `GET, JSON path in ${Math.round(large.length / 1024)} KiB`,
    change: ({ http }) => ({
      url: `http://127.0.0.1:${http}/large`,
      assertions: [assertPath('$.items[100].id')],
    }),
  },
  { name: 'GET over TLS', change: ({ https }) => ({ url: `https://localhost:${https}/` }) },
  { name: 'GET by HTTP/2', change: ({ http2 }) => ({ url: `https://localhost:${http2}/` }) },
];

function define(changes: Partial<StepDefinition>): Definition {
  const step: StepDefinition = {
    name: 'step',
    method: 'GET',
    url: '',
    headers: [],
    body: null,
    assertions: [],
    extract: [],
    timeoutMs: 10_000,
    retries: 0,
    followRedirects: true,
    maxRedirects: 10,
    sendTraceparent: false,
    degradedAboveMs: null,
    tlsWarnDays: [],
    cookies: 'keep',
    always: false,
    ...changes,
  };
  const variables = [{ name: 'a', value: 'value' }];
  return { kind: 'monitor', id: 'mon_bench', revision: 1, variables, steps: [step] };
}

async function repeat(runner: StepRunner, definition: Definition, times: number) {
  const waits: number[] = [];
  for (let count = 0; count < times; count += AT_ONCE) {
    const outcomes = await Promise.all(
      Array.from({ length: AT_ONCE }, () => runner.runStep(definition, 0, { slotMs: 0 })),
    );
    const failed = outcomes.find(({ status }) => status !== 'up');
    if (failed !== undefined) throw new Error(JSON.stringify(failed.failure));
    waits.push(...outcomes.map(({ responseTimeMs }) => responseTimeMs ?? 0));
  }
  return waits.sort((left, right) => left - right);
}

async function measure(runner: StepRunner, scene: Scene, ports: Ports): Promise<string> {
  const definition = define(scene.change(ports));
  await repeat(runner, definition, 100);
  const cpu = process.cpuUsage();
  const waits = await repeat(runner, definition, CHECKS);
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = (user + system) / 1_000 / CHECKS;
  const verdict = cpuMs <= GOAL_CPU_MS ? 'ok' : 'OVER';
  const median = waits[Math.floor(waits.length / 2)] ?? 0;
  return [
    scene.name.padEnd(32),
    `${cpuMs.toFixed(2)} ms`.padStart(9),
    `${median.toFixed(1)} ms`.padStart(10),
    verdict.padStart(6),
  ].join(' ');
}

async function main(): Promise<void> {
  const target = fork(__filename, [ROLE]);
  const ports = await new Promise<Ports>((resolve) => {
    target.once('message', (message: Ports) => resolve(message));
  });
  const runner = createStepRunner({
    userAgent: 'Keepwatch/bench',
    region: 'bench',
    allowedPrivateTargets: ['127.0.0.0/8'],
    extraAuthorities: [readCertificate('ca')],
    programPath: '',
  });
  console.log(`${CHECKS} checks each, ${AT_ONCE} at once; goal ${GOAL_CPU_MS} ms CPU per check`);
  console.log(`${'check'.padEnd(32)} ${'CPU'.padStart(9)} ${'median'.padStart(10)}   goal`);
  for (const scene of SCENES) console.log(await measure(runner, scene, ports));
  await runner.close();
  target.kill();
}

if (process.argv[2] === ROLE) void serve();
else void main();
