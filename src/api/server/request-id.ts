/** Gives every request an id that comes back as `X-Request-Id`: the client's, if it is a sane one. */
import type { IncomingMessage, ServerResponse } from 'node:http';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;
const idOf = new WeakMap<IncomingMessage, string>();

/** Middleware; must run before everything that answers. */
export function createRequestIds(newRequestId: () => string) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && SANE.test(given) ? given : newRequestId();
    idOf.set(request, id);
    response.setHeader('X-Request-Id', id);
    next();
  };
}

/** The id of a request; empty before the middleware ran. */
export function requestIdOf(request: IncomingMessage): string {
  return idOf.get(request) ?? '';
}
