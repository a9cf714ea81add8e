/**
 * Authenticates a probe by its token. The token comes from the probe's own key, or from the shared key of probes that
 * run next to the API.
 */
import type { Request } from 'express';
import { LOCAL_PROBE } from '../../contracts/probe-key';
import { PROBE_KEY_HEADER, PROBE_REGION_HEADER } from '../../contracts/probe-protocol';
import { AppError } from '../../platform/errors';
import {
  createSealer,
  deriveLocalProbeSecrets,
  deriveProbeToken,
  isAcceptedToken,
} from '../../platform/sealing';
import { listUnprovenCounters, takeTries } from '../../services/accounts/login-throttle';
import type { Dependencies } from '../../services/ports/dependencies';
import { findProbeSecret, noteProbeKeyUse } from '../../services/regions/probe-keys';
import { readBearer } from '../routing/authenticate-request';

export interface ProbeRouterOptions {
  readonly services: Dependencies;
  readonly secretKeys: readonly string[];
}

/** A probe with a valid token. */
export interface AuthenticatedProbe {
  readonly region: string;
  /** The id of the probe's key. For the shared key of probes that run next to the API, the id includes the region. */
  readonly keyId: string;
  readonly sealResponse: (body: unknown, context: string) => Buffer;
  readonly openDelivery: (sealed: Buffer, context: string) => Buffer;
}

export const REGION = /^[a-z][a-z0-9-]{0,31}$/;
/** The format of a probe process's name. */
export const INSTANCE = /^[\w.:@-]{1,200}$/;
const KEY_ID = /^[a-z0-9_]{1,64}$/;

/**
 * Returns the probe that sent the request. Throws `missing_token`, `invalid_token`, `revoked_token`, and `rate_limited`
 * after many invalid tokens.
 */
export async function authenticateProbe(
  request: Request,
  options: ProbeRouterOptions,
): Promise<AuthenticatedProbe> {
  const {
    authorization,
    [PROBE_REGION_HEADER]: region,
    [PROBE_KEY_HEADER]: keyId,
  } = request.headers;
  if (authorization === undefined || typeof region !== 'string' || typeof keyId !== 'string')
    throw new AppError(
      'missing_token',
      'A probe must send its region, the id of its key and its token.',
    );
  recordClaimedKey(request, keyId);
  const token = readBearer(authorization);
  const secret = REGION.test(region)
    ? await findSecret(options, { region, keyId, token })
    : undefined;
  if (secret === undefined) {
    await takeTries(options.services, listUnprovenCounters('probe', request.ip ?? ''));
    throw invalidToken();
  }
  const responses = createSealer([secret], 'probe-response');
  const deliveries = createSealer([secret], 'probe-delivery');
  return {
    region,
    keyId: keyId === LOCAL_PROBE ? `${LOCAL_PROBE} ${region}` : keyId,
    sealResponse: (body, context) => responses.seal(Buffer.from(JSON.stringify(body)), context),
    openDelivery: deliveries.open,
  };
}

/** Adds the id of the claimed key to the log of refusals, if the id has a valid form. */
function recordClaimedKey({ res }: Request, keyId: string): void {
  if (res !== undefined && KEY_ID.test(keyId)) res.locals['actor'] = keyId;
}

interface Shown {
  readonly region: string;
  readonly keyId: string;
  readonly token: string;
}

async function findSecret(
  { services, secretKeys }: ProbeRouterOptions,
  shown: Shown,
): Promise<string | undefined> {
  const { region, keyId, token } = shown;
  if (keyId !== LOCAL_PROBE) return findStored(services, shown);
  return deriveLocalProbeSecrets(secretKeys, region).find((local) => isToken(local, token));
}

async function findStored(
  services: Dependencies,
  { region, keyId, token }: Shown,
): Promise<string | undefined> {
  const found = await findProbeSecret(services, region, keyId);
  if (found === null || !isToken(found.secret, token)) return undefined;
  if (found.isRevoked) throw new AppError('revoked_token', 'The key of this probe was revoked.');
  await noteProbeKeyUse(services, keyId);
  return found.secret;
}

function isToken(secret: string, token: string): boolean {
  return isAcceptedToken(token, [deriveProbeToken(secret)]);
}

function invalidToken(): AppError {
  return new AppError('invalid_token', 'This token does not belong to the region.');
}
