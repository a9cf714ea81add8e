/**
 * Runs our services of a compose file without Docker. Uses the same commands, environments and health checks, and
 * replaces the names of services by loopback hosts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { choosePort } from '../../src/embedded/free-port';
import { runCommand } from '../../src/embedded/run-command';
import { readDockerfile } from '../image/read-dockerfile';
import { WAIT_LIMIT_MS, waitUntil } from '../support/wait-until';
import { type Compose, keyRegionOf, ROOT, roleOf, type Service } from './read-compose';

export interface RunOptions {
  readonly mongodbUri: string;
  readonly temporal: string;
  /** Number of processes for each service. The default is one. */
  readonly replicas?: Readonly<Record<string, number>>;
  /** Additional settings for every process. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunningCompose {
  readonly url: string;
  /** Returns the id of the current process with this name. */
  readonly pidOf: (name: string) => number | undefined;
  /** Restarts a process that has ended. It gets the same settings. */
  readonly start: (name: string) => void;
  /** Sends SIGKILL to the process and waits for its exit. */
  readonly kill: (name: string) => Promise<void>;
  /** Resolves when the health check of every service has succeeded. */
  readonly whenHealthy: () => Promise<void>;
  /** Sends SIGTERM to all processes and returns their exit codes. */
  readonly terminate: () => Promise<ReadonlyMap<string, number | null>>;
  readonly logs: () => string;
}

interface Instance {
  readonly name: string;
  readonly service: Service;
}

/** Lists the processes to start. The second process of a service is called `<service>-2`. */
function instancesOf(compose: Compose, { replicas = {} }: RunOptions): readonly Instance[] {
  return Object.entries(compose.services)
    .filter(([, service]) => roleOf(service) !== null)
    .flatMap(([name, service]) =>
      Array.from({ length: replicas[name] ?? 1 }, (_, index) => ({
        name: index === 0 ? name : `${name}-${index + 1}`,
        service,
      })),
    );
}

export async function runCompose(compose: Compose, options: RunOptions): Promise<RunningCompose> {
  const port = await choosePort(undefined);
  const instances = instancesOf(compose, options);
  const children = new Map<string, ChildProcess>();
  let logs = '';
  const keys = await writeProbeKeys(compose);
  const surroundings = (service: Service): NodeJS.ProcessEnv =>
    environmentOf(service, { ...options, port, keys });

  function start(name: string): void {
    const service = instances.find((one) => one.name === name)?.service;
    if (service === undefined) throw new Error(`no process is called ${name}`);
    const [command = '', ...args] = service.command ?? readDockerfile().command;
    const child = spawn(command, args, {
      cwd: ROOT,
      env: surroundings(service),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        logs += `${name}: ${String(chunk)}`;
      });
    }
    children.set(name, child);
  }

  async function kill(name: string): Promise<void> {
    const child = children.get(name);
    if (child === undefined) throw new Error(`no process is called ${name}`);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  for (const { name } of instances) start(name);

  async function isHealthy(service: Service): Promise<boolean> {
    const [command = '', ...args] = (service.healthcheck?.test ?? []).slice(1);
    const environment = surroundings(service);
    const { code } = await runCommand(command, args.map(inRoot), {
      environment,
      timeoutMs: WAIT_LIMIT_MS,
    });
    return code === 0;
  }

  async function whenHealthy(): Promise<void> {
    for (const { name, service } of instances) {
      await waitUntil(`${name} is healthy`, () => isHealthy(service));
    }
  }

  async function terminate() {
    const ends = new Map<string, number | null>();
    await Promise.all(
      [...children].map(async ([name, child]) => {
        if (child.exitCode === null && child.signalCode === null) {
          const exit = once(child, 'exit');
          child.kill('SIGTERM');
          await exit;
        }
        ends.set(name, child.exitCode);
      }),
    );
    rmSync(keys, { recursive: true, force: true });
    return ends;
  }

  const url = `http://127.0.0.1:${port}`;
  const pidOf = (name: string) => children.get(name)?.pid;
  return { url, pidOf, start, kill, whenHealthy, terminate, logs: () => logs };
}

function inRoot(argument: string): string {
  return argument.startsWith('dist/') ? `${ROOT}/${argument}` : argument;
}

/** Runs the jobs that write keys of probes. Returns a folder that contains one folder for each volume of the jobs. */
async function writeProbeKeys({ services }: Compose): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-probe-keys-'));
  for (const service of Object.values(services)) {
    if (keyRegionOf(service) === null) continue;
    const [command = '', ...args] = service.command ?? [];
    mkdirSync(join(folder, volumeOf(service)));
    const { code, stderr } = await runCommand(
      command,
      args.map(inRoot).map((argument) => inVolume(argument, service, folder)),
      {
        environment: { PATH: process.env['PATH'], ...service.environment },
        timeoutMs: WAIT_LIMIT_MS,
      },
    );
    if (code !== 0) throw new Error(stderr);
  }
  return folder;
}

function volumeOf({ volumes }: Service): string {
  return volumes.find((volume) => volume.includes(':/probe-key'))?.split(':')[0] ?? '';
}

function inVolume(path: string, service: Service, folder: string): string {
  return path.replace(/^\/probe-key\//, `${join(folder, volumeOf(service))}/`);
}

/** Returns the environment that the file gives to the service, plus only PATH and HOME as in a container. */
function environmentOf(
  service: Service,
  running: RunOptions & { readonly port: number; readonly keys: string },
): NodeJS.ProcessEnv {
  const { mongodbUri, temporal, port, keys, environment: further } = running;
  const replaced = Object.entries(service.environment).map(([name, value]) => {
    if (name === 'KEEPWATCH_PROBE_KEY_FILE') return [name, inVolume(value, service, keys)];
    if (name === 'MONGODB_URI') return [name, mongodbUri];
    if (name === 'TEMPORAL_ADDRESS') return [name, temporal];
    if (name === 'PORT') return [name, String(port)];
    return [name, value.replace('http://api:3000', `http://127.0.0.1:${port}`)];
  });
  const { PATH, HOME } = process.env;
  return { PATH, HOME, NODE_ENV: 'production', ...Object.fromEntries(replaced), ...further };
}
