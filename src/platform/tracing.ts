/** Exports traces over OTLP/HTTP, if the settings ask for them. A span contains no URL, header or body. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Span, SpanKind, SpanStatusCode, Tracer } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { WorkflowSpan } from '../contracts/trace';
import { readVersion } from './version';

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingOptions {
  /** URL of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sampler: (typeof SAMPLERS)[number];
  /** The ratio for the ratio-based samplers, from 0 to 1. */
  readonly ratio: number;
  readonly serviceName: string;
  /** The process role: api, orchestrator or probe. */
  readonly role: string;
}

type Facts = Readonly<Record<string, string | number>>;

interface SpanOptions {
  readonly name: string;
  readonly kind: keyof typeof SpanKind;
  /**
   * The traceparent of the parent span. If absent, the current span is the parent. Without a current span, a new trace
   * begins.
   */
  readonly parent?: string | undefined;
  readonly facts?: Facts;
}

export interface OpenSpan {
  readonly traceparent: string;
  /** Runs the work in this span. Spans that begin in the work are its children. */
  readonly run: <Result>(work: () => Result) => Result;
  readonly add: (facts: Facts) => void;
  readonly rename: (name: string) => void;
  /** @param failure The code of the failure. Absent on success. */
  readonly end: (failure?: string) => void;
}

export interface Tracing {
  /** Returns the traceparent of the caller's span. undefined outside of a span. */
  readonly current: () => string | undefined;
  readonly begin: (options: SpanOptions) => OpenSpan;
  readonly record: (span: WorkflowSpan) => void;
  /** Exports the remaining spans, for two seconds at most. Never rejects. */
  readonly close: () => Promise<void>;
}

const CLOSE_MS = 2_000;
const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Loads the exporter and starts to trace. */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const api = await import('@opentelemetry/api');
  const ids = await createIds();
  const { TracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const url = `${options.endpoint}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers: { ...options.headers } });
  const provider = new TracerProvider({
    sampler: await createSampler(options),
    idGenerator: ids.generator,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
    resource: resourceFromAttributes({
      'service.name': `${options.serviceName}-${options.role}`,
      'service.version': readVersion(),
      'service.instance.id': String(process.pid),
    }),
  });
  const tracer = provider.getTracer('keepwatch');
  const running = new AsyncLocalStorage<string>();
  const below = (parent: string | undefined): Context => buildContext(api, parent);

  return {
    current: () => running.getStore(),
    begin: ({ name, kind, parent = running.getStore(), facts = {} }) => {
      const started = { kind: api.SpanKind[kind], attributes: { ...facts } };
      const span = startSpan(tracer, name, [started, below(parent)]);
      return openSpan(span, { running, errorCode: api.SpanStatusCode.ERROR });
    },
    record: ({ name, parent, spanId, startMs, endMs }) => {
      const started = { kind: api.SpanKind.INTERNAL, startTime: startMs };
      const span = ids.withSpanId(spanId, () => startSpan(tracer, name, [started, below(parent)]));
      span.end(endMs);
    },
    close: () => Promise.race([provider.shutdown().catch(() => undefined), sleepLightly()]),
  };
}

/** Waits without keeping the process alive. */
function sleepLightly(): Promise<undefined> {
  return sleep(CLOSE_MS, undefined, { ref: false });
}

function startSpan(
  tracer: Tracer,
  name: string,
  rest: [Parameters<Tracer['startSpan']>[1], Context],
): Span {
  return tracer.startSpan(name, ...rest);
}

interface SpanNeeds {
  readonly running: AsyncLocalStorage<string>;
  readonly errorCode: SpanStatusCode;
}

function openSpan(span: Span, { running, errorCode }: SpanNeeds): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  return {
    traceparent,
    run: (work) => running.run(traceparent, work),
    add: (facts) => void span.setAttributes({ ...facts }),
    rename: (name) => void span.updateName(name),
    end: (failure) => {
      if (failure !== undefined) span.setStatus({ code: errorCode, message: failure });
      span.end();
    },
  };
}

type Api = typeof import('@opentelemetry/api');

/** Returns the context of a span. A missing or malformed traceparent begins a new trace. */
function buildContext(api: Api, parent: string | undefined): Context {
  const [, traceId, spanId, flags] = PARENT.exec(parent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return api.ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16);
  return api.trace.setSpanContext(api.ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags,
    isRemote: true,
  });
}

/** Creates the generator of ids. All ids are random, except that of a span whose id was chosen before. */
async function createIds() {
  const { RandomIdGenerator } = await import('@opentelemetry/sdk-trace');
  const random = new RandomIdGenerator();
  let given: string | null = null;
  return {
    generator: {
      generateTraceId: () => random.generateTraceId(),
      generateSpanId: () => given ?? random.generateSpanId(),
    },
    withSpanId: <Result>(spanId: string, work: () => Result): Result => {
      given = spanId;
      try {
        return work();
      } finally {
        given = null;
      }
    },
  };
}

async function createSampler({ sampler, ratio }: TracingOptions): Promise<Sampler> {
  const { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } =
    await import('@opentelemetry/sdk-trace');
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  switch (sampler) {
    case 'always_on':
    case 'always_off':
    case 'traceidratio':
      return roots[sampler]();
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: roots.always_on() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: roots.always_off() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: roots.traceidratio() });
  }
}
