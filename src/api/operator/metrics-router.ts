/**
 * `/metrics` for Prometheus, and the middleware that times every request. Requests from other machines need a token.
 */
import { timingSafeEqual } from 'node:crypto';
import { type Request, type RequestHandler, Router } from 'express';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '../../platform/errors';
import type { RegistryMetric } from '../../platform/metrics-export';
import { readVersion } from '../../platform/version';
import { listUnprovenCounters, takeTries } from '../../services/accounts/login-throttle';
import { type MetricsSnapshot, readMetrics } from '../../services/operations/read-metrics';
import type { Dependencies } from '../../services/ports/dependencies';
import { isLocalUrl } from '../server/local-hosts';
import { createSnapshotGauges } from './metrics-text';

export interface MetricsOptions {
  /**
   * null means that only requests from this machine are served. If the service also has a public host name, no requests
   * are served.
   */
  readonly metricsToken: string | null;
  readonly publicUrl: string;
}

export interface Metrics {
  /** Times requests by route and status class. It must be the first middleware. */
  readonly timeRequests: RequestHandler;
  readonly router: Router;
  /** The current values of `/metrics`, for exporters. */
  readonly read: () => Promise<readonly RegistryMetric[]>;
}

/** Scrapes within this time share one snapshot. */
const SNAPSHOT_FOR_MS = 5_000;
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30, 120];
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Registers every metric of `/metrics`. `readFreeBytes` is called when the values are read. */
export function createMetricsRegistry(readFreeBytes: () => Promise<number | null>) {
  const registry = new Registry();
  const latency = new Histogram({
    name: 'keepwatch_api_request_duration_seconds',
    help: 'Time to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'keepwatch_api_refusals_total',
    help: 'Requests that were refused, by the code of the problem',
    labelNames: ['code'],
    registers: [registry],
  });
  const build = new Gauge({
    name: 'keepwatch_build_info',
    help: 'The release that runs',
    labelNames: ['version'],
    registers: [registry],
  });
  build.set({ version: readVersion() }, 1);
  showFreeBytes(registry, readFreeBytes);
  return { registry, latency, refusals, show: createSnapshotGauges(registry) };
}

export function createMetrics(options: MetricsOptions, services: Dependencies): Metrics {
  const { registry, latency, refusals, show } = createMetricsRegistry(() =>
    services.installation.readFreeBytes(),
  );
  const snapshot = rememberFor(SNAPSHOT_FOR_MS, services.clock.now, () => readMetrics(services));
  const update = async (): Promise<void> => show(await snapshot());
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/metrics', async (request, response) => {
    await requireMayRead(services, request, options);
    await update();
    response.set('Cache-Control', 'no-store').type(registry.contentType);
    response.send(await registry.metrics());
  });
  const read = async (): Promise<readonly RegistryMetric[]> => {
    await update();
    return registry.getMetricsAsJSON();
  };
  return { timeRequests: timeRequests(latency, refusals), router, read };
}

function showFreeBytes(registry: Registry, readFreeBytes: () => Promise<number | null>): void {
  const gauge = new Gauge({
    name: 'keepwatch_data_free_bytes',
    help: 'Room on the disk of the data folder; absent where the database runs elsewhere',
    registers: [registry],
    collect: async () => {
      const bytes = await readFreeBytes();
      if (bytes === null) gauge.remove();
      else gauge.set(bytes);
    },
  });
}

function timeRequests(
  latency: Histogram<'method' | 'route' | 'status'>,
  refusals: Counter<'code'>,
): RequestHandler {
  return (request, response, next) => {
    const stop = latency.startTimer();
    response.once('close', () => {
      const code: unknown = response.locals['refusal'];
      if (typeof code === 'string') refusals.inc({ code });
      // Streams are not timed, because their duration is not a latency.
      if (response.locals['isStream'] === true) return;
      const route: unknown = response.locals['route'];
      stop({
        method: request.method,
        route: typeof route === 'string' ? route : 'other',
        status: `${Math.floor(response.statusCode / 100)}xx`,
      });
    });
    next();
  };
}

/** True if the request comes from this machine, and no header says that a proxy forwarded it. */
function isFromHere(request: Request): boolean {
  const { forwarded, 'x-forwarded-for': forwardedFor } = request.headers;
  if (forwarded !== undefined || forwardedFor !== undefined) return false;
  return LOOPBACK.has(request.socket.remoteAddress ?? '');
}

/**
 * Refuses callers without the token. If no token is configured, accepts only callers from this machine. If the service
 * also has a public host name, refuses these callers, too: behind a proxy on this machine, every request seems to come
 * from here.
 */
async function requireMayRead(
  services: Dependencies,
  request: Request,
  { metricsToken: token, publicUrl }: MetricsOptions,
): Promise<void> {
  const given = request.headers.authorization?.replace(/^Bearer /i, '');
  if (token !== null && given !== undefined && isSame(token, given)) return;
  if (token === null && isLocalUrl(publicUrl) && isFromHere(request)) return;
  if (given !== undefined)
    await takeTries(services, listUnprovenCounters('metrics', request.ip ?? ''));
  throw new AppError('missing_token', 'Send the token of KEEPWATCH_METRICS_TOKEN as Bearer.');
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function rememberFor(
  forMs: number,
  now: () => number,
  read: () => Promise<MetricsSnapshot>,
): () => Promise<MetricsSnapshot> {
  let known: { readonly untilMs: number; readonly value: Promise<MetricsSnapshot> } | null = null;
  return () => {
    if (known !== null && known.untilMs > now()) return known.value;
    const value = read();
    const fresh = { untilMs: now() + forMs, value };
    known = fresh;
    value.catch(() => {
      if (known === fresh) known = null;
    });
    return value;
  };
}
