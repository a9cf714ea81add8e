/**
 * `POST /internal/probe/results` receives the results of watches. A delivery must be encrypted for the region that its
 * token proves. The response confirms it after all results are stored.
 */
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { StepOutcome } from '../../contracts/outcome';
import {
  DELIVERY_RESULTS_MAX,
  type DeliveryReceipts,
  PROBE_RESULTS_PATH,
} from '../../contracts/probe-protocol';
import { isId } from '../../domain/definitions/ids';
import { isProbeOutcome } from '../../domain/health/outcome-shape';
import { recordDelivery } from '../../services/results/record-delivery';
import { createReportPace } from '../server/pace';
import { INSTANCE, type ProbeRouterOptions, REGION } from './authenticate-probe';
import { respondSealed } from './read-sealed';

/** Limit for all probes with one key together. In normal operation, each probe makes one or two requests per second. */
const DELIVERIES_PER_SECOND_MAX = 200;
const INSTANT_MS = z.int().min(0);
const gapShape = z.strictObject({
  reason: z.literal('missed'),
  fromSlotMs: INSTANT_MS,
  toSlotMs: INSTANT_MS,
  slots: z.int().min(1),
});
const resultShape = (nowMs: () => number) =>
  z
    .strictObject({
      accountId: z.string().min(1).max(64),
      monitorId: z.string().refine((id) => isId('monitor', id), 'must be the id of a monitor'),
      revision: z.int().min(0),
      slotMs: INSTANT_MS,
      nextSlotMs: INSTANT_MS,
      outcome: z.custom<StepOutcome>(
        (value) => isMeasuredOutcome(value, nowMs()),
        'must be a measured outcome that is not in the future',
      ),
      gap: gapShape.nullable(),
    })
    .refine(
      ({ gap, slotMs }) =>
        gap === null || (gap.fromSlotMs <= gap.toSlotMs && gap.toSlotMs < slotMs),
      { path: ['gap'], error: 'must end before the slot' },
    );
const deliveryShape = (nowMs: () => number) =>
  z.strictObject({
    region: z.string().regex(REGION),
    instance: z.string().regex(INSTANCE),
    results: z.array(resultShape(nowMs)).max(DELIVERY_RESULTS_MAX),
  });

/** True for passed and failed checks. Watches report no unknown outcomes, because the workflow handles these. */
function isMeasuredOutcome(value: unknown, nowMs: number): boolean {
  return isProbeOutcome(value, nowMs) && value.status !== 'unknown';
}

export function createProbeResultsRouter(options: ProbeRouterOptions): Router {
  const { services } = options;
  const { clock } = services;
  const router = Router({ caseSensitive: true, strict: true });
  // The schema is created once, because building it takes longer than validating a delivery.
  const shape = deliveryShape(clock.now);
  const pace = createReportPace(DELIVERIES_PER_SECOND_MAX, 'A probe key');

  router.post(PROBE_RESULTS_PATH, (request: Request, response: Response) =>
    respondSealed(request, response, {
      options,
      pace,
      requestPart: 'results',
      responsePart: 'receipts',
      shape,
      work: async (delivery): Promise<DeliveryReceipts> => ({
        receipts: await recordDelivery(services, delivery),
        nowMs: clock.now(),
      }),
    }),
  );

  return router;
}
