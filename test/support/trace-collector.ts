/**
 * An OpenTelemetry collector on loopback that stores the spans and metrics it receives over
 * OTLP/HTTP.
 */
import { z } from 'zod';
import { startRecordingTarget } from './recording-target';

const VALUE = z.object({ stringValue: z.string().optional(), intValue: z.unknown().optional() });
const ATTRIBUTES = z.array(z.object({ key: z.string(), value: VALUE }));
const SPAN = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: ATTRIBUTES,
});
const BODY = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: ATTRIBUTES }),
      scopeSpans: z.array(z.object({ spans: z.array(SPAN) })),
    }),
  ),
});

const POINT = z.object({
  attributes: ATTRIBUTES,
  asDouble: z.number().optional(),
  count: z.number().optional(),
  sum: z.number().optional(),
  bucketCounts: z.array(z.number()).optional(),
  explicitBounds: z.array(z.number()).optional(),
});
const POINTS = z.object({ dataPoints: z.array(POINT) });
const METRIC = z.object({
  name: z.string(),
  description: z.string(),
  gauge: POINTS.optional(),
  sum: POINTS.extend({ isMonotonic: z.boolean() }).optional(),
  histogram: POINTS.optional(),
});
const METRICS_BODY = z.object({
  resourceMetrics: z.array(
    z.object({
      resource: z.object({ attributes: ATTRIBUTES }),
      scopeMetrics: z.array(z.object({ metrics: z.array(METRIC) })),
    }),
  ),
});

export type CollectedMetric = z.output<typeof METRIC> & { readonly service: string };

export type CollectedSpan = z.output<typeof SPAN> & { readonly service: string };

export interface TraceCollector {
  /** The value to set as OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  readonly spans: () => readonly CollectedSpan[];
  /** Returns the metrics of all exports, in order. */
  readonly metrics: () => readonly CollectedMetric[];
  /** Returns everything that was received, unprocessed. */
  readonly text: () => string;
  /** Returns the headers of each request. */
  readonly headers: () => readonly NodeJS.Dict<string | string[]>[];
  readonly close: () => Promise<void>;
}

const TRACES = '/v1/traces';
const METRICS = '/v1/metrics';

export async function startTraceCollector(): Promise<TraceCollector> {
  const target = await startRecordingTarget(({ url }, response) => {
    response.statusCode = url === TRACES || url === METRICS ? 200 : 404;
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const bodiesOf = (path: string) =>
    target.received.flatMap(({ url, body }) => (url === path ? [body] : []));
  return {
    endpoint: target.origin,
    spans: () => bodiesOf(TRACES).flatMap(readSpans),
    metrics: () => bodiesOf(METRICS).flatMap(readMetrics),
    text: () => target.received.map(({ body }) => body).join('\n'),
    headers: () => target.received.map(({ headers }) => headers),
    close: target.close,
  };
}

function readSpans(body: string): readonly CollectedSpan[] {
  return BODY.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = nameOf(resource);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
  });
}

function readMetrics(body: string): readonly CollectedMetric[] {
  return METRICS_BODY.parse(JSON.parse(body)).resourceMetrics.flatMap(
    ({ resource, scopeMetrics }) => {
      const service = nameOf(resource);
      return scopeMetrics.flatMap(({ metrics }) =>
        metrics.map((metric) => ({ ...metric, service })),
      );
    },
  );
}

function nameOf({ attributes }: { readonly attributes: z.output<typeof ATTRIBUTES> }): string {
  return attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
}
