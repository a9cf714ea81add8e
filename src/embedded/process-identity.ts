/** Distinguishes a process from a later process with the same id, so that only our own processes are ended. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readErrorCode } from './error-code';
import { runCommand } from './run-command';

/** A process as it is recorded in a file, so that it can be found again after a restart. */
export interface NotedProcess {
  readonly pid: number;
  readonly identity: string;
}

// Positions of fields 3 and 22 of proc(5) stat, counted after the name in parentheses.
const STATE_FIELD = 0;
const START_TIME_FIELD = 19;
const POLL_MS = 50;

async function identifyOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[STATE_FIELD] === 'Z' ? undefined : fields[START_TIME_FIELD];
}

async function identifyByPs(pid: number): Promise<string | undefined> {
  const { code, stdout } = await runCommand('ps', ['-o', 'lstart=', '-p', String(pid)], {
    environment: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    timeoutMs: 5_000,
  });
  return code === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

/**
 * Returns a text that no other process with the same id ever has. undefined means that no process with this id is
 * alive.
 */
export function identifyProcess(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? identifyOnLinux(pid) : identifyByPs(pid);
}

/** True while the recorded process is alive. False if its id now belongs to another process. */
export async function isAlive({ pid, identity }: NotedProcess): Promise<boolean> {
  return (await identifyProcess(pid)) === identity;
}

/** Returns the record of a living process. undefined when the process has already ended. */
export async function noteProcess(pid: number): Promise<NotedProcess | undefined> {
  const identity = await identifyProcess(pid);
  return identity === undefined ? undefined : { pid, identity };
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (readErrorCode(error) !== 'ESRCH') throw error;
  }
}

/** Ends the recorded process: SIGTERM, then SIGKILL after `graceMs`. */
export async function endProcess(noted: NotedProcess, graceMs: number): Promise<void> {
  if (!(await isAlive(noted))) return;
  signalProcess(noted.pid, 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (await isAlive(noted)) {
    if (Date.now() > deadline) signalProcess(noted.pid, 'SIGKILL');
    await sleep(POLL_MS);
  }
}
