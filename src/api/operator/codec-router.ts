/**
 * `/internal/codec/decode`: decrypts workflow payloads for operators in the Temporal UI. Each use is recorded in the
 * audit trail.
 */
import { promisify } from 'node:util';
import { json, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { recordChanges } from '../../services/accounts/audit-events';
import { requireTemporalUser } from '../../services/accounts/operators';
import type { Principal } from '../../services/accounts/principal';
import type { Dependencies } from '../../services/ports/dependencies';
import { authenticateRequest } from '../routing/authenticate-request';
import { readBody } from '../routing/read-shape';
import { getRequestId } from '../server/request-id';
import { CODEC_FOLDER } from './temporal-policy';

const CODEC_PATH = `${CODEC_FOLDER}/decode`;
/** Maximum size of a request body, enough for a page of a long history. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

const payloadShape = z.object({
  metadata: z.record(z.string(), z.base64()).optional(),
  data: z.base64().optional(),
});
const codecBody = z.object({ payloads: z.array(payloadShape) });
export type WirePayload = z.output<typeof payloadShape>;

/** Decrypts payloads if possible, and returns other payloads unchanged. */
export type ReadPayloads = (payloads: readonly WirePayload[]) => Promise<readonly WirePayload[]>;

interface CodecRouterOptions {
  readonly services: Dependencies;
  readonly publicUrl: string;
  readonly readPayloads: ReadPayloads;
}

/** Creates the route, which only operators may use. A request with a cookie must come from a page of the service. */
export function createCodecRouter(options: CodecRouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const parse = promisify(json({ limit: BODY_BYTES_MAX, inflate: false }));
  router.post(CODEC_PATH, async (request, response) => {
    response.locals['route'] = CODEC_PATH;
    const operator = await identifyOperator(options, request, response);
    await parse(request, response);
    const body: unknown = request.body;
    const { payloads } = readBody(codecBody, body);
    await recordDecode(options, request, { by: operator, count: payloads.length });
    const opened = await options.readPayloads(payloads);
    response.set('Cache-Control', 'no-store').json({ payloads: opened });
  });
  return router;
}

async function identifyOperator(
  { services, publicUrl }: CodecRouterOptions,
  { headers, ip = '' }: Request,
  response: Response,
): Promise<Principal> {
  const asked = { method: 'POST', headers, publicUrl, clientAddress: ip } as const;
  const principal = await authenticateRequest(services, asked);
  response.locals['actor'] = principal.actor.id;
  await requireTemporalUser(services, principal);
  return principal;
}

/** Records in the audit trail who decrypted how many payloads, without their content. */
function recordDecode(
  { services }: CodecRouterOptions,
  request: Request,
  { by, count }: { readonly by: Principal; readonly count: number },
): Promise<void> {
  const { accountId, actor } = by;
  const { ip = null } = request;
  return recordChanges(services, { accountId, actor, requestId: getRequestId(request), ip }, [
    {
      action: 'temporal.decode',
      resourceType: 'temporal',
      resourceId: null,
      before: null,
      after: { payloads: count },
    },
  ]);
}
