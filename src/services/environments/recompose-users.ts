/** Plans and starts the rollout after a change of an environment or of the account's variables. */
import type { JsonObject, RolloutCause } from '../../contracts/operations/rollouts';
import type { AuditActor } from '../../models/accounts/audit';
import type { ResourceFilter } from '../../models/resources/resource';
import { AppError, isUnavailable } from '../../platform/errors';
import type { RolloutPlanResponse } from '../../schemas/responses/rollouts';
import { runExclusively } from '../accounts/plan-limits';
import type { Dependencies } from '../ports/dependencies';
import { findStaleUsers } from '../resources/layer-users';
import { planRollout } from '../rollouts/plan-rollout';
import { requireRolloutTurn } from '../rollouts/rollout-queue';
import { presentPlan } from '../rollouts/set-fields';
import { startRollout } from '../rollouts/start-rollout';

const NAMED_MAX = 50;
const RECOMPOSE = { type: 'recompose' } as const;

type Users = Pick<ResourceFilter, 'environment' | 'inherits'>;

/**
 * Runs changes of environments and account variables one after the other, so that each plan includes the previous
 * change.
 */
export function withLayerLock<Value>(
  needs: Dependencies,
  accountId: string,
  act: () => Promise<Value>,
): Promise<Value> {
  return runExclusively(needs, { accountId, kind: 'layers' }, act);
}

interface UsersPlan {
  readonly accountId: string;
  readonly users: Users;
  /** Ids of resources that are not checked. */
  readonly except?: ReadonlySet<string> | undefined;
}

/**
 * Plans how changed values would affect the resources that use them. The stores in `needs` must already return the
 * changed values.
 */
export async function previewUsers(
  needs: Dependencies,
  { accountId, users }: Pick<UsersPlan, 'accountId' | 'users'>,
): Promise<RolloutPlanResponse> {
  const ids = (await findStaleUsers(needs, accountId, users)).map(({ id }) => id);
  return presentPlan(await planRollout(needs, { accountId, change: RECOMPOSE, ids }), ids.length);
}

/**
 * Plans the rollout. The stores in `needs` must already return the planned values. Throws `in_use` with each check that
 * would become invalid and the paths of its problems. Throws `rate_limited` if too many rollouts wait.
 */
export async function planUsers(
  needs: Dependencies,
  { accountId, users, except }: UsersPlan,
): Promise<void> {
  const stale = await findStaleUsers(needs, accountId, users);
  const ids = stale.map(({ id }) => id).filter((id) => except?.has(id) !== true);
  if (ids.length === 0) return;
  await requireRolloutTurn(needs, accountId);
  const { problems } = await planRollout(needs, { accountId, change: RECOMPOSE, ids });
  if (problems.length === 0) return;
  const errors = problems.slice(0, NAMED_MAX).map(({ id, name, path, code, message }) => ({
    path: path === '' ? id : `${id}.${path}`,
    code,
    message: `${message} (“${name}”)`,
  }));
  const message = 'Monitors or scenarios would become invalid. Change them first.';
  throw new AppError('in_use', message, { errors });
}

export interface Recomposition {
  readonly accountId: string;
  readonly actor: AuditActor;
  readonly cause: Extract<RolloutCause, { readonly type: 'environment' | 'variables' }>;
  readonly users: Users;
  /** Ids of resources that another rollout updates. */
  readonly except?: ReadonlySet<string>;
  /** The content before the change. If absent, the rollout cannot be undone. */
  readonly undo?: JsonObject;
}

/**
 * Starts a rollout for all resources whose stored values differ from the values that they would inherit now. Returns
 * the id of the rollout, or null if there are no such resources. Throws `unavailable` if the rollout cannot be started.
 */
export async function recomposeUsers(
  needs: Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId'>,
  { users, except, ...request }: Recomposition,
): Promise<string | null> {
  const stale = await findStaleUsers(needs, request.accountId, users);
  const ids = stale.map(({ id }) => id).filter((id) => except?.has(id) !== true);
  if (ids.length === 0) return null;
  return (await startRollout(needs, { ...request, change: RECOMPOSE, ids })).id;
}

interface Followed extends Recomposition {
  /** Stores the id of the rollout with the change. */
  readonly note: (rolloutId: string) => Promise<void>;
}

/**
 * Like recomposeUsers, but for a change that is already stored. If the database or Temporal is unavailable, does not
 * throw, because housekeeping will start the rollout within minutes.
 */
export async function followChange(
  needs: Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId'>,
  { note, ...request }: Followed,
): Promise<string | null> {
  let rolloutId: string | null = null;
  try {
    rolloutId = await recomposeUsers(needs, request);
    if (rolloutId !== null) await note(rolloutId);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
  return rolloutId;
}
