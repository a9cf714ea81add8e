// Runs a benchmark that measures the whole service against a target that responds at once.
import { createServer } from 'node:http';
import { listenOnLoopback } from './listen';
import { type BenchService, startBenchService } from './service';

/** Runs the benchmark and stops the service. Exits with 1 if the measurement fails. */
export function runBench(
  measure: (service: BenchService, targetUrl: string) => Promise<void>,
): void {
  withService(measure).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}

async function withService(measure: Parameters<typeof runBench>[0]): Promise<void> {
  const target = createServer((_, response) => response.end('ok'));
  const targetUrl = `http://127.0.0.1:${await listenOnLoopback(target)}`;
  const service = await startBenchService();
  try {
    await measure(service, targetUrl);
  } finally {
    await service.stop();
    target.close();
  }
}
