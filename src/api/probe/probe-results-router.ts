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
import { isProbeOutcome } from '../../domain/health/outcome-shape';
import { AppError } from '../../platform/errors';
import { recordDelivery } from '../../services/results/record-delivery';
import { readBinaryBody } from '../routing/read-body';
import { readBody } from '../routing/read-shape';
import { createPace } from '../server/pace';
import {
  type AuthenticatedProbe,
  authenticateProbe,
  type ProbeRouterOptions,
  REGION,
} from './authenticate-probe';

/** Of all probes with one key; each makes two to eight. */
const DELIVERIES_PER_SECOND_MAX = 200;
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
const resultShape = (nowMs: number) =>
  z
    .strictObject({
      accountId: z.string().min(1).max(64),
      monitorId: z.string().refine((id) => isId('monitor', id), 'must be the id of a monitor'),
      revision: z.int().min(0),
      slotMs: INSTANT_MS,
      nextSlotMs: INSTANT_MS,
      outcome: z.custom<StepOutcome>(
        (value) => isMeasuredOutcome(value, nowMs),
        'must be an outcome that was measured, and not in the future',
      ),
      gap: gapShape.nullable(),
    })
    .refine(
      ({ gap, slotMs }) =>
        gap === null || (gap.fromSlotMs <= gap.toSlotMs && gap.toSlotMs < slotMs),
      { path: ['gap'], error: 'must end before the slot' },
    );
const deliveryShape = (nowMs: number) =>
  z.strictObject({
    region: z.string().regex(REGION),
    results: z.array(resultShape(nowMs)).max(DELIVERY_RESULTS_MAX),
  });

/** Quiet checks report what passed or failed; what nobody knows goes through the workflow. */
function isMeasuredOutcome(value: unknown, nowMs: number): boolean {
  return isProbeOutcome(value, nowMs) && value.status !== 'unknown';
}

export function createProbeResultsRouter(options: ProbeRouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const pace = createPace(DELIVERIES_PER_SECOND_MAX, 'A probe key');

  router.post(PROBE_RESULTS_PATH, async (request: Request, response: Response) => {
    const probe = await authenticateProbe(request, options);
    const { region } = probe;
    const sealed = await readBinaryBody(request, response, DELIVERY_RULE);
    pace.admit(probe.keyId, performance.now());
    const shape = deliveryShape(options.services.clock.now());
    const delivery = readBody(shape, openDelivery(probe, sealed));
    if (delivery.region !== region)
      throw new AppError('invalid_token', 'This token belongs to another region.');
    const receipts: DeliveryReceipts = {
      receipts: await recordDelivery(options.services, delivery),
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
