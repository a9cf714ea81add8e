/**
 * Exports metrics over OTLP/HTTP, from the registry behind `/metrics`. The exporter is loaded only if the settings ask
 * for it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HrTime } from '@opentelemetry/api';
import type { DataPoint, Histogram, MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { readVersion } from './version';

export type RegistryMetric = MetricObjectWithValues<
  MetricValue<string> & { readonly metricName?: string }
>;

export interface MetricsExportOptions {
  /** URL of the collector, without `/v1/metrics`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly everyMs: number;
  readonly serviceName: string;
  /** The process role: api, orchestrator or probe. */
  readonly role: string;
  readonly read: () => Promise<readonly RegistryMetric[]>;
}

export interface MetricsExport {
  /** Exports once more, for two seconds at most. Never rejects. */
  readonly close: () => Promise<void>;
}

const CLOSE_MS = 2_000;

/** Loads the exporter and starts to export. */
export async function openMetricsExport(options: MetricsExportOptions): Promise<MetricsExport> {
  const sdk = await import('@opentelemetry/sdk-metrics');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes({
    'service.name': `${options.serviceName}-${options.role}`,
    'service.version': readVersion(),
    'service.instance.id': String(process.pid),
  });
  const startTime = toHrTime(Date.now() - process.uptime() * 1_000);
  const collect = async (): Promise<ResourceMetrics> => {
    const read = await options.read();
    const times = { startTime, endTime: toHrTime(Date.now()) };
    const metrics = read.map((metric) => toMetricData(metric, times, sdk));
    return { resource, scopeMetrics: [{ scope: { name: 'keepwatch' }, metrics }] };
  };
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter: await createExporter(options),
    exportIntervalMillis: options.everyMs,
    exportTimeoutMillis: options.everyMs,
    metricProducers: [{ collect: async () => ({ resourceMetrics: await collect(), errors: [] }) }],
  });
  const provider = new sdk.MeterProvider({ resource, readers: [reader] });
  return {
    close: () => Promise.race([provider.shutdown().catch(() => undefined), sleepLightly()]),
  };
}

/** Waits without keeping the process alive. */
function sleepLightly(): Promise<undefined> {
  return sleep(CLOSE_MS, undefined, { ref: false });
}

/**
 * Creates the exporter. OpenTelemetry's own exporter package is incompatible with our trace packages, so it is not
 * used.
 */
async function createExporter({
  endpoint,
  headers,
}: Pick<MetricsExportOptions, 'endpoint' | 'headers'>) {
  const { OTLPExporterBase } = await import('@opentelemetry/otlp-exporter-base');
  const { createOtlpHttpExportDelegate, convertLegacyHttpOptions } = await import(
    '@opentelemetry/otlp-exporter-base/node-http'
  );
  const { JsonMetricsSerializer, MetricsExporterMetricsHelper } = await import(
    '@opentelemetry/otlp-transformer'
  );
  const config = { url: `${endpoint}/v1/metrics`, headers: { ...headers } };
  const contentType = { 'Content-Type': 'application/json' };
  return new OTLPExporterBase<ResourceMetrics>(
    createOtlpHttpExportDelegate(
      convertLegacyHttpOptions(config, 'METRICS', 'v1/metrics', contentType),
      JsonMetricsSerializer,
      'otlp_http_metric_exporter',
      MetricsExporterMetricsHelper,
      undefined,
    ),
  );
}

/** The value of OpenTelemetry's `ValueType.DOUBLE`. */
const DOUBLE = 1;

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

function toHrTime(atMs: number): HrTime {
  return [Math.floor(atMs / 1_000), Math.round((atMs % 1_000) * 1e6)];
}

type Sdk = Pick<
  typeof import('@opentelemetry/sdk-metrics'),
  'AggregationTemporality' | 'DataPointType'
>;

/** Converts a metric. The unit stays empty, because the names of metrics already contain it. */
function toMetricData(metric: RegistryMetric, times: Times, sdk: Sdk): MetricData {
  const { name, help: description, type } = metric;
  const { DataPointType, AggregationTemporality } = sdk;
  const descriptor = { name, description, unit: '', valueType: DOUBLE };
  const base = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  if (String(type) === 'histogram')
    return {
      ...base,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: readHistograms(metric).map((point) => ({ ...times, ...point })),
    };
  const dataPoints = metric.values.map(({ labels, value }) => ({
    ...times,
    attributes: { ...labels },
    value,
  }));
  if (String(type) === 'counter')
    return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  return { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

type HistogramPoint = Pick<DataPoint<Histogram>, 'attributes' | 'value'>;

/**
 * Converts the rows of histograms. In the registry, a histogram has one row per bucket with a cumulative count, one row
 * for the sum, and one row for the count.
 */
function readHistograms({ name, values }: RegistryMetric): readonly HistogramPoint[] {
  const byLabels = new Map<string, RegistryMetric['values']>();
  for (const row of values) {
    const { le: _bound, ...labels } = row.labels;
    const key = JSON.stringify(labels);
    byLabels.set(key, [...(byLabels.get(key) ?? []), row]);
  }
  return [...byLabels.values()].map((rows): HistogramPoint => {
    const find = (part: string): number =>
      rows.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0;
    const buckets = rows.filter(({ metricName }) => metricName === `${name}_bucket`);
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    const boundaries = buckets.map(({ labels }) => Number(labels['le'])).filter(Number.isFinite);
    const { le: _bound, ...attributes } = rows[0]?.labels ?? {};
    const value = { buckets: { boundaries, counts }, sum: find('sum'), count: find('count') };
    return { attributes, value };
  });
}
