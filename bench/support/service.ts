// Starts the whole service on a throw-away data folder for benchmarks, sets it up with one account, and calls /v1 with
// a key or as the owner. Measures nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './listen';
import { processTree } from './process-facts';

const READY_TRIES = 600;
const PAUSE_MS = 200;

export interface BenchService {
  readonly url: string;
  readonly folder: string;
  /** Process id of the current supervisor. */
  readonly pid: () => number;
  /** The cookie of the owner's session, as a browser sends it. */
  readonly cookie: string;
  /** Sends a POST if there is a body, and otherwise a GET. Throws for a status above 299. */
  readonly call: (path: string, body?: object) => Promise<string>;
  readonly createMonitor: (definition: object) => Promise<string>;
  /**
   * Sends SIGKILL to all processes at once, and starts the service again on the same data. Does not wait until the
   * service is ready.
   */
  readonly killAndRestart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts the service on a free port of loopback, so that benchmarks never use the same port. */
export async function startBenchService(
  env: Readonly<Record<string, string>> = {},
): Promise<BenchService> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-bench-'));
  const start = (): ChildProcess =>
    spawn(process.execPath, [join(process.cwd(), 'dist', 'main', 'all-in-one.js')], {
      env: {
        ...process.env,
        PORT: String(port),
        KEEPWATCH_DATA_DIR: folder,
        KEEPWATCH_PUBLIC_URL: url,
        KEEPWATCH_REGIONS: 'eu-west',
        KEEPWATCH_RATE_LIMITS: 'off',
        KEEPWATCH_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  let service = start();
  const killAndRestart = async (): Promise<void> => {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    for (const { pid } of processTree(service.pid ?? 0)) process.kill(pid, 'SIGKILL');
    await ended;
    service = start();
  };
  const stop = async (): Promise<void> => {
    // The service may have ended already.
    if (service.exitCode === null) {
      const ended = new Promise((resolve) => service.once('exit', resolve));
      service.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await whenReady(url);
    const { cookie, apiKey } = await setUp(url, folder);
    const call = async (path: string, body?: object): Promise<string> => {
      const answer = await ask(`${url}${path}`, { authorization: `Bearer ${apiKey}` }, body);
      return answer.text();
    };
    const createMonitor = async (definition: object): Promise<string> =>
      readId(await call('/v1/monitors', definition));
    const pid = (): number => service.pid ?? 0;
    return { url, folder, pid, cookie, call, createMonitor, killAndRestart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the id at the beginning of a response. */
export function readId(answer: string): string {
  const id = /"id":"([^"]+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error(`no id in ${answer.slice(0, 100)}`);
  return id;
}

async function whenReady(url: string): Promise<void> {
  for (let tries = 0; tries < READY_TRIES; tries += 1) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(PAUSE_MS);
  }
  throw new Error('the service was not ready within two minutes');
}

async function setUp(url: string, folder: string) {
  const setupToken = readFileSync(join(folder, 'setup-token'), 'utf8').trim();
  const owner = { email: 'bench@example.com', password: 'a-long-password-for-benches' };
  const answer = await ask(
    `${url}/v1/setup`,
    { origin: url, 'sec-fetch-site': 'same-origin' },
    { setupToken, accountName: 'bench', ...owner },
  );
  const apiKey = /kw_[0-9A-Za-z]{38}/.exec(await answer.text())?.[0];
  if (apiKey === undefined) throw new Error('the set-up returned no API key');
  return { apiKey, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

async function ask(url: string, headers: Record<string, string>, body?: object): Promise<Response> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
