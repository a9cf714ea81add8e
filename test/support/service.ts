/**
 * Starts a whole service for end-to-end tests: API, orchestrator and probes as real processes on the servers of this
 * run. The service has its own database and Temporal namespace.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { choosePort } from '../../src/embedded/free-port';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { deriveLocalProbeKey } from '../../src/platform/local-probe-key';
import { noteStart } from './note-start';
import { waitUntil } from './wait-until';

export interface ServiceOptions {
  /** The regions of the probes. The default is eu-west and us-east. */
  readonly regions?: readonly string[];
  /** The name of an existing database. By default, the service gets a new one. */
  readonly database?: string;
  /** Additional settings for every process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Additional settings for single processes, by the name of the process. */
  readonly environmentOf?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** A prefix of the command that starts a process, by the name of the process. */
  readonly commandOf?: Readonly<Record<string, readonly string[]>>;
  /** The host on which all clients reach the API. The default is loopback. */
  readonly apiHost?: string;
}

export interface TestService {
  readonly url: string;
  /** The name of the Temporal namespace. It is also the name of the database if no other name was given. */
  readonly suite: string;
  readonly mongodbUri: string;
  readonly temporalAddress: string;
  /** Running processes by name: `api`, `orchestrator`, `probe-<region>`. */
  readonly processes: ReadonlyMap<string, ChildProcess>;
  /** Creates the first account. Can be called only once. */
  readonly setup: () => Promise<{ readonly apiKey: string }>;
  /** Sends SIGKILL (or the given signal) to a process and waits for its exit. */
  readonly kill: (name: string, signal?: NodeJS.Signals) => Promise<void>;
  /** Restarts a killed process. The API gets its former port. */
  readonly start: (name: string) => Promise<void>;
  /** Starts another orchestrator under this name. Uses the folder of another build if one is given. */
  readonly startOrchestrator: (name: string, folder?: string) => Promise<void>;
  /** Starts another process of the same kind as `like` under the name `name`. */
  readonly startAnother: (name: string, like: string) => Promise<void>;
  /** Returns the output of a process so far, including its output before restarts. */
  readonly logOf: (name: string) => string;
  /** Stops all processes with SIGTERM. Sends SIGKILL to processes that have not ended after 10 s. */
  readonly stop: () => Promise<void>;
}

const root = join(__dirname, '..', '..');
const SETUP_TOKEN = 'setup-token-of-a-test';
/** The owner of the account created by the set-up. */
export const OWNER = { email: 'owner@example.com', password: 'a-long-password-for-tests' };
const STOP_WITHIN_MS = 10_000;

function fromSetup(name: 'KEEPWATCH_TEST_TEMPORAL' | 'KEEPWATCH_TEST_MONGODB'): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this test needs global-setup.ts`);
  return value;
}

/** Returns the URI of one database on the server of the run, with the options of the server's URI. */
export function databaseUri(name: string): string {
  const address = new URL(fromSetup('KEEPWATCH_TEST_MONGODB'));
  address.pathname = `/${name}`;
  return address.href;
}

/** Returns the host and port of the run's Temporal server. */
export function temporalAddress(): string {
  return fromSetup('KEEPWATCH_TEST_TEMPORAL');
}

/** Returns a name that no other suite of this or any other run has. */
export function uniqueSuite(): string {
  return `suite-${randomBytes(6).toString('hex')}`;
}

interface Plan {
  readonly program: string;
  /** The folder of the compiled files. The default is the folder of this build. */
  readonly folder?: string;
  readonly environment: Readonly<Record<string, string>>;
}

function planProcesses(
  regions: readonly string[],
  given: Readonly<Record<string, string>>,
  mongodbUri: string,
): Map<string, Plan> {
  const { KEEPWATCH_SECRET_KEY = '', ...shared } = given;
  const withDatabase = { MONGODB_URI: mongodbUri, ...given };
  const keyOf = (region: string) => deriveLocalProbeKey(KEEPWATCH_SECRET_KEY.split(','), region);
  return new Map<string, Plan>([
    ['api', { program: 'api', environment: withDatabase }],
    ['orchestrator', { program: 'orchestrator', environment: withDatabase }],
    ...regions.map((region): [string, Plan] => [
      `probe-${region}`,
      { program: 'probe', environment: { KEEPWATCH_PROBE_KEY: keyOf(region), ...shared } },
    ]),
  ]);
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`);
  await answer.body?.cancel();
  return answer.status === 200;
}

async function callSetup(url: string): Promise<{ apiKey: string }> {
  const answer = await fetch(`${url}/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      setupToken: SETUP_TOKEN,
      accountName: 'Test account',
      ...OWNER,
    }),
  });
  const text = await answer.text();
  const key = /kw_[0-9A-Za-z]{38}/.exec(text)?.[0];
  if (answer.status !== 201 || key === undefined) {
    throw new Error(`set-up answered ${answer.status}: ${text}`);
  }
  return { apiKey: key };
}

/** Starts the service. Resolves when the API reports itself and its dependencies as ready. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const regions = options.regions ?? ['eu-west', 'us-east'];
  const suite = uniqueSuite();
  const port = await choosePort(undefined);
  const url = `http://${options.apiHost ?? '127.0.0.1'}:${port}`;
  const own = options.environment ?? {};
  // If a namespace is given, the caller has prepared it on the server that is given with it.
  const isPrepared = own['TEMPORAL_NAMESPACE'] !== undefined;
  const temporal = (isPrepared ? own['TEMPORAL_ADDRESS'] : undefined) ?? temporalAddress();
  if (!isPrepared) await prepareNamespace(temporal, suite);
  const mongodbUri = own['MONGODB_URI'] ?? databaseUri(options.database ?? suite);
  const shared = {
    PORT: String(port),
    TEMPORAL_ADDRESS: temporal,
    TEMPORAL_NAMESPACE: suite,
    KEEPWATCH_SECRET_KEY: randomBytes(32).toString('hex'),
    KEEPWATCH_SETUP_TOKEN: SETUP_TOKEN,
    KEEPWATCH_API_URL: url,
    KEEPWATCH_REGIONS: regions.join(','),
    KEEPWATCH_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8',
    LOG_LEVEL: 'info',
    // Switches the rate limits off, because tests send far more requests than a plan allows.
    KEEPWATCH_RATE_LIMITS: 'off',
    ...options.environment,
  };
  const plans = planProcesses(regions, shared, mongodbUri);
  const processes = new Map<string, ChildProcess>();
  const logs = new Map<string, string>();

  function launch(name: string): void {
    const plan = plans.get(name);
    if (plan === undefined) throw new Error(`no process is called ${name}`);
    const { program, folder = join(root, 'dist') } = plan;
    const started = [process.execPath, join(folder, 'main', `${program}.js`)];
    const [command = '', ...args] = [...(options.commandOf?.[name] ?? []), ...started];
    const child = spawn(command, args, {
      env: {
        ...process.env,
        MONGODB_URI: '',
        ...plan.environment,
        ...options.environmentOf?.[name],
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => logs.set(name, `${logs.get(name) ?? ''}${String(chunk)}`));
    }
    processes.set(name, child);
  }

  async function kill(name: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = processes.get(name);
    processes.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    child.kill(signal);
    await ended;
    clearTimeout(killer);
  }

  async function whenReady(): Promise<void> {
    await waitUntil('the service is ready', () => {
      const dead = [...processes].find(([, child]) => child.exitCode !== null);
      return dead === undefined ? isReady(url) : true;
    });
    for (const [name, child] of processes) {
      if (child.exitCode === null) continue;
      throw new Error(`${name} ended with ${child.exitCode}:\n${logs.get(name) ?? ''}`);
    }
  }

  async function stop(): Promise<void> {
    await Promise.all([...processes.keys()].map((name) => kill(name, 'SIGTERM')));
  }

  async function start(name: string): Promise<void> {
    launch(name);
    await whenReady();
  }

  async function startOrchestrator(name: string, folder?: string): Promise<void> {
    const plan = plans.get('orchestrator');
    if (plan === undefined) throw new Error('the service has no orchestrator');
    const { program, environment } = plan;
    plans.set(name, { program, environment, ...(folder === undefined ? {} : { folder }) });
    await start(name);
  }

  async function startAnother(name: string, like: string): Promise<void> {
    const plan = plans.get(like);
    if (plan === undefined) throw new Error(`no process is called ${like}`);
    plans.set(name, plan);
    await start(name);
  }

  noteStart('service');
  for (const name of plans.keys()) launch(name);
  await whenReady().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url,
    suite,
    mongodbUri,
    temporalAddress: temporal,
    processes,
    setup: () => callSetup(url),
    kill,
    start,
    startOrchestrator,
    startAnother,
    logOf: (name) => logs.get(name) ?? '',
    stop,
  };
}
