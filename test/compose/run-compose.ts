/**
 * Runs our services of a compose file without a container engine: the same commands, environments
 * and health checks, with the names of other services replaced by addresses on loopback.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { choosePort } from '../../src/embedded/free-port';
import { runCommand } from '../../src/embedded/run-command';
import { waitUntil } from '../support/wait-until';
import { type Compose, ROOT, roleOf, type Service } from './read-compose';

interface Addresses {
  readonly mongodbUri: string;
  readonly temporal: string;
}

export interface RunningCompose {
  readonly url: string;
  /** Resolves once the health check of every service has succeeded. */
  readonly whenHealthy: () => Promise<void>;
  /** Sends SIGTERM to all; exit codes and milliseconds by service. */
  readonly terminate: () => Promise<ReadonlyMap<string, { code: number | null; ms: number }>>;
  readonly logs: () => string;
}

export async function runCompose(compose: Compose, to: Addresses): Promise<RunningCompose> {
  const port = await choosePort(undefined);
  const services = Object.entries(compose.services).filter(([, one]) => roleOf(one) !== null);
  const children = new Map<string, ChildProcess>();
  let logs = '';

  for (const [name, service] of services) {
    const [command = '', ...args] = service.command ?? [];
    const env = environmentOf(service, { ...to, port });
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        logs += `${name}: ${String(chunk)}`;
      });
    }
    children.set(name, child);
  }

  async function isHealthy(service: Service): Promise<boolean> {
    const [command = '', ...args] = (service.healthcheck?.test ?? []).slice(1);
    const environment = environmentOf(service, { ...to, port });
    const { code } = await runCommand(command, args.map(inRoot), {
      environment,
      timeoutMs: 20_000,
    });
    return code === 0;
  }

  async function whenHealthy(): Promise<void> {
    for (const [name, service] of services) {
      await waitUntil(`${name} is healthy`, () => isHealthy(service), 60_000);
    }
  }

  async function terminate() {
    const ends = new Map<string, { code: number | null; ms: number }>();
    const startedAtMs = Date.now();
    await Promise.all(
      [...children].map(async ([name, child]) => {
        if (child.exitCode === null && child.signalCode === null) {
          const exit = once(child, 'exit');
          child.kill('SIGTERM');
          await exit;
        }
        ends.set(name, { code: child.exitCode, ms: Date.now() - startedAtMs });
      }),
    );
    return ends;
  }

  return { url: `http://127.0.0.1:${port}`, whenHealthy, terminate, logs: () => logs };
}

function inRoot(argument: string): string {
  return argument.startsWith('dist/') ? `${ROOT}/${argument}` : argument;
}

/** Exactly what the file gives the service, with PATH and HOME as a container has them. */
function environmentOf(
  { environment }: Service,
  { mongodbUri, temporal, port }: Addresses & { readonly port: number },
): NodeJS.ProcessEnv {
  const replaced = Object.entries(environment).map(([name, value]) => {
    if (name === 'MONGODB_URI') return [name, mongodbUri];
    if (name === 'TEMPORAL_ADDRESS') return [name, temporal];
    if (name === 'PORT') return [name, String(port)];
    return [name, value.replace('http://api:3000', `http://127.0.0.1:${port}`)];
  });
  const { PATH, HOME } = process.env;
  return { PATH, HOME, NODE_ENV: 'production', ...Object.fromEntries(replaced) };
}
