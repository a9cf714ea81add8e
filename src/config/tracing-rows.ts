/** The settings for traces and exported metrics. Their names are from OpenTelemetry. */
import { z } from 'zod';
import { SAMPLERS } from '../platform/tracing';
import { defineSecretSetting, defineSetting } from './setting-row';
import { httpUrl } from './url-shapes';

const ALL = ['api', 'orchestrator', 'probe'] as const;
const HEADER = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*([\x21-\x7e]+)\s*$/;

/** A list of headers in the format `name=value,name2=value2`, with percent-encoded values. */
const headerList = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const pairs = text.split(',').map((pair) => HEADER.exec(pair));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        if (pair === null) throw new Error('no pair');
        const [, name = '', value = ''] = pair;
        return [name, decodeURIComponent(value)];
      }),
    );
  } catch {
    // The message does not contain the text, because it contains a secret.
    const message = 'must be a list like name=value,name2=value2';
    context.issues.push({ code: 'custom', message, input: null });
    return z.NEVER;
  }
});

const share = z
  .string()
  .regex(/^(0|1|0?\.\d+|1\.0+)$/, 'must be a number from 0 to 1')
  .transform(Number);

export const TRACING_ROWS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: defineSetting(
    ALL,
    httpUrl.optional(),
    '',
    'URL of an OpenTelemetry collector, like http://localhost:4318. It gets traces over OTLP/HTTP at /v1/traces, and metrics if OTEL_METRICS_EXPORTER is otlp. Empty: nothing is traced or sent',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: defineSecretSetting(
    ALL,
    headerList.optional(),
    '',
    'HTTP headers for the collector, like api-key=…,name=value',
  ),
  OTEL_TRACES_SAMPLER: defineSetting(
    ALL,
    z.enum(SAMPLERS).default('parentbased_always_on'),
    'parentbased_always_on',
    `which requests and checks are traced: ${SAMPLERS.join(', ')}; use parentbased_traceidratio if there are many monitors`,
  ),
  OTEL_TRACES_SAMPLER_ARG: defineSetting(
    ALL,
    share.default(1),
    '1',
    'share of requests and checks to trace, from 0 to 1, for the samplers with a ratio',
  ),
  OTEL_SERVICE_NAME: defineSetting(
    ALL,
    z.string().default('keepwatch'),
    'keepwatch',
    'name of the service in traces and metrics. The role is added at the end, like keepwatch-probe',
  ),
};

const INTERVAL_MIN_MS = 1_000;
const INTERVAL_MAX_MS = 3_600_000;

/** The settings for exporting metrics, which only the API reads. */
export const METRICS_EXPORT_ROWS = {
  OTEL_METRICS_EXPORTER: defineSetting(
    ['api'],
    z.enum(['otlp', 'none']).default('none'),
    'none',
    'otlp: the API sends the metrics of /metrics to OTEL_EXPORTER_OTLP_ENDPOINT, at /v1/metrics; none: it sends no metrics',
  ),
  OTEL_METRIC_EXPORT_INTERVAL: defineSetting(
    ['api'],
    z
      .string()
      .regex(/^\d{1,7}$/, 'must be a whole number of milliseconds')
      .transform(Number)
      .refine(
        (ms) => ms >= INTERVAL_MIN_MS && ms <= INTERVAL_MAX_MS,
        `must be from ${INTERVAL_MIN_MS} to ${INTERVAL_MAX_MS}`,
      )
      .default(60_000),
    '60000',
    'milliseconds between two exports of metrics',
  ),
};

export type TracingSettings = {
  readonly [Name in keyof typeof TRACING_ROWS]: z.output<(typeof TRACING_ROWS)[Name]['shape']>;
};
