/** Finds the checks that use a policy, either because they name it or because a route leads to it. */
import { findPolicy } from '../../../shared/alerts/recipients';
import type { AlertRoutes } from '../../../shared/data/api-types';
import { findCheckType } from '../../../shared/data/check-type';
import { useChecks } from '../../../shared/data/checks';
import { useRead } from '../../../shared/data/queries';
import type { User } from '../used-by';

/** Returns the checks that use the policy with this key. */
export type FindPolicyUsers = (key: string) => readonly User[];

/** null until the checks and the routes are loaded. */
export function usePolicyUsers(): FindPolicyUsers | null {
  const { checks } = useChecks();
  const { data: rules } = useRead<AlertRoutes>('/v1/alert-routes');
  if (checks === undefined || rules === undefined) return null;
  const findOwnPolicy = (check: (typeof checks)[number]): string | null =>
    findPolicy({ ...check, type: findCheckType(check) }, rules.routes);
  return (key) => checks.filter((check) => findOwnPolicy(check) === key);
}
