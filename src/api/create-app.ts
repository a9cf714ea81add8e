/** Assembles the Express application from its routers and middlewares. */
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { AppError } from '../platform/errors';
import { type Copies, createCopies } from '../platform/last-good';
import type { Logger } from '../platform/logger';
import type { Tracing } from '../platform/tracing';
import type { Dependencies } from '../services/ports/dependencies';
import { listSignInOptions } from '../services/sign-in/sign-in-options';
import { createHookRouter } from './hooks/hook-router';
import { createInnerRequests } from './mcp/inner-requests';
import { createMcpRouter } from './mcp/mcp-router';
import { createCodecRouter, type ReadPayloads } from './operator/codec-router';
import { createMetrics } from './operator/metrics-router';
import { createTemporalProxy } from './operator/temporal-proxy';
import { createAcknowledgePage } from './pages/acknowledge-page';
import { createCustomDomains } from './pages/custom-domains';
import { createDashboardFiles } from './pages/dashboard-files';
import { createDocsFiles } from './pages/docs-files';
import { createDocsPage } from './pages/docs-page';
import { createEntryPages } from './pages/entry-pages';
import { findFont } from './pages/shipped-font';
import { createStatusPageRouter } from './pages/status-page-router';
import { createVisits } from './pages/status-page-visit';
import { createSubscriptionPages } from './pages/subscription-pages';
import { createPings } from './pings/pings';
import { createProbeRouter } from './probe/probe-router';
import { mountRoutes } from './routing/mount-routes';
import { createCompression } from './server/compress-responses';
import { createCrossOrigin } from './server/cross-origin';
import { createErrorHandler, refuseUnknownPath } from './server/error-handler';
import { createHealthRouter } from './server/health-router';
import { refuseForeignHosts } from './server/local-hosts';
import type { Readiness } from './server/readiness';
import { createRequestIds } from './server/request-id';
import { createRequestLog } from './server/request-log';
import { createLoadShedding, type LoadBounds } from './server/shed-load';
import { createRequestTraces } from './server/trace-requests';
import { ROUTES } from './v1/route-table';

export interface AppOptions {
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly newRequestId: () => string;
  readonly readReadiness: () => Promise<Readiness>;
  readonly publicUrl: string;
  readonly secretKeys: readonly string[];
  /** Timeout of requests whose route sets none. The default is 3 s. */
  readonly requestDeadlineMs?: number | undefined;
  /** How many requests may run and how many may wait. By default, as many as one process can serve. */
  readonly loadBounds?: LoadBounds | undefined;
  /** True means that the service accepts only requests that are addressed to this machine. */
  readonly isLocalOnly?: boolean | undefined;
  /** Token that readers of metrics must send. null means that only this machine may read metrics. */
  readonly metricsToken: string | null;
  /** The trusted proxies in front of the service: their number, or their networks. 0 if there are no proxies. */
  readonly trustedProxies: number | readonly string[];
  /** Folder of the built dashboard. If absent, this process does not serve the dashboard. */
  readonly dashboardFolder?: string | undefined;
  /** Origins whose pages may call /v1 with a key. Absent if there are no origins. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Records traces of requests. If absent, requests are not traced. */
  readonly tracing?: Tracing | undefined;
  /** Cached status pages for times when the database is unavailable. */
  readonly copies?: Copies | undefined;
  /** The Temporal UI to show. If absent, this process shows none. */
  readonly temporalUi?: TemporalUi | undefined;
}

interface TemporalUi {
  /** The URL at which the Temporal UI listens; null means that it is not proxied. */
  readonly url: string | null;
  readonly readPayloads: ReadPayloads;
}

/** Creates the application with all its routes. */
export function createApp(
  options: AppOptions,
  services: Dependencies,
  metrics = createMetrics(options, services),
): Express {
  const { publicUrl, secretKeys, requestDeadlineMs, temporalUi, logger, dashboardFolder } = options;
  const readPayloads = temporalUi?.readPayloads;
  const uiUrl = temporalUi?.url ?? null;
  const fontUrl = findFont(dashboardFolder);
  const copies = options.copies ?? createCopies(services.clock);
  const site = { services, fontUrl, copies, visit: createVisits(services, copies) };
  const domains = createCustomDomains(site);
  const load = createLoadShedding({ logger, publicUrl, bounds: options.loadBounds });
  const pings = createPings(services, load);
  const outside: RequestHandler[] = [
    ...(options.tracing === undefined ? [] : [createRequestTraces(options.tracing)]),
    metrics.timeRequests,
    pings.take,
    createCrossOrigin(options.corsOrigins ?? []),
    // `domains.lead` must come before all routing by path, because it changes the paths of requests to custom domains.
    domains.rewritePath,
    load.admitRequests,
    createRequestLog(logger),
  ];
  // The proxy comes before the security headers, because the content security policy of our own pages would break the
  // Temporal UI.
  if (uiUrl !== null) outside.push(createTemporalProxy({ services, publicUrl, uiUrl, logger }));
  outside.push(createCompression());
  const dashboard = dashboardFolder === undefined ? null : createDashboardFiles(dashboardFolder);
  const sendInside = createInnerRequests((request, response) => app(request, response));
  const app = assemble({ ...options, outside }, [
    domains.router,
    createProbeRouter({ services, secretKeys }),
    ...(readPayloads === undefined
      ? []
      : [createCodecRouter({ services, publicUrl, readPayloads })]),
    ...(dashboard === null ? [] : [dashboard.files]),
    pings.refuse,
    createHookRouter(services),
    createMcpRouter({ services, publicUrl, sendInside }),
    createAcknowledgePage(services, fontUrl),
    createEntryPages({
      isMailSetUp: services.mailer !== null,
      signIn: listSignInOptions(services),
      fontUrl,
    }),
    createDocsFiles({ fontUrl }),
    createDocsPage({ routes: ROUTES, publicUrl, fontUrl }),
    createSubscriptionPages(site),
    createStatusPageRouter(site),
    metrics.router,
    mountRoutes(ROUTES, { services, publicUrl, secretKeys, requestDeadlineMs }),
    ...(dashboard === null ? [] : [dashboard.notFound]),
  ]);
  return app;
}

/** The application before the database is connected: health endpoints work, every other request gets 503. */
export function createStartingApp(options: AppOptions): Express {
  const refuse: RequestHandler = () => {
    throw new AppError('unavailable', 'The service is starting. Try again soon.');
  };
  return assemble(options, [refuse]);
}

function assemble(
  { outside = [], ...options }: AppOptions & { readonly outside?: readonly RequestHandler[] },
  routers: readonly RequestHandler[],
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', options.trustedProxies === 0 ? false : options.trustedProxies);
  app.use(createRequestIds(options.newRequestId));
  if (options.isLocalOnly === true) app.use(refuseForeignHosts);
  const headers = helmet(headersFor(options.publicUrl));
  app.use(createHealthRouter(options.readReadiness, headers));
  for (const router of outside) app.use(router);
  app.use(headers);
  for (const router of routers) app.use(router);
  app.use(refuseUnknownPath);
  app.use(createErrorHandler(options.logger));
  return app;
}

/**
 * Returns the security headers of our own pages. If the public URL is plain http, the response must not make browsers
 * require https.
 */
function headersFor(publicUrl: string): Parameters<typeof helmet>[0] {
  const isSecure = publicUrl.startsWith('https:');
  const directives = {
    'frame-ancestors': ["'none'"],
    'upgrade-insecure-requests': isSecure ? [] : null,
  };
  const xFrameOptions = { action: 'deny' } as const;
  return {
    contentSecurityPolicy: { directives },
    strictTransportSecurity: isSecure,
    xFrameOptions,
  };
}
