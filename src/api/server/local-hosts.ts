/**
 * Recognizes host names of this machine. A local service refuses other hosts: a foreign page could point its own host
 * name here (DNS rebinding) and read the responses.
 */
import type { RequestHandler } from 'express';
import { AppError } from '../../platform/errors';

const LOCAL_NAME = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** True for localhost, names under it, and loopback addresses. */
export function isLocalHost(host: string): boolean {
  return LOCAL_NAME.test(host);
}

/** True if the URL can be reached only from this machine. */
export function isLocalUrl(url: string): boolean {
  return isLocalHost(new URL(url).hostname);
}

/** Throws `insufficient_scope` for a request that was meant for another host. */
export const refuseForeignHosts: RequestHandler = ({ headers }, _response, next) => {
  const { host } = headers;
  if (host === undefined || isLocalHost(host.replace(/:\d+$/, ''))) {
    next();
    return;
  }
  const message =
    'This service responds to localhost only. To use another host name, set KEEPWATCH_PUBLIC_URL.';
  throw new AppError('insufficient_scope', message);
};
