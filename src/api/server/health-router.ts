/** `/healthz`: the process is running. `/readyz`: its dependencies are available. Neither needs credentials. */
import { type RequestHandler, Router } from 'express';
import type { Readiness } from './readiness';

const RETRY_AFTER_SECONDS = '5';

export function createHealthRouter(
  readReadiness: () => Promise<Readiness>,
  headers: RequestHandler,
): Router {
  const router = Router();
  router.get('/healthz', headers, (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', headers, async (_request, response) => {
    const { isReady, dependencies } = await readReadiness();
    if (!isReady) response.set('Retry-After', RETRY_AFTER_SECONDS);
    response.set('Cache-Control', 'no-store').status(isReady ? 200 : 503);
    response.json({ status: isReady ? 'ready' : 'unavailable', dependencies });
  });
  return router;
}
