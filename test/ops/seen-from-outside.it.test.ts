/**
 * Tests a running service from the view of the operator's own tools. They get the metrics of Temporal's workers, and
 * traces from the API through workflow and activity to the request of a check.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { choosePort } from '../../src/embedded/free-port';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { startService, type TestService } from '../support/service';
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../support/trace-collector';
import { waitUntil } from '../support/wait-until';
import { declaredIn, labelsNamed, metricsNamed } from './ops-queries';

/** Matches the prefixes and suffixes that the SDK adds to the names in its source. */
const DECORATION = /^temporal_|_total$|_seconds$/g;
const OF_TEMPORAL = /\btemporal_/;
/**
 * Source files of the SDK that contain the names of its metrics. The test reads them, because a metric is declared only
 * after its first value.
 */
const NAMES_OF_SDK = ['sdk-core/src/telemetry/metrics.rs', 'client/src/metrics.rs'].map((file) =>
  join(__dirname, '../../node_modules/@temporalio/core-bridge/sdk-core/crates', file),
);

let service: TestService;
let target: RecordingTarget;
let collector: TraceCollector;
let api: ApiClient;
let key: string;
let ports: { readonly orchestrator: number; readonly probe: number };

beforeAll(async () => {
  ports = { orchestrator: await choosePort(undefined), probe: await choosePort(undefined) };
  [target, collector] = await Promise.all([
    startRecordingTarget((_received, response) => response.end('fine')),
    startTraceCollector(),
  ]);
  service = await startService({
    regions: ['eu-west'],
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=k%20e%20y',
    },
    environmentOf: {
      orchestrator: metricsAt(ports.orchestrator),
      'probe-eu-west': metricsAt(ports.probe),
    },
  });
  key = (await service.setup()).apiKey;
  api = createApiClient(service.url, key);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([target?.close(), collector?.close()]);
});

const metricsAt = (port: number) => ({ KEEPWATCH_TEMPORAL_METRICS: `127.0.0.1:${port}` });

async function readPage(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  return response.text();
}

const seen = (path: string) => target.received.filter(({ url }) => url === path);

/** Returns the spans of one trace, from the root down to the span with this name. */
function lineTo(name: string, spans: readonly CollectedSpan[]): readonly CollectedSpan[] {
  const line: CollectedSpan[] = [];
  let next = spans.find((span) => span.name === name);
  while (next !== undefined) {
    line.unshift(next);
    const { traceId, parentSpanId } = next;
    next = spans.find((span) => span.traceId === traceId && span.spanId === parentSpanId);
  }
  return line;
}

const shown = (line: readonly CollectedSpan[]) => line.map(({ service, name }) => [service, name]);

test('one trace connects an API request, its workflow, its activity and the request to the target', async () => {
  const foreign = 'a'.repeat(32);
  const response = await fetch(`${service.url}/v1/monitors`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      traceparent: `00-${foreign}-${'b'.repeat(16)}-01`,
    },
    body: JSON.stringify({
      name: 'traced',
      url: `${target.origin}/traced?token=in-the-query`,
      method: 'HEAD',
      interval: 60,
      sendTraceparent: true,
    }),
  });
  expect(response.status).toBe(201);
  const line = await waitUntil('the span of the check', () => {
    const found = lineTo('HEAD', collector.spans());
    return found.length === 4 && found;
  });
  expect(shown(line)).toEqual([
    ['keepwatch-api', 'POST /v1/monitors'],
    ['keepwatch-orchestrator', expect.stringContaining('monitorWorkflow')],
    ['keepwatch-probe', 'runHttpStep'],
    ['keepwatch-probe', 'HEAD'],
  ]);
  const [received] = seen('/traced?token=in-the-query');
  const [, traceId, spanId] = String(received?.headers['traceparent']).split('-');
  expect([traceId, spanId]).toEqual([line[0]?.traceId, line[3]?.spanId]);
  expect(traceId).not.toBe(foreign);
  expect(collector.text()).not.toContain('in-the-query');
  expect(new Set(collector.headers().map((headers) => headers['api-key']))).toEqual(
    new Set(['k e y']),
  );
});

test('a scenario run is one trace, and its id is sent only to targets that may see the id', async () => {
  const steps = [
    { name: 'told', url: `${target.origin}/told`, method: 'PUT', sendTraceparent: true },
    {
      name: 'own',
      url: `${target.origin}/own`,
      sendTraceparent: true,
      headers: { traceparent: 'of the step' },
    },
    { name: 'untold', url: `${target.origin}/untold`, method: 'DELETE' },
  ];
  const body = { name: 'journey', interval: 3_600, enabled: false, steps };
  const id = z.object({ id: z.string() });
  const created = await api.call(
    { method: 'POST', path: '/v1/scenarios', body },
    { status: 201, shape: id },
  );
  await api.call(
    { method: 'POST', path: `/v1/scenarios/${created.id}/run` },
    { status: 202, shape: id },
  );
  const line = await waitUntil('the span of the last step', () => {
    const found = lineTo('DELETE', collector.spans());
    return found[0]?.service === 'keepwatch-api' && found;
  });
  expect(shown(line)).toEqual([
    ['keepwatch-api', 'POST /v1/scenarios/:scenarioId/run'],
    ['keepwatch-orchestrator', expect.stringContaining('scenarioWorkflow')],
    ['keepwatch-probe', 'runHttpStep'],
    ['keepwatch-probe', 'DELETE'],
  ]);
  expect(seen('/told')[0]?.headers['traceparent']).toContain(line[0]?.traceId);
  expect(seen('/own')[0]?.headers['traceparent']).toBe('of the step');
  expect(seen('/untold')[0]?.headers['traceparent']).toBeUndefined();
});

test('without a tracing endpoint, no tracing code is loaded', () => {
  const program = `
    require('./dist/main/open-tracing').startTracing({}, 'probe').then((tracing) => {
      const loaded = Object.keys(require.cache).filter((file) => file.includes('@opentelemetry'));
      console.log(JSON.stringify({ tracing: tracing ?? null, loaded }));
    });`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    cwd: join(__dirname, '../..'),
    encoding: 'utf8',
  });
  expect([stdout.trim(), stderr]).toEqual(['{"tracing":null,"loaded":[]}', '']);
});

test('a hanging trace collector does not delay the exit of a process', async () => {
  const hanging = await startRecordingTarget(() => undefined);
  const options = {
    endpoint: hanging.origin,
    headers: {},
    sampler: 'always_on',
    ratio: 1,
    serviceName: 'test',
    role: 'probe',
  };
  const program = `
    require('./dist/platform/tracing').openTracing(${JSON.stringify(options)}).then(async (tracing) => {
      tracing.begin({ name: 'lost', kind: 'SERVER' }).end();
      await tracing.close();
      process.exit();
    });`;
  const child = spawn(process.execPath, ['-e', program], {
    cwd: join(__dirname, '../..'),
    // With this timeout, the exporter itself would wait for longer than the test may take.
    env: { ...process.env, OTEL_EXPORTER_OTLP_TIMEOUT: '3600000' },
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(hanging.received).toHaveLength(1);
  await hanging.close();
});

test("orchestrator and probe expose Temporal's worker metrics under the names in ops/", async () => {
  const pages = [await readPage(ports.orchestrator), await readPage(ports.probe)];
  expect(pages[1]).toContain('task_queue="probe-eu-west"');
  const text = pages.join('\n');
  const declared = declaredIn(text);
  const named = metricsNamed(OF_TEMPORAL);
  expect(named.filter((name) => declared.has(name)).length).toBeGreaterThanOrEqual(4);
  const source = NAMES_OF_SDK.map((file) => readFileSync(file, 'utf8')).join('\n');
  const isKnown = (name: string) => source.includes(`"${name.replace(DECORATION, '')}"`);
  expect(named.filter((name) => !declared.has(name) && !isKnown(name))).toEqual([]);
  const missing = labelsNamed(OF_TEMPORAL).filter((label) => !text.includes(`${label}="`));
  expect(missing.filter((label) => label !== 'le')).toEqual([]);
});
