/** The audit trail. For each route that changes something, records the resource before the change, and the response. */
import { toStoredChange } from '../../domain/accounts/audit-change';
import { AppError } from '../../platform/errors';
import { createSlices } from '../../platform/slices';
import { type RecordedChange, recordChanges } from '../../services/accounts/audit-events';
import type { Principal } from '../../services/accounts/principal';
import type { Dependencies } from '../../services/ports/dependencies';
import type { RouteResponse } from './response';
import type { AuditName, RawInput, Route } from './route';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'newId' | 'notifyOperator'>;

/** Handles a request and records its changes. */
export type AuditedRespond = (input: RawInput) => Promise<RouteResponse>;

/** Wraps a route so that its changes are recorded. Returns the same function if the route changes nothing. */
export function withAuditTrail(
  entry: Route,
  routes: readonly Route[],
  needs: Needs,
): AuditedRespond {
  const name = entry.audit;
  if (name === null) return entry.respond;
  const reader = findReader(entry, routes);
  return async (input) => {
    const before =
      reader === null || input.principal === null ? null : await readBefore(reader, input);
    const result = await entry.respond(input);
    const by = result.actedAs ?? input.principal;
    if (by === null || result.status >= 400) return result;
    await recordChanges(
      needs,
      readOrigin(by, input),
      await listChanges({ entry, name, input, result, before }),
    );
    return result;
  };
}

function readOrigin({ accountId, actor }: Pick<Principal, 'accountId' | 'actor'>, input: RawInput) {
  const { requestId, clientAddress } = input;
  return { accountId, actor, requestId, ip: clientAddress === '' ? null : clientAddress };
}

/** Reads the object before the change. null means that it does not exist. */
async function readBefore(reader: Route, input: RawInput): Promise<unknown> {
  try {
    return (await reader.respond({ ...input, query: {}, body: undefined, headers: {} })).body;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

interface Done {
  readonly entry: Route;
  readonly name: AuditName;
  readonly input: RawInput;
  readonly result: RouteResponse;
  readonly before: unknown;
}

async function listChanges(done: Done): Promise<readonly RecordedChange[]> {
  const { entry, name, input, result, before } = done;
  if (result.changes !== undefined) return selectChanges(result.changes);
  const { action, resourceType } = name;
  const after = entry.method === 'DELETE' ? null : (result.body ?? null);
  const resourceId = lastParam(entry.path, input) ?? findId(result, input);
  const isSameThing = findId({ body: before }, input) === findId({ body: after }, input);
  const kept = toStoredChange(isSameThing || after === null ? before : null, after);
  // A PUT or PATCH without effect is not recorded. Actions are always recorded.
  if (kept === null && (entry.method === 'PUT' || entry.method === 'PATCH')) return [];
  return [{ action, resourceType, resourceId, ...(kept ?? { before: null, after: null }) }];
}

/**
 * Reduces each change to the fields that differ. There may be thousands of changes, so the work is done in slices that
 * let other requests run in between.
 */
async function selectChanges(
  changes: readonly RecordedChange[],
): Promise<readonly RecordedChange[]> {
  const nextSlice = createSlices();
  const kept: RecordedChange[] = [];
  for (const change of changes) {
    await nextSlice();
    const { before = null, after = null } = toStoredChange(change.before, change.after) ?? {};
    kept.push({ ...change, before, after });
  }
  return kept;
}

/**
 * Returns the last path parameter, which is the id of the changed resource. null means that the path has no parameters.
 */
function lastParam(path: string, { params }: RawInput): string | null {
  const [, name = ''] = /:(\w+)(?!.*:)/.exec(path) ?? [];
  return params.get(name) ?? null;
}

/**
 * Returns the id in the response body. If there is no id, returns the name in the body. If there is no name either,
 * people have changed their own data, so the person's own id is returned.
 */
function findId(
  { body, actedAs }: Pick<RouteResponse, 'body' | 'actedAs'>,
  input: RawInput,
): string | null {
  if (typeof body === 'object' && body !== null) {
    if ('id' in body && typeof body.id === 'string') return body.id;
    if ('name' in body && typeof body.name === 'string') return body.name;
  }
  return actedAs?.actor.id ?? input.principal?.actor.id ?? null;
}

/**
 * Finds the route that reads the changed object: the GET with the longest path that is a prefix of this path. null if
 * there is none.
 */
export function findReader(entry: Route, routes: readonly Route[]): Route | null {
  const readers = routes
    .filter(({ method, path }) => method === 'GET' && isPart(path, entry.path))
    .sort((a, b) => b.path.length - a.path.length);
  return readers[0] ?? null;
}

/** True if `path` names the account or a resource with an id, and `whole` is that path or a path below it. */
function isPart(path: string, whole: string): boolean {
  if (path === whole && path === '/v1/account') return true;
  const isOne = /\/:\w+$/.test(path);
  return isOne && (whole === path || whole.startsWith(`${path}/`));
}
