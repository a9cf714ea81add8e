/**
 * Runs the whole service as a separate process on a temporary data folder. The service ignores the user's own servers
 * and settings.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { isReady, type NewService } from './service-client';

const STOP_MS = 20_000;
const READY_POLL_MS = 200;
const READY_LINE = 'Keepwatch is ready.';

interface ThrowAwayPlan {
  /** The compiled all-in-one program. */
  readonly program: string;
  /** The complete environment of the process. */
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: Readonly<Record<string, string>>;
  /** null for any free port. */
  readonly port: number | null;
  /** Called with each line that the service prints while it starts. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface ThrowAwayService extends NewService {
  readonly dataFolder: string;
  /** Resolves with the URI at which the service's database listens. */
  readonly databaseUri: () => Promise<string>;
  /** Ends the probe with SIGKILL. The service then starts a new probe. */
  readonly killProbe: () => Promise<void>;
  /** Resolves or rejects when the process ends for any reason. */
  readonly ended: Promise<unknown>;
  /** Shuts the service down gracefully and removes the data folder. */
  readonly stop: () => Promise<void>;
}

/** Starts the service and resolves once it is ready. Rejects if the service ends or the signal aborts first. */
export async function startThrowAwayService(plan: ThrowAwayPlan): Promise<ThrowAwayService> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'keepwatch-demo-'));
  const port = plan.port ?? (await findFreePort());
  const setupToken = randomBytes(12).toString('hex');
  const child = spawn(process.execPath, [plan.program], {
    env: {
      ...plan.environment,
      KEEPWATCH_DATA_DIR: dataFolder,
      KEEPWATCH_SETUP_TOKEN: setupToken,
      PORT: String(port),
      ...plan.settings,
    },
    // The IPC channel closes when the demo ends, even if the demo is killed. The service then ends, too.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  const ended = once(child, 'exit');
  passOnStartLines(child, plan.say);
  const stop = async () => {
    await stopProcess(child);
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(url, child, plan.signal);
  } catch (error) {
    await stop();
    throw error;
  }
  const publicUrl = `http://localhost:${port}`;
  return {
    url,
    publicUrl,
    setupToken,
    dataFolder,
    databaseUri: async () => (await readRecord(dataFolder)).database.uri,
    killProbe: () => killProbe(dataFolder),
    ended,
    stop,
  };
}

const recordShape = z.object({
  database: z.object({ uri: z.string() }),
  processes: z.array(z.object({ name: z.string(), pid: z.int().positive() })),
});

/** Reads the file in which the service records its own servers and processes. */
async function readRecord(dataFolder: string) {
  const text = await readFile(path.join(dataFolder, 'servers.json'), 'utf8');
  return recordShape.parse(JSON.parse(text));
}

/** Kills the probe. Does nothing if no probe is running, for example because an earlier call has killed it. */
async function killProbe(dataFolder: string): Promise<void> {
  const { processes } = await readRecord(dataFolder);
  for (const { name, pid } of processes) {
    if (!name.startsWith('probe')) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

async function waitUntilReady(
  url: string,
  child: ChildProcess,
  signal: AbortSignal,
): Promise<void> {
  while (!(await isReady(url))) {
    if (hasEnded(child)) throw new Error('The service ended before it was ready.');
    await delay(READY_POLL_MS, undefined, { signal });
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Prints the lines that the service prints before its banner. The demo replaces the banner. */
function passOnStartLines(child: ChildProcess, say: (line: string) => void): void {
  if (child.stdout === null) return;
  let isStarting = true;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === READY_LINE) isStarting = false;
    if (isStarting && line.trim() !== '') say(line);
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const deadline = new AbortController();
  await Promise.race([
    exit,
    delay(STOP_MS, undefined, { signal: deadline.signal })
      .then(() => child.kill('SIGKILL'))
      .catch(() => undefined),
  ]);
  deadline.abort();
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      server.close(() =>
        port === undefined ? reject(new Error('The server has no port.')) : resolve(port),
      );
    });
  });
}
