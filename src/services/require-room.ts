/**
 * The bounds of an account's plan. Callers ask before they write and once more afterwards, so that
 * parallel requests never end above a bound; at the last free place all of them may be refused.
 */
import { PLAN_BOUNDS, type Plan, type PlanBounds } from '../domain/plan';
import { AppError } from '../platform/errors';
import type { Dependencies } from './dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

export type Countable = 'monitors' | 'scenarios' | 'members';

interface PlanInForce {
  readonly plan: Plan;
  readonly bounds: PlanBounds;
}

/** null for an account that is gone. */
export async function planOf(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
): Promise<PlanInForce | null> {
  const account = await stores.accounts.find(accountId);
  return account === null ? null : { plan: account.plan, bounds: PLAN_BOUNDS[account.plan] };
}

/** Throws `limit_reached` unless that many more fit; 0 asks whether what is there is too much. */
export async function requireRoom(
  needs: Needs,
  accountId: string,
  { kind, more }: { readonly kind: Countable; readonly more: 0 | 1 },
): Promise<void> {
  const inForce = await planOf(needs, accountId);
  if (inForce === null) return;
  const { plan, bounds } = inForce;
  const bound = bounds[kind];
  if ((await countOf(needs, accountId, kind)) + more <= bound) return;
  throw new AppError('limit_reached', `The plan ${plan} allows ${bound} ${kind}.`);
}

/** Throws `limit_reached` when the plan does not allow checks as often as that. */
export async function requireInterval(
  needs: Needs,
  accountId: string,
  intervalSeconds: number,
): Promise<void> {
  const inForce = await planOf(needs, accountId);
  if (inForce === null) return;
  const { plan, bounds } = inForce;
  const shortest = bounds.minIntervalSeconds;
  if (intervalSeconds >= shortest) return;
  throw new AppError(
    'limit_reached',
    `The plan ${plan} allows an interval of ${shortest} seconds or more.`,
  );
}

/** How many there are; of members, those who are invited as well. */
export async function countOf(
  { stores, clock }: Needs,
  accountId: string,
  kind: Countable,
): Promise<number> {
  switch (kind) {
    case 'monitors':
      return stores.monitors.count(accountId);
    case 'scenarios':
      return stores.scenarios.count(accountId);
    case 'members': {
      const [people, invited] = await Promise.all([
        stores.users.count(accountId),
        stores.invitations.count(accountId, clock.now()),
      ]);
      return people + invited;
    }
  }
}
