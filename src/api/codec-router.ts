/**
 * `/internal/codec/decode`: shows the Temporal UI what is in a workflow's payloads, for admins who
 * are logged in. It reads nothing but what it is sent.
 */
import { json, type Request, Router } from 'express';
import { z } from 'zod';
import type { Dependencies } from '../services/dependencies';
import { requireScope } from '../services/principal';
import { authenticateRequest } from './authenticate-request';
import { readBody } from './read-shape';

const CODEC_PATH = '/internal/codec/decode';
/** A page of a long history. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

const payloadShape = z.object({
  metadata: z.record(z.string(), z.base64()).optional(),
  data: z.base64().optional(),
});
const codecBody = z.object({ payloads: z.array(payloadShape) });
export type WirePayload = z.output<typeof payloadShape>;

/** Opens what can be opened; the rest comes back as it was. */
export type ReadPayloads = (payloads: readonly WirePayload[]) => Promise<readonly WirePayload[]>;

interface CodecRouterOptions {
  readonly services: Dependencies;
  readonly publicUrl: string;
  readonly readPayloads: ReadPayloads;
}

/** Refuses without the scope admin; a cookie must come from a page of the service. */
export function createCodecRouter(options: CodecRouterOptions): Router {
  const { services, publicUrl, readPayloads } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const parse = json({ limit: BODY_BYTES_MAX, inflate: false });

  async function requireAdmin({ headers, ip = '' }: Request): Promise<void> {
    const asked = { method: 'POST', headers, publicUrl, clientAddress: ip } as const;
    const principal = await authenticateRequest(services, asked);
    requireScope(principal, 'admin');
  }

  router.post(
    CODEC_PATH,
    async (request, _response, next) => {
      await requireAdmin(request);
      next();
    },
    parse,
    async (request, response) => {
      const body: unknown = request.body;
      const payloads = await readPayloads(readBody(codecBody, body).payloads);
      response.set('Cache-Control', 'no-store').json({ payloads });
    },
  );
  return router;
}
