// Measures how fast public status pages are served while the database is available and while it is frozen, and how
// large their HTML is. There are ten pages of ten items with 90 generated days. Requests go to the page, its JSON Feed
// and a badge in turn. They start at even intervals and do not wait for each other. `npm run bench -- status-pages
// [--rate 200] [--seconds 60] [--json]`
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { seedDemo } from '../src/main/seed-demo';
import { progress } from './support/check-load';
import { readDatabaseUri } from './support/open-database';
import { percentile } from './support/percentile';
import { processTree } from './support/process-facts';
import { runBench } from './support/run-bench';
import { type BenchService, readId } from './support/service';

const PAGES = 10;
const ITEMS = 10;
const ITEMS_MAX = 100;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 12;
/**
 * Slightly longer than the timeout of a call to the frozen database. The time until this timeout is measured
 * separately.
 */
const TURN_SECONDS = 10;
const GOAL_P99_MS = 50;
const GOAL_BYTES = 100_000;
const NAME_MAX = 200;

interface Load {
  readonly rate: number;
  readonly seconds: number;
}

interface Phase extends Load {
  readonly name: string;
  readonly requests: number;
  /** Responses other than 200, by status. 0 means that there was no response. */
  readonly others: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly apiCpuMsPerRequest: number;
  readonly apiCpuPercentOfCore: number;
  /** The load average of the machine over the last minute, at the end of the phase. */
  readonly load: number;
}

interface Size {
  readonly page: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

interface Item {
  readonly id: string;
  readonly name: string;
}

async function createItems(service: BenchService, targetUrl: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let index = 0; index < ITEMS_MAX; index += 1) {
    const name = `Service ${index}`;
    const url = `${targetUrl}/${index}`;
    items.push({ id: await service.createMonitor({ name, url, interval: 3_600 }), name });
  }
  const subjects = items.map(({ id, name }, index) => {
    return {
      kind: 'monitor',
      id,
      name,
      usualMs: 40 + index,
      isJob: false,
      everySeconds: 60,
    } as const;
  });
  await seedDemo(readDatabaseUri(service.folder), subjects);
  return items;
}

async function createPage(service: BenchService, slug: string, given: object): Promise<void> {
  const page = { slug, title: `Status of ${slug}`, isPublic: true, showBadges: true, ...given };
  readId(await service.call('/v1/status-pages', page));
}

/** Returns the paths to request: the HTML, the JSON Feed and a badge of each page in turn. */
async function createPages(
  service: BenchService,
  items: readonly Item[],
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let index = 0; index < PAGES; index += 1) {
    const slug = `bench-${index}`;
    const chosen = items.slice(index * ITEMS, (index + 1) * ITEMS);
    const groups = [{ name: 'Services', items: chosen }];
    await createPage(service, slug, { showResponseTimes: true, groups });
    paths.push(`/status/${slug}`, `/status/${slug}/feed.json`, `/badges/${slug}/overall.svg`);
  }
  return paths;
}

async function send(url: string, paths: readonly string[], { rate, seconds }: Load) {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const sent = { times: [] as number[], others: new Map<number, number>() };
  const sendOne = async (path: string, dueAt: number): Promise<void> => {
    const status = await get(pool, path);
    sent.times.push(performance.now() - dueAt);
    if (status !== 200) sent.others.set(status, (sent.others.get(status) ?? 0) + 1);
  };
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < rate * seconds; index += 1) {
    const dueAt = startedAt + (index * 1_000) / rate;
    const waitMs = dueAt - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    underWay.push(sendOne(paths[index % paths.length] ?? '/', dueAt));
  }
  await Promise.all(underWay);
  await pool.close();
  return sent;
}

/** Sends a request as browsers do; returns 0 if there is no response. */
async function get(pool: Pool, path: string): Promise<number> {
  const headers = { 'accept-encoding': 'gzip' };
  try {
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
    await body.dump({ limit: Number.MAX_SAFE_INTEGER });
    return statusCode;
  } catch {
    return 0;
  }
}

async function passPhase(
  service: BenchService,
  paths: readonly string[],
  { name, ...load }: Load & { readonly name: string },
): Promise<Phase> {
  progress(name);
  const apiCpuMs = () =>
    processTree(service.pid()).find((facts) => facts.name === 'api')?.cpuMs ?? Number.NaN;
  const [startedAt, before] = [performance.now(), apiCpuMs()];
  const { times, others } = await send(service.url, paths, load);
  const [cpuMs, tookMs] = [apiCpuMs() - before, performance.now() - startedAt];
  const round = (figure: number) => Math.round(figure * 100) / 100;
  return {
    name,
    ...load,
    requests: times.length,
    others: Object.fromEntries([...others].map(([status, count]) => [String(status), count])),
    p50Ms: round(percentile(times, 0.5)),
    p95Ms: round(percentile(times, 0.95)),
    p99Ms: round(percentile(times, 0.99)),
    maxMs: round(percentile(times, 1)),
    apiCpuMsPerRequest: round(cpuMs / times.length),
    apiCpuPercentOfCore: round((100 * cpuMs) / tookMs),
    load: round(loadavg()[0] ?? Number.NaN),
  };
}

/** Freezes the database. The first seconds are a separate phase, because requests then still wait for the database. */
async function passFrozen(service: BenchService, paths: readonly string[], load: Load) {
  const frozen = processTree(service.pid()).filter(({ name }) => name === 'database');
  if (frozen.length === 0) throw new Error('the service has no database of its own');
  for (const { pid } of frozen) process.kill(pid, 'SIGSTOP');
  try {
    const name = `database frozen, first ${TURN_SECONDS} s`;
    const turn = await passPhase(service, paths, { ...load, name, seconds: TURN_SECONDS });
    return [
      turn,
      await passPhase(service, paths, { ...load, name: 'database frozen, after that' }),
    ];
  } finally {
    for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
  }
}

/** Measures pages with short names, like most pages, and pages with the longest names and all possible content. */
async function measureSizes(service: BenchService, items: readonly Item[]): Promise<Size[]> {
  const longest = items.map(({ id, name }) => ({ id, name: name.padEnd(NAME_MAX, ' and more') }));
  const pages = [
    { slug: 'hundred', given: { groups: [{ name: 'Services', items }] } },
    {
      slug: 'hundred-times',
      given: { showResponseTimes: true, groups: [{ name: 'Services', items }] },
    },
    {
      slug: 'hundred-all',
      given: {
        showResponseTimes: true,
        showLedger: true,
        groups: [{ name: 'Services', items: longest }],
      },
    },
  ];
  const sizes: Size[] = [];
  for (const { slug, given } of pages) {
    await createPage(service, slug, given);
    const response = await fetch(`${service.url}/status/${slug}`);
    if (response.status !== 200) throw new Error(`${slug}: ${response.status}`);
    const html = Buffer.from(await response.arrayBuffer());
    sizes.push({ page: slug, bytes: html.length, gzipBytes: gzipSync(html).length });
  }
  return sizes;
}

function formatLine(phase: Phase): string {
  const { name, requests, seconds, others, p50Ms, p95Ms, p99Ms, maxMs, load } = phase;
  const { apiCpuMsPerRequest, apiCpuPercentOfCore } = phase;
  const verdict = p99Ms <= GOAL_P99_MS ? 'within' : 'ABOVE';
  return [
    `${name}: ${requests} requests in ${seconds} s, not 200: ${JSON.stringify(others)}`,
    `  p50 ${p50Ms} ms, p95 ${p95Ms} ms, p99 ${p99Ms} ms (${verdict} ${GOAL_P99_MS}), most ${maxMs} ms`,
    `  API: ${apiCpuMsPerRequest} ms of CPU per request, ${apiCpuPercentOfCore} % of a core; load ${load}`,
  ].join('\n');
}

function sizeLine({ page, bytes, gzipBytes }: Size): string {
  const verdict = (size: number) => (size <= GOAL_BYTES ? 'within' : 'ABOVE');
  return `${page}, ${ITEMS_MAX} items: ${bytes} bytes (${verdict(bytes)} ${GOAL_BYTES}), with gzip ${gzipBytes} (${verdict(gzipBytes)})`;
}

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
});

runBench(async (service, targetUrl) => {
  const load = { rate: Number(values.rate), seconds: Number(values.seconds) };
  progress('creating monitors, 90 days and pages');
  const items = await createItems(service, targetUrl);
  const paths = await createPages(service, items);
  const sizes = await measureSizes(service, items);
  await passPhase(service, paths, { ...load, name: 'warming up', seconds: WARM_UP_SECONDS });
  const phases = [
    await passPhase(service, paths, { ...load, name: 'database there' }),
    ...(await passFrozen(service, paths, load)),
  ];
  const text = [...phases.map(formatLine), ...sizes.map(sizeLine)].join('\n');
  process.stdout.write(`${values.json ? JSON.stringify({ phases, sizes }) : text}\n`);
});
