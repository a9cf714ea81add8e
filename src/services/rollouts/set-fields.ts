/**
 * Sets fields of many monitors and scenarios at once. Plans the change. Unless the request is a dry run, also starts a
 * rollout.
 */
import { isId } from '../../domain/definitions/ids';
import type { Rollout } from '../../models/rollouts/rollouts';
import type { SetFieldsBody } from '../../schemas/bulk';
import type { RolloutPlanResponse } from '../../schemas/responses/rollouts';
import type { Principal } from '../accounts/principal';
import { type CheckType, selectChecks } from '../operations/bulk-checks';
import type { Dependencies } from '../ports/dependencies';
import { planRollout, type RolloutPlan, refusePlan } from './plan-rollout';
import { requireRolloutTurn } from './rollout-queue';
import { startRollout } from './start-rollout';

interface SetRequest {
  readonly body: SetFieldsBody;
  /** The types that the change may affect. An id of another type counts as unknown. Filters select only these types. */
  readonly types: readonly CheckType[];
}

/** For a dry run, returns the plan. Otherwise, starts the rollout. Throws one error with every problem of the plan. */
export async function setFields(
  needs: Dependencies,
  { accountId, actor }: Principal,
  { body, types }: SetRequest,
): Promise<{ readonly plan: RolloutPlanResponse } | { readonly rollout: Rollout }> {
  const { set, unset, dryRun } = body;
  if (!dryRun) await requireRolloutTurn(needs, accountId);
  const ids = await selectChecks(needs, accountId, { body, types });
  const change = { type: 'edit', set, unset } as const;
  const known = ids.filter((id) => types.some((type) => isId(type, id)));
  const planned = await planRollout(needs, { accountId, change, ids: known });
  const plan = { ...planned, problems: [...findForeign(ids, known), ...planned.problems] };
  if (dryRun) return { plan: presentPlan(plan, ids.length) };
  refusePlan(plan, (path) => pathInBody(path, body));
  const request = { accountId, actor, cause: { type: 'edit' }, change, ids, plan } as const;
  return { rollout: await startRollout(needs, request) };
}

/** Reports ids of other types, and malformed ids. */
function findForeign(ids: readonly string[], known: readonly string[]): RolloutPlan['problems'] {
  const message = 'There is no monitor or scenario with this id.';
  return ids
    .filter((id) => !known.includes(id))
    .map((id) => ({ id, name: '', path: '', code: 'not_found', message }));
}

export function presentPlan({ items, problems }: RolloutPlan, total: number): RolloutPlanResponse {
  const change = items.filter(({ changes }) => changes.length > 0).length;
  const summary = {
    total,
    change,
    unchanged: items.length - change,
    invalid: total - items.length,
  };
  return { summary, items, problems };
}

/** Returns the field of the request that causes a problem. `path` is the path of the problem in a resource. */
function pathInBody(path: string, { unset }: SetFieldsBody): string {
  if (path === '') return 'ids';
  const [field = ''] = /^\w+/.exec(path) ?? [];
  return unset.includes(field) ? 'unset' : `set.${path}`;
}
