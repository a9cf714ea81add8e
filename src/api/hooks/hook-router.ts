/**
 * `POST /hooks/{channelId}`: chat and paging services report how people responded to an alert. The channel's secret
 * authenticates the request.
 */
import { type Request, type Response, Router } from 'express';
import { AppError } from '../../platform/errors';
import { takeHook } from '../../services/alerting/take-hook';
import type { Dependencies } from '../../services/ports/dependencies';

const BODY_BYTES_MAX = 256 * 1024;

export function createHookRouter(services: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.all('/hooks/:channelId', async (request: Request, response: Response): Promise<void> => {
    response.locals['route'] = '/hooks/:channelId';
    if (request.method !== 'POST') {
      response.set('Allow', 'POST');
      throw new AppError('method_not_allowed', 'Webhooks are sent by POST.');
    }
    const { channelId } = request.params;
    const header = (name: string): string | undefined => request.get(name);
    await takeHook(services, {
      channelId: typeof channelId === 'string' ? channelId : '',
      address: request.ip ?? '',
      header,
      body: await readBody(request),
    });
    response.set('Cache-Control', 'no-store').status(204).end();
  });
  return router;
}

/** Reads the body. A body that never ends is cut off by the server's request timeout. */
async function readBody(request: Request): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) continue;
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) {
      throw new AppError('payload_too_large', 'A webhook may have at most 256 KiB.');
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}
