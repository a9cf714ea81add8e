/** What the trail calls a route, made from its path: a new route has its name without being told. */
import type { Route } from './route';

export interface AuditName {
  /** Like `monitor.update`. */
  readonly action: string;
  readonly resourceType: string;
  /** The parameter that holds the id of what is changed; null when the answer brings one. */
  readonly idParam: string | null;
}

/** Where the path alone would say it badly. */
const SPECIAL: Readonly<Record<string, readonly [action: string, resourceType: string]>> = {
  'POST /v1/setup': ['account.set_up', 'account'],
  'PATCH /v1/account': ['account.update', 'account'],
  'POST /v1/session': ['session.open', 'user'],
  'DELETE /v1/session': ['session.close', 'user'],
  'POST /v1/password': ['password.change', 'user'],
  'POST /v1/password/reset': ['password.reset', 'user'],
  'POST /v1/apply': ['configuration.apply', 'configuration'],
};

const VERBS = { POST: 'create', PUT: 'put', PATCH: 'update', DELETE: 'delete' } as const;

/** Collections whose things are not called like them. */
const THINGS: Readonly<Record<string, string>> = { results: 'run' };

/** null for what changes nothing: reads, and trying out what is not saved. */
export function auditNameOf({ method, path }: Pick<Route, 'method' | 'path'>): AuditName | null {
  if (method === 'GET') return null;
  const special = SPECIAL[`${method} ${path}`];
  if (special !== undefined) {
    const [action, resourceType] = special;
    return { action, resourceType, idParam: null };
  }
  const parts = path.split('/').slice(2);
  const at = parts.findLastIndex((part) => part.startsWith(':'));
  const isWithId = at !== -1;
  const resourceType = thingOf(parts[isWithId ? at - 1 : 0] ?? '');
  const [word] = parts.slice(isWithId ? at + 1 : 1);
  if (!isWithId && word === 'test') return null;
  const verb = (word ?? VERBS[method]).replaceAll('-', '_');
  const idParam = isWithId ? (parts[at]?.slice(1) ?? null) : null;
  return { action: `${resourceType}.${verb}`, resourceType, idParam };
}

function thingOf(collection: string): string {
  const thing = THINGS[collection] ?? collection.replace(/s$/, '');
  return thing.replaceAll('-', '_');
}

/** The route that reads what this one changes: the longest GET that its path begins with. */
export function readerOf(entry: Route, routes: readonly Route[]): Route | null {
  const readers = routes
    .filter(({ method, path }) => method === 'GET' && isPartOf(path, entry.path))
    .sort((a, b) => b.path.length - a.path.length);
  return readers[0] ?? null;
}

/** Only what has an id of its own, and the account. */
function isPartOf(path: string, whole: string): boolean {
  if (path === whole && path === '/v1/account') return true;
  const isOne = /\/:\w+$/.test(path);
  return isOne && (whole === path || whole.startsWith(`${path}/`));
}
