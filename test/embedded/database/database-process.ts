// Starts and stops real processes of the embedded database for tests. Each process has its own folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { callFollowingProgram } from '../../../src/embedded/own-program';
import { noteStart } from '../../support/note-start';

const MAIN = join(__dirname, '..', '..', '..', 'dist', 'embedded', 'database', 'main.js');
/** Processes that the tests have not stopped yet. */
const running = new Set<DatabaseProcess>();

/** A running process and a client for it. */
export interface DatabaseProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly uri: string;
  readonly dir: string;
  readonly client: mongo.MongoClient;
  /** Closes the client and stops the process, cleanly or with kill -9. Resolves to the exit code. */
  readonly end: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<number | null>;
}

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'keepwatch-db-'));
}

export function removeFolder(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}

/** The output and the exit code of a process that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** Starts a process that is expected to exit by itself. */
export function runToEnd(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes.toString();
  });
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve({ code, stderr }));
  });
}

export interface ProcessLimits {
  /** The maximum size of each file in kilobytes. The kernel refuses writes beyond this size, as on a full disk. */
  readonly fileKilobytesMax?: number;
}

/** Starts the database on a folder and connects to it. */
export async function startProcess(
  dir: string,
  limits: ProcessLimits = {},
): Promise<DatabaseProcess> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: build first`);
  const blocks = limits.fileKilobytesMax ? String(limits.fileKilobytesMax * 2) : 'unlimited';
  const script = 'ulimit -f "$1"; shift; exec "$@"';
  const program = callFollowingProgram('embedded/database/main', ['--dir', dir, '--port', '0']);
  const args = [program.command, '--max-old-space-size=256', ...program.args];
  noteStart('database');
  const child = spawn('sh', ['-c', script, 'sh', blocks, ...args], {
    // The process exits when the channel `ipc` closes, even if jest is killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const port = await listeningPort(child);
  const uri = `mongodb://127.0.0.1:${port}/test`;
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5000, maxPoolSize: 64 });
  const end = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    running.delete(database);
    const exited = exitOf(child);
    child.kill(signal);
    const code = await exited;
    await client.close(true);
    return code;
  };
  const database = { child, port, uri, dir, client, end };
  running.add(database);
  await client.connect();
  return database;
}

/** Kills the processes that failed tests have left running. */
export async function endProcesses(): Promise<void> {
  await Promise.all([...running].map((database) => database.end('SIGKILL')));
}

function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the database ended with ${code}`)));
    child.stdout?.once('data', (bytes: Buffer) => {
      const line: unknown = JSON.parse(bytes.toString());
      if (typeof line === 'object' && line && 'port' in line && typeof line.port === 'number') {
        resolve(line.port);
      }
    });
  });
}
