/** Compresses text above a minimum size, except event streams, which must not be delayed. */
import compression from 'compression';
import type { RequestHandler } from 'express';

const WORTH_IT_BYTES = 1_024;

export function createCompression(): RequestHandler {
  return compression({
    threshold: WORTH_IT_BYTES,
    filter: (request, response) => {
      const type = response.getHeader('Content-Type');
      const isStream = typeof type === 'string' && type.startsWith('text/event-stream');
      return !isStream && compression.filter(request, response);
    },
  });
}
