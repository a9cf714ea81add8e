/**
 * The routes for watches. `POST /internal/probe/watches` reports which watches a probe runs, and `POST
 * /internal/probe/alive` reports that the probe is running.
 */
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import {
  deliveryContext,
  type OpenedWatches,
  PROBE_ALIVE_PATH,
  PROBE_WATCHES_PATH,
  WATCHES_OPENED_MAX,
} from '../../contracts/probe-protocol';
import { isId } from '../../domain/definitions/ids';
import { listMovedGrids } from '../../services/watches/list-moved-grids';
import { noteAlive } from '../../services/watches/note-alive';
import { openWatches } from '../../services/watches/open-watches';
import { readJsonBody } from '../routing/read-body';
import { readBody, readQuery } from '../routing/read-shape';
import { createReportPace } from '../server/pace';
import { authenticateProbe, INSTANCE, type ProbeRouterOptions, REGION } from './authenticate-probe';
import { requireOwnRegion, respondSealed } from './read-sealed';

/** Limit for all probes with one key together. Each probe sends at most twenty requests per second. */
const OPENINGS_PER_SECOND_MAX = 200;
/**
 * Limit for all probes with one key together. It is enough for the maximum number of probes per key, plus some that
 * have just started.
 */
const ALIVE_PER_SECOND_MAX = 50;
const ALIVE_RULE = { mediaTypes: ['application/json'], isOptional: false };
const openingsShape = z.strictObject({
  region: z.string().regex(REGION),
  instance: z.string().regex(INSTANCE),
  watches: z
    .array(
      z.strictObject({
        accountId: z.string().min(1).max(64),
        monitorId: z.string().refine((id) => isId('monitor', id), 'must be the id of a monitor'),
        revision: z.int().min(0),
        taskToken: z.base64().min(1).max(4_096),
      }),
    )
    .max(WATCHES_OPENED_MAX),
});
const aliveQuery = z.strictObject({ changedSince: z.coerce.number().int().min(0).optional() });
const aliveShape = z.strictObject({
  region: z.string().regex(REGION),
  instance: z.string().regex(INSTANCE),
});

export function createProbeWatchesRouter(options: ProbeRouterOptions): Router {
  const { services } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const openings = createReportPace(OPENINGS_PER_SECOND_MAX, 'A probe key');
  const hellos = createReportPace(ALIVE_PER_SECOND_MAX, 'A probe key');

  router.post(PROBE_WATCHES_PATH, (request: Request, response: Response) =>
    respondSealed(request, response, {
      options,
      pace: openings,
      requestPart: 'openings',
      responsePart: 'opened',
      shape: openingsShape,
      work: async (body): Promise<OpenedWatches> => ({
        watches: await openWatches(services, body),
        nowMs: services.clock.now(),
      }),
    }),
  );

  router.post(PROBE_ALIVE_PATH, async (request: Request, response: Response) => {
    const probe = await authenticateProbe(request, options);
    const alive = readBody(aliveShape, await readJsonBody(request, response, ALIVE_RULE));
    requireOwnRegion(probe, alive);
    hellos(probe.keyId, performance.now());
    await noteAlive(services, alive);
    const { region } = probe;
    const { changedSince: changedSinceMs } = readQuery(aliveQuery, request.query);
    if (changedSinceMs === undefined) {
      response.status(204).end();
      return;
    }
    const moved = await listMovedGrids(services, { region, changedSinceMs });
    response
      .type('application/octet-stream')
      .send(probe.sealResponse(moved, deliveryContext('moved', region)));
  });

  return router;
}
