/** Which region a probe speaks for, by its token. */
import type { Request } from 'express';
import { PROBE_REGION_HEADER } from '../../contracts/probe-protocol';
import { AppError } from '../../platform/errors';
import { isAcceptedToken, probeTokens } from '../../platform/sealing';
import type { Dependencies } from '../../services/ports/dependencies';
import { bearerOf } from '../routing/authenticate-request';

export interface ProbeRouterOptions {
  readonly services: Dependencies;
  readonly secretKeys: readonly string[];
}

export const REGION = /^[a-z][a-z0-9-]{0,31}$/;

/** The region that the token proves; throws `missing_token` or `invalid_token`. */
export function requireRegion(request: Request, secretKeys: readonly string[]): string {
  const { authorization } = request.headers;
  const region = request.headers[PROBE_REGION_HEADER];
  if (authorization === undefined || typeof region !== 'string')
    throw new AppError('missing_token', 'A probe sends its region and its token.');
  const isKnown =
    REGION.test(region) &&
    isAcceptedToken(bearerOf(authorization), probeTokens(secretKeys, region));
  if (!isKnown) throw new AppError('invalid_token', 'This token is not the one of the region.');
  return region;
}
