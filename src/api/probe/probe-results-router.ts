/**
 * What probes measured in quiet checks: `POST /internal/probe/results`. A delivery is sealed for the
 * region that its token proves, bounded, and confirmed only after all of it is stored.
 */
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { StepOutcome } from '../../contracts/outcome';
import {
  DELIVERY_BYTES_MAX,
  DELIVERY_RESULTS_MAX,
  type DeliveryReceipts,
  deliveryContext,
  PROBE_RESULTS_PATH,
} from '../../contracts/probe-protocol';
import { isId } from '../../domain/definitions/ids';
import { AppError } from '../../platform/errors';
import { recordQuietResults } from '../../services/results/record-quiet-results';
import { readBinaryBody } from '../routing/read-body';
import { readBody } from '../routing/read-shape';
import {
  type AuthenticatedProbe,
  authenticateProbe,
  type ProbeRouterOptions,
  REGION,
} from './authenticate-probe';

const DELIVERY_RULE = {
  mediaTypes: ['application/octet-stream'],
  isOptional: false,
  bytesMax: DELIVERY_BYTES_MAX,
};
const INSTANT_MS = z.int().min(0);
const gapShape = z.strictObject({
  reason: z.literal('missed'),
  fromSlotMs: INSTANT_MS,
  toSlotMs: INSTANT_MS,
  slots: z.int().min(1),
});
const resultShape = z
  .strictObject({
    accountId: z.string().min(1).max(64),
    monitorId: z.string().refine((id) => isId('monitor', id), 'must be the id of a monitor'),
    revision: z.int().min(0),
    slotMs: INSTANT_MS,
    nextSlotMs: INSTANT_MS,
    outcome: z.custom<StepOutcome>(isOutcome, 'must be an outcome'),
    gap: gapShape.nullable(),
  })
  .refine(
    ({ gap, slotMs }) => gap === null || (gap.fromSlotMs <= gap.toSlotMs && gap.toSlotMs < slotMs),
    { path: ['gap'], error: 'must end before the slot' },
  );
const deliveryShape = z.strictObject({
  region: z.string().regex(REGION),
  results: z.array(resultShape).max(DELIVERY_RESULTS_MAX),
});

export function createProbeResultsRouter(options: ProbeRouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.post(PROBE_RESULTS_PATH, async (request: Request, response: Response) => {
    const probe = await authenticateProbe(request, options);
    const { region } = probe;
    const sealed = await readBinaryBody(request, response, DELIVERY_RULE);
    const delivery = readBody(deliveryShape, openDelivery(probe, sealed));
    if (delivery.region !== region)
      throw new AppError('invalid_token', 'This token belongs to another region.');
    const receipts: DeliveryReceipts = {
      receipts: await recordQuietResults(options.services, delivery),
    };
    response
      .type('application/octet-stream')
      .send(probe.sealResponse(receipts, deliveryContext('receipts', region)));
  });

  return router;
}

/** The seal proves that this probe wrote it; throws `invalid_token` otherwise. */
function openDelivery(probe: AuthenticatedProbe, sealed: Buffer): unknown {
  try {
    const opened = probe.openDelivery(sealed, deliveryContext('results', probe.region));
    return JSON.parse(opened.toString('utf8'));
  } catch (error) {
    throw new AppError('invalid_token', 'This delivery was not sealed by this probe.', {
      cause: error,
    });
  }
}

/** Guards against the shape of another release. */
function isOutcome(value: unknown): value is StepOutcome {
  if (typeof value !== 'object' || value === null) return false;
  const given: Partial<Record<keyof StepOutcome, unknown>> = value;
  const isStatus = given.status === 'up' || given.status === 'degraded' || given.status === 'down';
  const lists = [given.assertions, given.attempts, given.extracted];
  const instants = [given.startedAt, given.finishedAt];
  return (
    isStatus &&
    lists.every((list) => Array.isArray(list)) &&
    instants.every((at) => typeof at === 'string' && Number.isFinite(Date.parse(at)))
  );
}
