/** Decrypts the request bodies of probes, and encrypts the responses. */
import type { Request, Response } from 'express';
import type { z } from 'zod';
import {
  DELIVERY_BYTES_MAX,
  deliveryContext,
  type SealedPart,
} from '../../contracts/probe-protocol';
import { AppError } from '../../platform/errors';
import type { ReadJson } from '../../schemas/issues';
import { readBinaryBody } from '../routing/read-body';
import { readJson } from '../routing/read-shape';
import type { ReportPace } from '../server/pace';
import {
  type AuthenticatedProbe,
  authenticateProbe,
  type ProbeRouterOptions,
} from './authenticate-probe';

const SEALED_RULE = {
  mediaTypes: ['application/octet-stream'],
  isOptional: false,
  bytesMax: DELIVERY_BYTES_MAX,
};

export interface SealedExchange<Body> {
  readonly options: ProbeRouterOptions;
  readonly pace: ReportPace;
  readonly requestPart: SealedPart;
  readonly responsePart: SealedPart;
  readonly shape: z.ZodType<Body>;
  readonly work: (body: Body) => Promise<unknown>;
}

/**
 * Decrypts the body and encrypts the response. Throws `invalid_token` if this probe did not encrypt the body for its
 * region.
 */
export async function respondSealed<Body extends { readonly region: string }>(
  request: Request,
  response: Response,
  { options, pace, requestPart, responsePart, shape, work }: SealedExchange<Body>,
): Promise<void> {
  const probe = await authenticateProbe(request, options);
  const { region } = probe;
  const sealed = await readBinaryBody(request, response, SEALED_RULE);
  pace(probe.keyId, performance.now());
  const body = readJson(shape, openSealed(probe, sealed, requestPart));
  requireOwnRegion(probe, body);
  const result = await work(body);
  response
    .type('application/octet-stream')
    .send(probe.sealResponse(result, deliveryContext(responsePart, region)));
}

export function requireOwnRegion(
  probe: AuthenticatedProbe,
  { region }: { readonly region: string },
): void {
  if (region !== probe.region)
    throw new AppError('invalid_token', 'This token belongs to another region.');
}

/** Decrypts and parses a body. Decryption proves that this probe wrote it. */
function openSealed(probe: AuthenticatedProbe, sealed: Buffer, part: SealedPart): ReadJson {
  try {
    const opened = probe.openDelivery(sealed, deliveryContext(part, probe.region));
    const json = opened.toString('utf8');
    return { json, body: JSON.parse(json) };
  } catch (error) {
    throw new AppError('invalid_token', 'This body was not sealed by this probe.', {
      cause: error,
    });
  }
}
