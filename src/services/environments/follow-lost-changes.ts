/**
 * Starts the missing rollouts of changes to environments and account variables: a crash may have
 * prevented them. Resources whose inherited values are current stay as they are.
 */
import type { HousekeepingPass } from '../../contracts/housekeeping';
import type { RolloutCause } from '../../contracts/operations/rollouts';
import type { AuditActor } from '../../models/accounts/audit';
import { canonicalJson } from '../../platform/canonical-json';
import type { Dependencies } from '../ports/dependencies';
import { VARIABLE_USERS } from '../resources/layer-users';
import { type Recomposition, recomposeUsers } from './recompose-users';

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId'>;

/** The request that made a change starts the rollout itself within this time, unless its process ends. */
const OWN_ROLLOUT_WITHIN_MS = 60_000;
/** Passes overlap by this time, so that each change is examined in at least one pass. */
const OVERLAP_MS = 60_000;
/** How far the first pass looks back. */
const FIRST_PASS_MS = 24 * 3_600_000;

const SYSTEM: AuditActor = { type: 'system', id: 'housekeeping', name: 'housekeeping' };

type Change = Pick<Recomposition, 'accountId' | 'cause' | 'users'>;

/**
 * Returns the number of changes whose rollout was missing. Looks only at changes since the last pass, so that users
 * which cannot be changed are not tried forever. Safe to repeat.
 */
export async function followLostChanges(
  needs: Needs,
  { beganAtMs, sinceMs }: HousekeepingPass,
): Promise<number> {
  const fromMs = (sinceMs ?? beganAtMs - FIRST_PASS_MS) - OWN_ROLLOUT_WITHIN_MS - OVERLAP_MS;
  const span = { fromMs, toMs: beganAtMs - OWN_ROLLOUT_WITHIN_MS };
  let followed = 0;
  for (const change of await listChanges(needs, span)) {
    if (await hasOpenRollout(needs, change)) continue;
    if (await recomposeUsers(needs, { ...change, actor: SYSTEM })) followed += 1;
  }
  return followed;
}

async function listChanges(
  { stores: { environments, accountVariables } }: Needs,
  span: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly Change[]> {
  const [changed, variables] = await Promise.all([
    environments.listChanged(span),
    accountVariables.listChanged(span),
  ]);
  return [
    ...changed.map(({ accountId, key }) => ({
      accountId,
      cause: { type: 'environment', key } as const,
      users: { environment: key },
    })),
    ...variables.map(({ accountId }) => ({
      accountId,
      cause: { type: 'variables' } as const,
      users: VARIABLE_USERS,
    })),
  ];
}

async function hasOpenRollout(
  { stores }: Needs,
  { accountId, cause }: Pick<Change, 'accountId'> & { readonly cause: RolloutCause },
): Promise<boolean> {
  const open = await stores.rollouts.listOpen(accountId);
  return open.some((rollout) => canonicalJson(rollout.cause) === canonicalJson(cause));
}
