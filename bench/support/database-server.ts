// Starts an embedded database in a separate process and folder, and reads its CPU time and written bytes from the
// kernel.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongo } from 'mongoose';

const CLOCK_TICKS_PER_SECOND = 100;

/** A running database and a client for it. */
export interface BenchDatabase {
  readonly pid: number;
  readonly client: mongo.MongoClient;
}

/** Runs the work with a new database, and afterwards ends its process and removes its folder. */
export async function withDatabase(
  work: (database: BenchDatabase) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'keepwatch-bench-'));
  try {
    await serveFrom(dir, work);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function serveFrom(
  dir: string,
  work: (database: BenchDatabase) => Promise<void>,
): Promise<void> {
  const main = join(__dirname, '..', '..', 'src', 'embedded', 'database', 'main.js');
  const child = spawn(process.execPath, [main, '--dir', dir, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${await readPort(child)}/bench`);
  try {
    await work({ pid: child.pid ?? 0, client });
  } finally {
    await client.close();
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

async function readPort(child: ChildProcess): Promise<number> {
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the database did not start')));
    child.stdout?.once('data', (bytes: Buffer) => resolve(bytes.toString()));
  });
  const { port }: { port: number } = JSON.parse(line);
  return port;
}

/** CPU time of a process since its start, in milliseconds. */
export function readCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return (ticks * 1000) / CLOCK_TICKS_PER_SECOND;
}

/** Bytes that a process caused to be written to the disk, as the kernel counts them. */
export function readWrittenBytes(pid: number): number {
  const found = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'));
  return Number(found?.[1] ?? Number.NaN);
}

/** Bytes that all processes have written to the disks of this machine, as the kernel counts them. */
export function readDeviceBytes(): number {
  const lines = readFileSync('/proc/diskstats', 'utf8').trim().split('\n');
  const disks = lines.map((line) => line.trim().split(/\s+/));
  const whole = disks.filter(([, , name = '']) =>
    /^(?:[svx]?vd[a-z]|sd[a-z]|nvme\d+n\d+)$/.test(name),
  );
  return whole.reduce((sum, fields) => sum + Number(fields[9]) * 512, 0);
}
