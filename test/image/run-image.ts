/**
 * Runs the file system of the image without a container runtime: read-only, as an unprivileged user, with only the
 * variables of the Dockerfile. How close this is to a container depends on what this user may do:
 *
 * - root: as in a container, in its own process and mount namespaces and with its own root; only the network is shared
 * - another user with user namespaces: the same, but the user is root inside its namespace and has no privileges
 *   outside
 * - otherwise, on the host's root: the image's programs and files, with the host's libraries. Root runs them as the
 *   user of the image, who may not write to the folder. The volume is not at /data
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runCommand } from '../../src/embedded/run-command';
import { WAIT_LIMIT_MS, waitUntil } from '../support/wait-until';
import { type ImageFolder, isRoot } from './image-folder';
import { readDockerfile } from './read-dockerfile';

type Isolation = 'as root' | 'in a user namespace' | 'on the root of the host';

export interface ContainerOptions {
  readonly volume: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Replaces the command of the image. */
  readonly command?: readonly string[];
}

export interface Container {
  readonly isolation: Isolation;
  readonly output: () => string;
  /** Resolves to the exit code, or to the signal that ended the container. */
  readonly ended: Promise<number | string>;
  /** Sends a signal to process 1, as a container runtime does. */
  readonly signal: (name: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** Runs the health check of the image inside the container. */
  readonly checkHealth: () => Promise<CommandResult>;
  /** Runs another command inside the container. */
  readonly execute: (command: readonly string[]) => Promise<CommandResult>;
}

const IMAGE = readDockerfile();
const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child'];
const IN_USER_NAMESPACE = ['--user', '--map-root-user', ...NAMESPACES];
const USER = [`--setuid=${IMAGE.user}`, `--setgid=${IMAGE.user}`];
/**
 * A script whose arguments are the root, the volume, PATH, and then the command. It uses the PATH of the host until it
 * changes the root.
 */
const ENTER = `set -e
root=$1 volume=$2 path=$3; shift 3
mount --bind "$root" "$root"
mount -o remount,ro,bind "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$volume" "$root/data"
for file in etc/hosts etc/resolv.conf; do mount --bind "/$file" "$root/$file"; done
program=$(command -v unshare)
PATH=$path exec "$program" --root="$root" "$@"`;

function can(args: readonly string[]): boolean {
  const script = 'mount -t proc proc /proc';
  return spawnSync('unshare', [...args, 'sh', '-c', script], { stdio: 'ignore' }).status === 0;
}

function findIsolation(): Isolation {
  if (isRoot && can(NAMESPACES)) return 'as root';
  if (!isRoot && can(IN_USER_NAMESPACE)) return 'in a user namespace';
  return 'on the root of the host';
}

const isolation = findIsolation();

/** Finds the child of `unshare`. This child is process 1 inside the namespaces. */
async function findInit(child: ChildProcess): Promise<number> {
  if (child.pid === undefined) throw new Error('the container has no process');
  if (isolation === 'on the root of the host') return child.pid;
  const file = `/proc/${child.pid}/task/${child.pid}/children`;
  const pid = await waitUntil('process 1 of the container', () => {
    if (child.exitCode !== null || child.signalCode !== null) return 'ended';
    return Number(readFileSync(file, 'utf8').trim()) || undefined;
  });
  if (pid === 'ended') throw new Error('the container has ended');
  return pid;
}

interface Call {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Returns the call of a command on the host. Replaces paths of the image by paths of the host. */
function callOnHost(root: string, command: readonly string[], options: ContainerOptions): Call {
  const [program = '', ...args] = command;
  const bin = join(root, 'usr/local/bin');
  return {
    command: join(bin, program),
    args,
    environment: {
      ...IMAGE.environment,
      PATH: bin,
      KEEPWATCH_DATA_DIR: options.volume,
      ...options.environment,
    },
  };
}

function callIsolated(root: string, command: readonly string[], options: ContainerOptions): Call {
  const [program = '', ...args] = command;
  const isAsRoot = isolation === 'as root';
  const inside = [`--wd=${IMAGE.folder}`, ...(isAsRoot ? USER : []), `/usr/local/bin/${program}`];
  const { PATH: path = '', ...environment } = { ...IMAGE.environment, ...options.environment };
  return {
    command: 'unshare',
    args: [
      ...(isAsRoot ? NAMESPACES : IN_USER_NAMESPACE),
      'sh',
      '-c',
      ENTER,
      'sh',
      root,
      options.volume,
      path,
      ...inside,
      ...args,
    ],
    environment: { ...environment, PATH: process.env['PATH'] ?? '' },
  };
}

export function runContainer({ root }: ImageFolder, options: ContainerOptions): Container {
  const onHost = isolation === 'on the root of the host';
  const makeCall = onHost ? callOnHost : callIsolated;
  const { command, args, environment } = makeCall(root, options.command ?? IMAGE.command, options);
  const asUser = onHost && isRoot ? { uid: IMAGE.user, gid: IMAGE.user } : {};
  const child = spawn(command, [...args], {
    cwd: onHost ? join(root, IMAGE.folder) : '/',
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...asUser,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
    });

  async function execute(inside: readonly string[]): Promise<CommandResult> {
    const call = callOnHost(root, inside, options);
    if (onHost)
      return runCommand('env', ['-C', join(root, IMAGE.folder), call.command, ...call.args], {
        environment: call.environment,
        timeoutMs: WAIT_LIMIT_MS,
      });
    const [program = '', ...rest] = inside;
    const target = [`--target=${await findInit(child)}`, '--mount', '--pid', '--root', '--wd'];
    const user = isolation === 'as root' ? USER : ['--user', '--preserve-credentials'];
    return runCommand('nsenter', [...target, ...user, `/usr/local/bin/${program}`, ...rest], {
      environment: { ...IMAGE.environment, ...options.environment, PATH: process.env['PATH'] },
      timeoutMs: WAIT_LIMIT_MS,
    });
  }

  return {
    isolation,
    output: () => output,
    ended: once(child, 'close').then(([code, signal]) => code ?? signal),
    signal: async (name) => {
      process.kill(await findInit(child), name);
    },
    checkHealth: () => execute(IMAGE.healthCheck),
    execute,
  };
}
