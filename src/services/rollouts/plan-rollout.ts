/** Plans a rollout. Lists the changes of each resource, and every problem. Writes nothing. */
import type { RolloutChange } from '../../contracts/operations/rollouts';
import { findShownChanges } from '../../domain/accounts/shown-changes';
import type { FieldChange } from '../../domain/definitions/field-changes';
import { isId } from '../../domain/definitions/ids';
import type { Resource } from '../../models/resources/resource';
import type { RolloutItem } from '../../models/rollouts/rollout-items';
import { AppError, type FieldProblem, isUnavailable } from '../../platform/errors';
import { mapAtMost } from '../../platform/map-at-most';
import { requireInterval } from '../accounts/plan-limits';
import { refuseProblems } from '../lists/field-problems';
import { createMonitorKind } from '../monitors/kind';
import { buildShownView, withSharedViews } from '../resources/definition-change';
import type { Kind, KindNeeds, KindTypes } from '../resources/kind';
import { readDependencies, withoutGoneDependencies } from '../resources/resolve-dependencies';
import { resolveHours } from '../resources/resolve-hours';
import { findLiveResource } from '../resources/save-resource';
import { createScenarioKind } from '../scenarios/kind';
import { editResource, isReason, recompose, restoreResource } from './change-resource';
import { hasCurrentLayers } from './has-current-layers';
import { shareCalls } from './rollout-needs';

export interface PlannedItem {
  readonly id: string;
  readonly name: string;
  readonly type: 'monitor' | 'scenario';
  readonly changes: readonly FieldChange[];
}

export interface PlanProblem extends FieldProblem {
  readonly id: string;
  readonly name: string;
}

export interface RolloutPlan {
  /** The resources without problems, in the order of the ids. */
  readonly items: readonly PlannedItem[];
  readonly problems: readonly PlanProblem[];
}

export interface RolloutPlanRequest {
  readonly accountId: string;
  readonly change: RolloutChange;
  readonly ids: readonly string[];
}

const AT_ONCE_MAX = 10;

/**
 * Plans the rollout. Throws `unavailable` if the database does not respond. Any other error becomes a problem of the
 * resource that caused it.
 */
export async function planRollout(
  needs: KindNeeds,
  { accountId, change, ids }: RolloutPlanRequest,
): Promise<RolloutPlan> {
  const shared = shareCalls(needs);
  const monitors = withSharedViews(createMonitorKind(shared));
  const scenarios = withSharedViews(createScenarioKind(shared));
  const planned = await mapAtMost(AT_ONCE_MAX, ids, (id) =>
    isId('scenario', id)
      ? planResource(shared, scenarios, { accountId, change, id })
      : planResource(shared, monitors, { accountId, change, id }),
  );
  return {
    items: planned.flatMap(({ item }) => (item === undefined ? [] : [item])),
    problems: planned.flatMap(({ problems = [] }) => problems),
  };
}

/** Throws one error with every problem of the plan. */
export function refusePlan({ problems }: RolloutPlan, pathOf = (path: string) => path): void {
  refuseProblems(
    problems.map(({ id, name, path, code, message }) => ({
      path: pathOf(path),
      code,
      message: `${message} (${id}${name === '' ? '' : `, ${name}`})`,
    })),
  );
}

interface Restored {
  readonly resource: Resource;
  readonly restored: Resource;
}

/**
 * Throws if references of a restored definition no longer work: the hours may have been deleted since the rollout, or
 * the dependencies may now form a cycle.
 */
async function refuseInvalidReferences(
  needs: Pick<KindNeeds, 'stores'>,
  { resource, restored }: Restored,
): Promise<void> {
  const { accountId, id, name, hours } = restored;
  const owner = { accountId, id, stored: resource };
  await resolveHours(needs, owner, hours);
  const [live = restored] = await withoutGoneDependencies(needs, accountId, [restored]);
  await readDependencies(needs, owner, { name, dependsOn: live.dependsOn });
}

interface Target {
  readonly accountId: string;
  readonly change: RolloutChange;
  readonly id: string;
}

interface Planned {
  readonly item?: PlannedItem;
  readonly problems?: readonly PlanProblem[];
}

async function planResource<Types extends KindTypes>(
  needs: KindNeeds,
  kind: Kind<Types>,
  { accountId, change, id }: Target,
): Promise<Planned> {
  let name = '';
  try {
    const resource = await findLiveResource(kind, accountId, id);
    name = resource.name;
    const next = await buildNext(needs, kind, { resource, change });
    if (isReason(next)) return { item: { id, name, type: kind.idKind, changes: [] } };
    if (next.intervalSeconds !== resource.intervalSeconds)
      await requireInterval(needs, accountId, next.intervalSeconds);
    const changes = findShownChanges(buildShownView(kind, resource), buildShownView(kind, next));
    return { item: { id, name, type: kind.idKind, changes } };
  } catch (error) {
    if (!(error instanceof AppError) || isUnavailable(error)) throw error;
    return { problems: listProblems(error).map((problem) => ({ id, name, ...problem })) };
  }
}

/** Lists the problems of an error. An error about the whole resource has no paths. */
function listProblems({ errors, code, message }: AppError): readonly FieldProblem[] {
  if (errors.length > 0) return errors;
  const path = code === 'limit_reached' ? 'interval' : '';
  return [{ path, code, message }];
}

/**
 * Returns the changed resource, or the same object if nothing changes. Returns the reason if an undo leaves the
 * resource unchanged. Throws the errors of PATCH and PUT.
 */
export async function buildNext<Types extends KindTypes>(
  needs: KindNeeds,
  kind: Kind<Types>,
  { resource, change }: { readonly resource: Types['Resource']; readonly change: RolloutChange },
): Promise<Types['Resource'] | NonNullable<RolloutItem['reason']>> {
  switch (change.type) {
    case 'edit':
      return editResource(needs, kind, resource, change);
    case 'recompose':
      return recompose(needs, kind, resource);
    case 'restore': {
      const { accountId, id } = resource;
      const name = { accountId, rolloutId: change.rolloutId };
      const undone = await needs.stores.rolloutItems.find(name, id);
      const restored = restoreResource(needs, kind, resource, undone);
      if (isReason(restored)) return restored;
      await refuseInvalidReferences(needs, { resource, restored });
      if (await hasCurrentLayers(needs, kind, restored)) return restored;
      return recompose(needs, kind, restored);
    }
  }
}
