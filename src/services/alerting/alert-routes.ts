/** Reads and replaces the alert routes of an account. A running escalation keeps the policy with which it started. */
import type { AlertRoutes } from '../../models/alerting/alert-routes';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { AlertRoutesBody } from '../../schemas/alert-policy';
import type { AlertRoutesResponse } from '../../schemas/responses/alert-routes';
import { runExclusively } from '../accounts/plan-limits';
import { refuseProblems } from '../lists/field-problems';
import { toInstant } from '../lists/instants';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'randomBytes'>;

export const ROUTES_READ_ONLY_FIELDS: readonly string[] = ['version', 'updatedAt'];

/** Returns the routes. An account without stored routes has an empty list with version 0. */
export async function findAlertRoutes(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
): Promise<AlertRoutes> {
  const none = { accountId, version: 0, routes: [], updatedAtMs: 0 };
  return (await stores.alertRoutes.find(accountId)) ?? none;
}

export async function getAlertRoutes(
  needs: Pick<Needs, 'stores'>,
  accountId: string,
): Promise<AlertRoutesResponse> {
  return presentAlertRoutes(await findAlertRoutes(needs, accountId));
}

interface Replacement {
  readonly body: AlertRoutesBody;
  /** Throws `version_mismatch` for a version that the client did not expect. */
  readonly accept: (version: number) => void;
  readonly managedBy?: string;
}

/** Replaces all routes. Throws `validation_failed` for unknown policies. */
export async function replaceAlertRoutes(
  needs: Needs,
  accountId: string,
  { body, accept, managedBy }: Replacement,
): Promise<AlertRoutesResponse> {
  const attempt = async () => {
    const before = await findAlertRoutes(needs, accountId);
    accept(before.version);
    const next = await buildChangedRoutes(needs, before, body);
    const owned = withOwner(next, managedBy);
    if (isSameJson(owned, before)) return presentAlertRoutes(before);
    const stored = {
      ...owned,
      version: before.version + 1,
      updatedAtMs: needs.clock.now(),
    };
    const isWritten = await needs.stores.alertRoutes.replace(accountId, stored, before.version);
    return isWritten ? presentAlertRoutes(stored) : OVERTAKEN;
  };
  return withOptimisticRetry(needs, () => withRoutingLock(needs, accountId, attempt));
}

/**
 * Runs changes of routes and deletions of policies one after the other, so that no route refers to a deleted policy.
 */
export function withRoutingLock<Value>(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'randomBytes'>,
  accountId: string,
  act: () => Promise<Value>,
): Promise<Value> {
  return runExclusively(needs, { accountId, kind: 'alertRoutes' }, act);
}

/** Adds the name of the set (`keepwatch apply`) that manages the routes. An empty list is not managed by any set. */
function withOwner(
  { managedBy: before, ...next }: AlertRoutes,
  managedBy: string | undefined = before,
): AlertRoutes {
  return next.routes.length === 0 || managedBy === undefined ? next : { ...next, managedBy };
}

/**
 * Returns the routes to store. Throws `validation_failed` for unknown policies. Routes may name a deleted policy that
 * the stored routes already name.
 */
export async function buildChangedRoutes(
  { stores }: Pick<Needs, 'stores'>,
  before: AlertRoutes,
  { routes }: AlertRoutesBody,
): Promise<AlertRoutes> {
  const kept = new Set(before.routes.map(({ policy }) => policy));
  const known = new Map<string, boolean>();
  for (const { policy } of routes) {
    if (policy === null || known.has(policy)) continue;
    const isThere = kept.has(policy) || (await isPolicy({ stores }, before.accountId, policy));
    known.set(policy, isThere);
  }
  refuseProblems(
    routes.flatMap(({ policy }, index) =>
      policy === null || known.get(policy) === true
        ? []
        : [
            {
              path: `routes[${index}].policy`,
              code: 'unknown_key',
              message: 'is not the key of an alert policy of this account',
            },
          ],
    ),
  );
  return { ...before, routes };
}

async function isPolicy(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  key: string,
): Promise<boolean> {
  return (await stores.alertPolicies.findByKey(accountId, key)) !== null;
}

/** Throws `in_use` if routes lead to the policy. The error lists these routes. */
export async function refuseRoutedPolicy(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  key: string,
): Promise<void> {
  const { routes } = await findAlertRoutes({ stores }, accountId);
  const errors = routes.flatMap(({ policy }, index) =>
    policy === key
      ? [{ path: `routes[${index}]`, code: 'in_use', message: 'leads to this policy' }]
      : [],
  );
  if (errors.length === 0) return;
  throw new AppError(
    'in_use',
    'Alert routes of the account lead to this policy. Change them first.',
    {
      errors,
    },
  );
}

function presentAlertRoutes({ version, routes, updatedAtMs }: AlertRoutes): AlertRoutesResponse {
  return { version, routes, updatedAt: version === 0 ? null : toInstant(updatedAtMs) };
}
