/** Finds the alert policies that name a channel or member. Named channels and members cannot be removed. */
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';

/** Maximum number of policies per account. */
export const POLICIES_MAX = 100;

type Needs = Pick<Dependencies, 'stores'>;

/** Lists the ids of all channels and members that a policy names. */
export function listContactIds({
  steps,
  lastResort,
}: Pick<AlertPolicy, 'steps' | 'lastResort'>): Set<string> {
  const ids = steps.flatMap(({ notify }) => notify);
  return new Set(lastResort === null ? ids : [...ids, lastResort]);
}

/** Throws `in_use` if alert policies name the channel or member. The error lists these policies. */
export async function refuseNamedInPolicies(
  { stores }: Needs,
  accountId: string,
  id: string,
): Promise<void> {
  const { items } = await stores.alertPolicies.list(accountId, {
    limit: POLICIES_MAX,
    beforeId: null,
  });
  const naming = items.filter((policy) => listContactIds(policy).has(id));
  if (naming.length === 0) return;
  const keys = naming.map(({ key }) => key).join(', ');
  const message = `These alert policies notify it: ${keys}. Choose someone else there first.`;
  const errors = naming.map(({ id: path, key }) => ({
    path,
    code: 'in_use',
    message: `is notified by the policy ${key}`,
  }));
  throw new AppError('in_use', message, { errors });
}
