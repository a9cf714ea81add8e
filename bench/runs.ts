// Measures what a run of a scenario with four steps costs on the whole service: CPU, bytes written and memory per
// process. The benchmark waits until the database has written its file back; this happens every 30 seconds. `npm run
// bench -- runs [--runs 60]`
import { parseArgs } from 'node:util';
import { createTarget } from './support/check-load';
import { listenOnLoopback } from './support/listen';
import { measureRuns, runTable } from './support/scenario-load';
import { startBenchService } from './support/service';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '60' }, json: { type: 'boolean', default: false } },
  });
  const { server } = createTarget();
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const service = await startBenchService();
  try {
    const cost = await measureRuns(service, url, Number(values.runs));
    process.stdout.write(`${values.json ? JSON.stringify(cost) : runTable(cost)}\n`);
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
