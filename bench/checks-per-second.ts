// Measures what a check costs on the whole service with a throw-away data folder. Monitors check a target on loopback.
// Reports CPU, bytes written and memory per process, and how late checks are. Then kills all processes and reports how
// long it takes until all monitors are checked again. For comparison, a bare loop sends the same requests.
import { parseArgs } from 'node:util';
import { createTarget, type Load, loadTable, measureLoad } from './support/check-load';
import { listenOnLoopback } from './support/listen';
import { startBenchService } from './support/service';

const USAGE = `npm run bench -- checks-per-second [--monitors 250] [--interval 10] [--seconds 60]
  [--warm-up SECONDS] [--steady watch|full] [--kill] [--json]`;

function readArguments() {
  const { values } = parseArgs({
    options: {
      monitors: { type: 'string', default: '250' },
      interval: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '60' },
      'warm-up': { type: 'string' },
      steady: { type: 'string', default: 'watch' },
      kill: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const intervalSeconds = Number(values.interval);
  const load: Load = {
    monitors: Number(values.monitors),
    intervalSeconds,
    measureMs: Number(values.seconds) * 1_000,
    warmUpMs: Number(values['warm-up'] ?? 5 * intervalSeconds) * 1_000,
  };
  return { ...values, load };
}

async function main(): Promise<void> {
  const { steady, json, help, load, kill } = readArguments();
  if (help) return void process.stdout.write(`${USAGE}\n`);
  const { server, hits } = createTarget();
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const service = await startBenchService({ KEEPWATCH_STEADY: steady });
  try {
    const outcome = await measureLoad(service, { url, hits }, { load, kill });
    process.stdout.write(`${json ? JSON.stringify(outcome) : loadTable(outcome)}\n`);
  } finally {
    await service.stop();
    server.close();
    server.closeAllConnections();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
