/**
 * Which host names mean this machine, and the refusal of all others where a service is for this machine
 * only: a page elsewhere could have its own name lead here (DNS rebinding) and read what it gets.
 */
import type { RequestHandler } from 'express';
import { AppError } from '../../platform/errors';

const LOCAL_NAME = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** True for localhost, names under it, and loopback addresses. */
export function isLocalHost(host: string): boolean {
  return LOCAL_NAME.test(host);
}

/** True when people reach the service at this machine only. */
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
  const message = 'This service responds to localhost only; KEEPWATCH_PUBLIC_URL gives it a name.';
  throw new AppError('insufficient_scope', message);
};
