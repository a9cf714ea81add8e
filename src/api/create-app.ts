/** The Express application, put together from its parts. It opens no port and no connection. */
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { AppError } from '../platform/errors';
import type { Logger } from '../platform/logger';
import type { Dependencies } from '../services/dependencies';
import { createErrorHandler, refuseUnknownPath } from './error-handler';
import { createHealthRouter } from './health-router';
import { mountRoutes } from './mount-routes';
import { createProbeRouter } from './probe-router';
import type { Readiness } from './readiness';
import { createRequestIds } from './request-id';
import { routeTable } from './route-table';

export interface AppOptions {
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly newRequestId: () => string;
  readonly readReadiness: () => Promise<Readiness>;
  readonly publicUrl: string;
  readonly secretKeys: readonly string[];
}

/** The whole service. */
export function createApp(options: AppOptions, services: Dependencies): Express {
  const { publicUrl, secretKeys } = options;
  return assemble(options, [
    createProbeRouter({ services, secretKeys }),
    mountRoutes(routeTable({ services, publicUrl }), { services, publicUrl, secretKeys }),
  ]);
}

/** What answers while the database has not been reached yet: health, and 503 for all the rest. */
export function createStartingApp(options: AppOptions): Express {
  const refuse: RequestHandler = () => {
    throw new AppError('engine_unavailable', 'The service is starting. Try again soon.');
  };
  return assemble(options, [refuse]);
}

function assemble(options: AppOptions, routers: readonly RequestHandler[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(createRequestIds(options.newRequestId));
  app.use(helmet(headersFor(options.publicUrl)));
  app.use(createHealthRouter(options.readReadiness));
  for (const router of routers) app.use(router);
  app.use(refuseUnknownPath);
  app.use(createErrorHandler(options.logger));
  return app;
}

/** Behind plain http, a browser must not be told to insist on https. */
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
