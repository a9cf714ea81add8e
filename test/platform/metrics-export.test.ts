/** Tests that a collector gets the metrics of the registry, under the same names. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector';

let collector: TraceCollector;

beforeAll(async () => {
  collector = await startTraceCollector();
});
afterAll(() => collector.close());

const PROGRAM = join(__dirname, 'export-once.ts');
const HOOK = join(__dirname, '..', 'support', 'read-typescript.cjs');

/** Runs the program, and resolves to its exit code. */
async function exportOnce(endpoint: string, ...kind: readonly string[]): Promise<unknown> {
  const given = ['--require', HOOK, PROGRAM, endpoint, ...kind];
  const [code] = await once(spawn(process.execPath, given, { stdio: 'inherit' }), 'close');
  return code;
}

test('exported gauges, counters and histograms arrive unchanged at the collector, with their labels', async () => {
  expect(await exportOnce(collector.endpoint)).toBe(0);
  const label = (key: string, value: string) => [{ key, value: { stringValue: value } }];
  const of = (service: string, name: string) => ({ service, name, description: 'for a test' });
  expect(collector.metrics()).toEqual([
    {
      ...of('test-api', 'probe_success'),
      gauge: {
        dataPoints: [
          { attributes: label('region', 'eu-west'), asDouble: 1 },
          { attributes: label('region', 'us-east'), asDouble: 0 },
        ],
      },
    },
    {
      ...of('test-api', 'refusals_total'),
      sum: {
        isMonotonic: true,
        dataPoints: [{ attributes: label('code', 'missing_token'), asDouble: 3 }],
      },
    },
    {
      ...of('test-api', 'duration_seconds'),
      histogram: {
        dataPoints: [
          {
            attributes: label('route', '/v1/monitors'),
            count: 4,
            sum: 7.6,
            bucketCounts: [2, 1, 1],
            explicitBounds: [0.1, 1],
          },
          {
            attributes: label('route', '/v1/apply'),
            count: 1,
            sum: 0.5,
            bucketCounts: [0, 1, 0],
            explicitBounds: [0.1, 1],
          },
        ],
      },
    },
  ]);
  expect(collector.headers().map((headers) => headers['api-key'])).toEqual(['k']);
});

test('an unreadable registry or an unavailable metrics collector does not prevent the exit of a process', async () => {
  const before = collector.metrics().length;
  expect(await exportOnce(collector.endpoint, 'unreadable')).toBe(0);
  expect(await exportOnce('http://127.0.0.1:1')).toBe(0);
  expect(collector.metrics()).toHaveLength(before);
});
