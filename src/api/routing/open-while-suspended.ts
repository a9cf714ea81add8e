/** Which routes a suspended account may still use. All others respond with 403 `account_suspended`. */
import type { Route } from './route';

/**
 * Everything can be read and exported. People can also sign out, manage their own sign-in, and enter or leave accounts.
 * Operators are not affected.
 */
export function isOpenWhileSuspended({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  if (method === 'GET') return true;
  return /^\/v1\/(session|sessions|password|operator|person|registrations)(\/|$)/.test(path);
}
