/** Which routes a suspended account may still use. All others respond with 403 `account_suspended`. */
import type { Route } from './route';

/** People can read why, sign out, manage their sign-in, and enter or leave accounts. Operators are not affected. */
export function isOpenWhileSuspended({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  if (path === '/v1/account') return method === 'GET';
  return /^\/v1\/(session|sessions|password|operator|person|registrations)(\/|$)/.test(path);
}
