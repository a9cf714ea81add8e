/** Who may use a route while the account is suspended. All others get 403 `account_suspended`. */
import type { Route } from './route';

export type OpenWhileSuspended = 'nobody' | 'people' | 'everyone';

/**
 * People can read and export everything in a session, sign out, manage their own sign-in, and enter or leave accounts.
 * API keys can only read why the account is suspended. Operators are not affected.
 */
export function findOpenWhileSuspended({
  method,
  path,
}: Pick<Route, 'method' | 'path'>): OpenWhileSuspended {
  if (path === '/v1/account' && method === 'GET') return 'everyone';
  if (path.startsWith('/v1/operator/')) return 'everyone';
  const isOwn = /^\/v1\/(session|sessions|password|person|registrations)(\/|$)/.test(path);
  return isOwn || method === 'GET' ? 'people' : 'nobody';
}
