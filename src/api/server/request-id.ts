/** Gives every request an id, which is returned as `X-Request-Id`. A well-formed id from the client is kept. */
import type { IncomingMessage, ServerResponse } from 'node:http';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;
const idsByRequest = new WeakMap<IncomingMessage, string>();

/** Creates the middleware that gives requests their ids. It must run before everything that sends a response. */
export function createRequestIds(newRequestId: () => string) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && SANE.test(given) ? given : newRequestId();
    idsByRequest.set(request, id);
    response.setHeader('X-Request-Id', id);
    next();
  };
}

/** Returns the id of a request. Empty if the middleware has not run yet. */
export function getRequestId(request: IncomingMessage): string {
  return idsByRequest.get(request) ?? '';
}
