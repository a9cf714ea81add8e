// Sends each route of /v1 the largest body that it accepts, and requests /healthz on another
// connection at the same time. Reports how long the longest responses took, the most expensive
// route first. `npm run bench -- largest-bodies [--only apply] [--json]`
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { BODY_BYTES_MAX } from '../src/api/routing/read-body';
import type { Route } from '../src/api/routing/route';
import { ROUTES } from '../src/api/v1/route-table';
import { progress } from './support/check-load';
import { assertions, buildBody, largestBody } from './support/largest-body';
import { type BenchService, readId, startBenchService } from './support/service';

const ASK_EVERY_MS = 20;
const BOUND_MS = 250;
const IDLE_MS = 5_000;
const QUIET_MS = 25;
const QUIET_IN_A_ROW = 10;
/** How many times a body is built again without the refused fields. */
const TRIES_MAX = 12;
const OBJECTS_MAX = 2_000;
/**
 * Number of different groups of patterns that the monitors share. Each group is as large as one monitor may have. All
 * groups together stay within the limit of one apply.
 */
const PATTERN_SETS = 9;
const SHOWN_NAME = 44;

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

interface Measured {
  readonly route: string;
  readonly bytes: number;
  readonly status: number;
  readonly ms: number;
  readonly healthMs: number;
}

const working = new Agent({ keepAlive: true, maxSockets: 1 });
const asking = new Agent({ keepAlive: true, maxSockets: 1 });

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function ask(agent: Agent, { method, url, headers = {}, body }: Sent): Promise<Answer> {
  const startedAt = performance.now();
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sent = request(url, { agent, method, headers: { ...headers, ...length } });
  const answered = once(sent, 'response');
  sent.end(body);
  const [response] = await answered;
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, ms: performance.now() - startedAt, text };
}

/** Requests /healthz until the work is done. `healthMs` is the longest response time in milliseconds. */
async function healthDuring<Outcome>(service: BenchService, work: Promise<Outcome>) {
  let isOver = false;
  const times: number[] = [];
  const watching = (async () => {
    while (!isOver) {
      const { ms } = await ask(asking, { method: 'GET', url: `${service.url}/healthz` });
      times.push(ms);
      await sleep(ASK_EVERY_MS);
    }
  })();
  try {
    const outcome = await work;
    return { outcome, healthMs: () => Math.max(...times) };
  } finally {
    isOver = true;
    await watching;
  }
}

/** Waits until the effects of the previous request have ended. */
async function whenQuiet({ url }: BenchService): Promise<void> {
  for (let quiet = 0, tries = 0; quiet < QUIET_IN_A_ROW && tries < 1_000; tries += 1) {
    const { ms } = await ask(asking, { method: 'GET', url: `${url}/healthz` });
    quiet = ms < QUIET_MS ? quiet + 1 : 0;
    await sleep(ASK_EVERY_MS);
  }
}

/** Creates one object for each path parameter; returns their ids by the name of the parameter. */
async function createParameters({ call, createMonitor }: BenchService) {
  const create = async (path: string, body: object) => readId(await call(path, body));
  const target = { url: 'https://shop.example/', interval: 86_400, enabled: false };
  // The key of a policy never changes, so it must equal the key in the documented example.
  const policy = {
    key: 'on-call',
    name: 'bench',
    steps: [{ afterMinutes: 0, notify: ['bench@example.com'] }],
  };
  const window = {
    name: 'bench',
    mode: 'mute',
    startsAt: '2036-01-01T00:00:00.000Z',
    durationMinutes: 9,
  };
  return new Map([
    ['monitorId', await createMonitor({ name: 'bench', ...target })],
    [
      'scenarioId',
      await create('/v1/scenarios', {
        name: 'bench',
        enabled: false,
        steps: [{ name: 'one', url: target.url }],
      }),
    ],
    ['pageId', await create('/v1/status-pages', { title: 'bench', slug: 'bench' })],
    ['viewId', await create('/v1/saved-views', { name: 'bench' })],
    [
      'channelId',
      await create('/v1/alert-channels', {
        name: 'bench',
        type: 'webhook',
        url: 'https://hook.example/',
      }),
    ],
    ['policyId', await create('/v1/alert-policies', policy)],
    ['windowId', await create('/v1/maintenance-windows', { ...window, target: { all: true } })],
    ['secretName', 'bench'],
  ]);
}

/** Options for building one body. Smaller bodies are sent first, to find out which fields are refused. */
interface Build {
  readonly salt: number;
  readonly isLargest: boolean;
}

interface Case {
  /** True if the body does not depend on refused fields. */
  readonly isFixed: boolean;
  readonly name: string;
  readonly sent: Omit<Sent, 'body'>;
  readonly bodyWithout: (leftOut: ReadonlySet<string>, build: Build) => unknown;
}

function buildCase(
  service: BenchService,
  route: Route,
  parameters: ReadonlyMap<string, string>,
): Case {
  const { method, path, doc, bodyRule, shapes } = route;
  const filled = path.replaceAll(/:(\w+)/g, (_, name) => parameters.get(name) ?? `none_${name}`);
  const [type = ''] = bodyRule?.mediaTypes ?? [];
  const headers = {
    cookie: service.cookie,
    origin: service.url,
    'sec-fetch-site': 'same-origin',
    'content-type': type,
  };
  const shape: z.ZodType | null =
    method === 'PATCH' ? (doc.documentedBody ?? shapes.body) : shapes.body;
  const bytesMax = bodyRule?.bytesMax ?? BODY_BYTES_MAX;
  return {
    isFixed: false,
    name: `${method} ${path}`,
    sent: { method, url: `${service.url}${filled}`, headers },
    bodyWithout: (leftOut, { salt, isLargest }) => {
      const build = isLargest ? largestBody : buildBody;
      const example = doc.example ?? {};
      const body = shape === null ? {} : build(shape, example, { bytesMax, leftOut, salt });
      return pausedIn(body);
    },
  };
}

/** Creates only paused objects, so that the next request is measured on an idle service. */
function pausedIn(body: unknown): unknown {
  const isPausable = typeof body === 'object' && body !== null && 'enabled' in body;
  return isPausable ? { ...body, enabled: false } : body;
}

/** Returns a set for apply with the largest number of monitors. The bytes that are left are filled with assertions. */
function buildSet(bytesMax: number, given: object): object {
  const share = bytesMax / OBJECTS_MAX - 180;
  return {
    ...given,
    monitors: Array.from({ length: OBJECTS_MAX }, (_, index) => ({
      key: `m${index}`,
      name: `Monitor ${index}`,
      url: `https://shop.example/${index}`,
      interval: 86_400,
      enabled: false,
      assertions: assertions(share, { patterns: 5, first: (index % PATTERN_SETS) * 10 }),
    })),
  };
}

function listCases(
  service: BenchService,
  parameters: ReadonlyMap<string, string>,
): readonly Case[] {
  const reading = ROUTES.filter(({ bodyRule }) => bodyRule !== null);
  return reading.flatMap((route) => {
    const one = buildCase(service, route, parameters);
    if (route.path !== '/v1/apply') return [one];
    const set = (word: string, given: object): Case => ({
      ...one,
      isFixed: true,
      name: `${one.name} (${word})`,
      bodyWithout: () => buildSet(route.bodyRule?.bytesMax ?? BODY_BYTES_MAX, given),
    });
    return [set('dry run', { dryRun: true }), set('create', {}), set('unchanged', {})];
  });
}

let salt = 0;

/** Measures the largest body that is accepted. If the service refuses every body, measures the last one. */
async function measure(service: BenchService, one: Case): Promise<Measured> {
  const leftOut = new Set<string>();
  const send = async (build: Build): Promise<Measured & { readonly text: string }> => {
    const body = JSON.stringify(one.bodyWithout(leftOut, build));
    await whenQuiet(service);
    const { outcome, healthMs } = await healthDuring(service, ask(working, { ...one.sent, body }));
    const { status, text } = outcome;
    const times = { ms: Math.round(outcome.ms), healthMs: Math.round(healthMs()) };
    return { route: one.name, bytes: Buffer.byteLength(body), status, ...times, text };
  };
  let isLargest = one.isFixed;
  for (let tries = 1; ; tries += 1) {
    salt += 1;
    const { text, ...measured } = await send({ salt, isLargest });
    const { size } = leftOut;
    for (const path of measured.status === 400 ? refusedPaths(text) : []) leftOut.add(path);
    if (leftOut.size > size && tries < TRIES_MAX) continue;
    if (isLargest) {
      if (measured.status >= 400) progress(`${one.name}: ${text.slice(0, 300)}`);
      return measured;
    }
    isLargest = true;
  }
}

/**
 * Returns the paths of the refused fields without positions in lists. A field that is forbidden in one step is
 * therefore left out of every step.
 */
function refusedPaths(text: string): readonly string[] {
  const { errors = [] }: { readonly errors?: readonly { readonly path: string }[] } =
    JSON.parse(text);
  return errors.map(({ path }) => path.replaceAll(/\[\d+\]/g, '')).filter((path) => path !== '');
}

function formatTable(measured: readonly Measured[]): string {
  const rows = measured.map(({ route, bytes, status, ms, healthMs }) => [
    route.slice(0, SHOWN_NAME),
    ...[bytes, status, ms, healthMs].map(String),
  ]);
  return [['route', 'bytes', 'status', 'ms', 'healthz'], ...rows]
    .map(([name = '', bytes = '', status = '', ms = '', health = '']) =>
      [
        name.padEnd(SHOWN_NAME),
        bytes.padStart(9),
        status.padStart(7),
        ms.padStart(8),
        health.padStart(9),
      ].join(''),
    )
    .join('\n');
}

/** Measures the response times of /healthz without other requests, for comparison. */
async function measureIdle(service: BenchService): Promise<Measured> {
  await whenQuiet(service);
  const { healthMs } = await healthDuring(service, sleep(IDLE_MS));
  const times = { ms: IDLE_MS, healthMs: Math.round(healthMs()) };
  return { route: '(nothing)', bytes: 0, status: 0, ...times };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, json: { type: 'boolean', default: false } },
  });
  const service = await startBenchService();
  try {
    const cases = listCases(service, await createParameters(service));
    const measured: Measured[] = [await measureIdle(service)];
    for (const one of cases.filter(({ name }) => name.includes(values.only)))
      measured.push(await measure(service, one));
    const dearest = measured.toSorted((a, b) => b.healthMs - a.healthMs || b.ms - a.ms);
    process.stdout.write(`${values.json ? JSON.stringify(dearest) : formatTable(dearest)}\n`);
    if (dearest.some(({ healthMs }) => healthMs > BOUND_MS)) process.exitCode = 1;
  } finally {
    await service.stop();
    for (const agent of [working, asking]) agent.destroy();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
