/**
 * Starts a Temporal server on PostgreSQL as docker-compose.prod.yml runs it, but without containers. Uses the
 * environment and the jobs of that file. Only the names of services are replaced by loopback hosts. The programs come
 * from the environment that scripts/cluster.mjs sets.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { choosePort } from '../../src/embedded/free-port';
import { silentProgress } from '../../src/embedded/progress';
import { runCommand } from '../../src/embedded/run-command';
import { findTemporal } from '../../src/embedded/temporal-sources';
import { type Compose, ROOT, type Service } from '../compose/read-compose';
import { waitUntil } from '../support/wait-until';

export interface ClusterPrograms {
  /** The folder that contains initdb and postgres. */
  readonly postgres: string;
  /** The folder that contains the server and its schema tool. */
  readonly server: string;
  readonly sqlTool: string;
  /** The folder `schema` in the sources of the server. */
  readonly schema: string;
  /** The user who owns PostgreSQL's data, because PostgreSQL refuses to run as root. null means the current user. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
}

export interface TemporalCluster {
  readonly address: string;
  readonly folder: string;
  /** Sends SIGKILL to the program and waits for its exit. */
  readonly kill: (name: 'postgres' | 'temporal') => Promise<void>;
  /** Starts the program again on its existing data. Resolves when it is ready. */
  readonly start: (name: 'postgres' | 'temporal') => Promise<void>;
  /** Sends the signal to each process of the program. PostgreSQL has several processes. */
  readonly signal: (name: 'postgres' | 'temporal', signal: 'SIGSTOP' | 'SIGCONT') => void;
  /**
   * Deletes all data of Temporal and starts it again. Resolves when the empty server is ready and has its namespace.
   */
  readonly lose: () => Promise<void>;
  /** Stops PostgreSQL and Temporal, and removes the folder. */
  readonly stop: () => Promise<void>;
}

const JOB_MS = 180_000;
/** Names of the settings for ports that two servers on one machine must not share. */
const SERVER_PORTS = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'].flatMap((role) => [
  `${role}_GRPC_PORT`,
  `${role}_MEMBERSHIP_PORT`,
]);

const programShape = z.object({
  postgres: z.string(),
  server: z.string(),
  sqlTool: z.string(),
  schema: z.string(),
  owner: z.object({ uid: z.number(), gid: z.number() }).nullable(),
});

/** Returns the programs that scripts/cluster-programs.mjs found. */
export function givenPrograms(): ClusterPrograms {
  const text = process.env['KEEPWATCH_CLUSTER_PROGRAMS'];
  if (text === undefined) throw new Error('Run this by `npm run cluster` or `npm run faults`.');
  return programShape.parse(JSON.parse(text));
}

/** Starts PostgreSQL and Temporal. Resolves when the namespace of the compose file exists. */
export async function startTemporalCluster(
  compose: Compose,
  programs: ClusterPrograms,
): Promise<TemporalCluster> {
  const cli = await findCommandLine();
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-cluster-'));
  const postgresPort = await choosePort(undefined);
  const ports = await choosePorts();
  const address = `127.0.0.1:${ports['FRONTEND_GRPC_PORT']}`;
  const children = new Map<string, ChildProcess>();
  const service = serviceOf(compose, 'temporal');
  const data = await initialise(folder, serviceOf(compose, 'postgres'), programs);
  const tools = toolsFolder(folder, { ...programs, cli });

  const launch = {
    postgres: (): ChildProcess =>
      run(folder, {
        name: 'postgres',
        command: join(programs.postgres, 'postgres'),
        args: [
          '-D',
          data,
          '-h',
          '127.0.0.1',
          '-p',
          String(postgresPort),
          '-k',
          data,
          ...(serviceOf(compose, 'postgres').command ?? []).slice(1),
        ],
        environment: {},
        owner: programs.owner,
      }),
    temporal: (): ChildProcess =>
      run(folder, {
        name: 'temporal',
        command: programs.server,
        args: ['start'],
        environment: {
          ...service.environment,
          POSTGRES_SEEDS: '127.0.0.1',
          DB_PORT: String(postgresPort),
          BIND_ON_IP: '127.0.0.1',
          DYNAMIC_CONFIG_FILE_PATH: dynamicConfigOf(service),
          ...ports,
        },
        owner: null,
      }),
  };
  const isServing = {
    postgres: () => answersPostgres(programs, postgresPort),
    temporal: () => answersTemporal(cli, address),
  };

  async function start(name: 'postgres' | 'temporal'): Promise<void> {
    await waitUntil(`${name} serves`, async () => {
      const child = children.get(name);
      // Starts the program again if it has exited. PostgreSQL refuses to start until all processes of the killed server
      // have ended.
      if (child === undefined || child.exitCode !== null || child.signalCode !== null)
        children.set(name, launch[name]());
      return await isServing[name]();
    });
  }

  async function end(name: string, signal: NodeJS.Signals): Promise<void> {
    const child = children.get(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  async function stop(): Promise<void> {
    await end('temporal', 'SIGTERM');
    await end('postgres', 'SIGINT');
  }

  async function prepare(): Promise<void> {
    await start('postgres');
    await runJob(serviceOf(compose, 'temporal-schema'), {
      tools,
      replace: (text) => text.replaceAll('/etc/temporal/schema', programs.schema),
      environment: { SQL_HOST: '127.0.0.1', SQL_PORT: String(postgresPort) },
    });
    await start('temporal');
    await runJob(serviceOf(compose, 'temporal-namespace'), {
      tools,
      replace: (text) => text,
      environment: { TEMPORAL_ADDRESS: address },
    });
  }

  function signal(name: string, to: 'SIGSTOP' | 'SIGCONT'): void {
    const child = children.get(name);
    if (child?.pid === undefined) return;
    // The parent gets the signal first, because a stopped parent starts no further processes. A child may exit in the
    // meantime.
    child.kill(to);
    const own = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).stdout;
    spawnSync('kill', ['-s', to.replace('SIG', ''), ...(own.match(/\d+/g) ?? [])]);
  }

  async function lose(): Promise<void> {
    await end('temporal', 'SIGKILL');
    await end('postgres', 'SIGINT');
    rmSync(data, { recursive: true });
    await initialise(folder, serviceOf(compose, 'postgres'), programs);
    await prepare();
  }

  await prepare().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    address,
    folder,
    start,
    kill: (name) => end(name, 'SIGKILL'),
    signal,
    lose,
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Finds the Temporal command line that `npm start` also uses. */
async function findCommandLine(): Promise<string> {
  const search = { address: undefined, environment: process.env, progress: silentProgress };
  return z.object({ path: z.string() }).parse(await findTemporal(search)).path;
}

function serviceOf({ services }: Compose, name: string): Service {
  const service = services[name];
  if (service === undefined) throw new Error(`the compose file has no service ${name}`);
  return service;
}

async function choosePorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const name of [...SERVER_PORTS, 'FRONTEND_HTTP_PORT']) {
    ports[name] = String(await choosePort(undefined));
  }
  return ports;
}

/** Returns the path in this checkout of the configuration file that the service mounts. */
function dynamicConfigOf({ environment, volumes }: Service): string {
  const [outside = '', inside = ''] = volumes[0]?.split(':') ?? [];
  return join(ROOT, (environment['DYNAMIC_CONFIG_FILE_PATH'] ?? '').replace(inside, outside));
}

/** Creates the data folder of an empty PostgreSQL with the user and password of the service. */
async function initialise(
  folder: string,
  { environment }: Service,
  { postgres, owner }: ClusterPrograms,
): Promise<string> {
  const data = join(folder, 'postgres');
  mkdirSync(data);
  if (owner !== null) {
    chownSync(folder, owner.uid, owner.gid);
    chownSync(data, owner.uid, owner.gid);
  }
  const user = environment['POSTGRES_USER'] ?? '';
  const args = ['-D', data, '-U', user, '--auth=trust', '--encoding=UTF8', '--no-sync'];
  const child = spawn(join(postgres, 'initdb'), args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...owner,
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}`);
  return data;
}

/** Creates a folder with links to the programs that the jobs call. The folder comes first in PATH. */
function toolsFolder(
  folder: string,
  { sqlTool, cli }: Pick<ClusterPrograms, 'sqlTool'> & { readonly cli: string },
): string {
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  symlinkSync(sqlTool, join(tools, 'temporal-sql-tool'));
  symlinkSync(cli, join(tools, 'temporal'));
  return tools;
}

interface Job {
  readonly tools: string;
  readonly replace: (text: string) => string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs the job twice, because the second run must change nothing. */
async function runJob(service: Service, { tools, replace, environment }: Job): Promise<void> {
  const [command = '', ...args] = service.entrypoint ?? [];
  const { PATH, HOME } = process.env;
  for (let time = 1; time <= 2; time += 1) {
    const { code, stdout, stderr } = await runCommand(command, args.map(replace), {
      environment: { HOME, ...service.environment, ...environment, PATH: `${tools}:${PATH}` },
      timeoutMs: JOB_MS,
    });
    if (code !== 0) throw new Error(`the job ended with ${code}:\n${stdout}\n${stderr}`);
  }
}

interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly owner: ClusterPrograms['owner'];
}

function run(folder: string, program: Program): ChildProcess {
  const { name, command, args, environment, owner } = program;
  const log = openSync(join(folder, `${name}.log`), 'a');
  const { PATH, HOME } = process.env;
  return spawn(command, [...args], {
    cwd: folder,
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', log, log],
    ...owner,
  });
}

async function answersPostgres({ postgres }: ClusterPrograms, port: number): Promise<boolean> {
  const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'temporal', '-d', 'postgres'];
  const { code } = await runCommand(join(postgres, 'pg_isready'), args, {
    environment: process.env,
    timeoutMs: 5_000,
  });
  return code === 0;
}

async function answersTemporal(cli: string, address: string): Promise<boolean> {
  const args = ['operator', 'cluster', 'health', '--address', address];
  const { code } = await runCommand(cli, args, {
    environment: process.env,
    timeoutMs: 10_000,
  });
  return code === 0;
}
