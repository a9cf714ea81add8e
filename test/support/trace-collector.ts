/** An OpenTelemetry collector on loopback that keeps the spans it is sent over OTLP/HTTP. */
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

export type CollectedSpan = z.output<typeof SPAN> & { readonly service: string };

export interface TraceCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  readonly spans: () => readonly CollectedSpan[];
  /** All that was sent, as it came. */
  readonly text: () => string;
  /** Headers of each delivery. */
  readonly headers: () => readonly NodeJS.Dict<string | string[]>[];
  readonly close: () => Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const target = await startRecordingTarget(({ url }, response) => {
    response.statusCode = url === '/v1/traces' ? 200 : 404;
    response.setHeader('content-type', 'application/json').end('{}');
  });
  return {
    endpoint: target.origin,
    spans: () => target.received.flatMap(({ body }) => readSpans(body)),
    text: () => target.received.map(({ body }) => body).join('\n'),
    headers: () => target.received.map(({ headers }) => headers),
    close: target.close,
  };
}

function readSpans(body: string): readonly CollectedSpan[] {
  return BODY.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name');
    const name = service?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service: name })));
  });
}
