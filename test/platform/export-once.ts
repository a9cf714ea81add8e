/**
 * A program that exports a registry once and exits. It runs as a process, because the exporter loads its HTTP client
 * with an import that Jest cannot handle. `node --require ../support/read-typescript.cjs export-once.ts ENDPOINT
 * [unreadable]`
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { openMetricsExport, type RegistryMetric } from '../../src/platform/metrics-export';

const [, , endpoint = '', kind = 'readable'] = process.argv;

function fillRegistry(): Registry {
  const registry = new Registry();
  const registers = [registry];
  const help = 'for a test';
  const success = new Gauge({ name: 'probe_success', help, labelNames: ['region'], registers });
  success.set({ region: 'eu-west' }, 1);
  success.set({ region: 'us-east' }, 0);
  const refusals = new Counter({ name: 'refusals_total', help, labelNames: ['code'], registers });
  refusals.inc({ code: 'missing_token' }, 3);
  const buckets = [0.1, 1];
  const named = { name: 'duration_seconds', help, labelNames: ['route'], buckets, registers };
  const latency = new Histogram(named);
  for (const seconds of [0.05, 0.05, 0.5, 7]) latency.observe({ route: '/v1/monitors' }, seconds);
  latency.observe({ route: '/v1/apply' }, 0.5);
  return registry;
}

async function main(): Promise<void> {
  const read = async (): Promise<readonly RegistryMetric[]> => {
    if (kind === 'unreadable') throw new Error('the database is away');
    return fillRegistry().getMetricsAsJSON();
  };
  const names = { serviceName: 'test', role: 'api' };
  const headers = { 'api-key': 'k' };
  const options = { endpoint, headers, everyMs: 3_600_000, ...names, read };
  const { close } = await openMetricsExport(options);
  await close();
}

void main();
