/** Gives every request an id, returned as `X-Request-Id`: the client's own if it is well-formed. */
import type { IncomingMessage, ServerResponse } from 'node:http';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;
const idOf = new WeakMap<IncomingMessage, string>();

/** Middleware; must run before everything that sends a response. */
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
export function getRequestId(request: IncomingMessage): string {
  return idOf.get(request) ?? '';
}
