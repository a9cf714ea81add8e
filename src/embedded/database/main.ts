// The process `node dist/embedded/database/main.js --dir DIR (--socket PATH | --port PORT [--host HOST])`. Prints one
// JSON line once it is listening. SIGTERM and SIGINT shut it down cleanly.
import { parseArgs } from 'node:util';
import { type DatabaseOptions, type RunningDatabase, startDatabase } from './server';

const USAGE = 'Usage: main.js --dir DIR (--socket PATH | --port PORT [--host HOST])';

function readOptions(): DatabaseOptions {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      port: { type: 'string' },
      socket: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
    },
  });
  const { dir, port, host, socket } = values;
  if (dir && socket) return { dir, socket };
  const number = Number(port);
  if (!dir || !port || !Number.isInteger(number) || number < 0 || number > 65535) {
    throw new Error(USAGE);
  }
  return { dir, port: number, host };
}

function stopOnSignals(database: RunningDatabase): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    database.close().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** Logs an unexpected error to stderr and ends the process at once. Acknowledged writes are already on disk. */
function endOnUnhandled(): void {
  process.on('uncaughtException', (error, origin) => {
    const { message, stack } = error;
    process.stderr.write(
      `${JSON.stringify({ event: 'unhandled_error', origin, message, stack })}\n`,
    );
    process.exit(1);
  });
}

async function main(): Promise<void> {
  endOnUnhandled();
  // New files, such as data and backups, can then be read by this user only.
  process.umask(0o077);
  const database = await startDatabase(readOptions());
  stopOnSignals(database);
  process.stdout.write(`${JSON.stringify({ event: 'listening', port: database.port })}\n`);
}

main().catch(fail);
