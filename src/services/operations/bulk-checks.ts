/** Applies one action to many monitors and scenarios. Each check is changed separately and has its own outcome. */

import { HEARTBEAT_GROUP } from '../../domain/definitions/grouping';
import { isId } from '../../domain/definitions/ids';
import { listEffectiveVariables } from '../../domain/definitions/inherit';
import type { Monitor } from '../../models/resources/monitors';
import type { Layers, Resource } from '../../models/resources/resource';
import type { Scenario } from '../../models/resources/scenarios';
import { AppError } from '../../platform/errors';
import { mapAtMost } from '../../platform/map-at-most';
import { BULK_ITEMS_MAX, type CheckBulkBody } from '../../schemas/bulk';
import type { BulkResponse } from '../../schemas/responses/rollouts';
import { refuseProblems } from '../lists/field-problems';
import { createRetryWhileBusy } from '../lists/retry-while-busy';
import { anyVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { listResources } from '../resources/list-resources';
import { pauseNow, requireFutureEnd, resumeChange } from '../resources/pause';
import {
  createMonitorPort,
  createScenarioPort,
  type ResourcePort,
} from '../resources/resource-port';
import { deleteResource } from '../resources/resource-verbs';
import { type Change, findLiveResource, saveChange } from '../resources/save-resource';
import { groupKeyFor } from '../resources/target';

type BulkOutcome = BulkResponse['data'][number];
export type CheckType = 'monitor' | 'scenario';
/** Every action except `set`, which is a rollout. */
export type DirectBulkBody = Exclude<CheckBulkBody, { readonly action: 'set' }>;

const AT_ONCE_MAX = 10;
const TAGS_MAX = 20;
const TEMPORAL_PING_WITHIN_MS = 2000;

interface BulkRequest {
  readonly body: DirectBulkBody;
  /** The types that the action may affect. An id of another type counts as unknown. Filters select only these types. */
  readonly types: readonly CheckType[];
}

/**
 * Applies the action. Returns the outcomes in the order of the ids. Idempotent. Throws `unavailable` before any change
 * if Temporal is unavailable, and `validation_failed` if a filter selects more than 500 checks.
 */
export async function bulkChecks(
  needs: Dependencies,
  accountId: string,
  { body, types }: BulkRequest,
): Promise<BulkResponse> {
  if (body.action === 'pause') requireFutureEnd({ untilMs: body.until }, needs.clock.now());
  await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
  const ids = await selectChecks(needs, accountId, { body, types });
  const onMonitor = createAction(needs, accountId, body, groupedMonitors(needs));
  const onScenario = createAction(needs, accountId, body, groupedScenarios(needs));
  const retry = createRetryWhileBusy(needs);
  const data = await mapAtMost(AT_ONCE_MAX, ids, (id) => {
    const isScenario = types.includes('scenario') && isId('scenario', id);
    return retry(
      () => catchOutcome(id, isScenario ? onScenario : onMonitor),
      (outcome) => (outcome.ok ? undefined : outcome.code),
    );
  });
  const succeeded = data.filter(({ ok }) => ok).length;
  return { succeeded, failed: data.length - succeeded, data };
}

/** Returns the ids in the body, or the ids of the checks that its filter selects. */
export async function selectChecks(
  needs: Dependencies,
  accountId: string,
  {
    body: { ids, filter: selection = {} },
    types,
  }: { readonly body: Pick<CheckBulkBody, 'ids' | 'filter'>; readonly types: readonly CheckType[] },
): Promise<readonly string[]> {
  const { type, ...filter } = selection;
  const selected = types.filter((one) => type === undefined || type === one);
  return ids ?? selectIds(needs, selected, { accountId, ...filter });
}

type Filter = Omit<Parameters<typeof listResources>[2], 'limit' | 'cursor'>;

async function selectIds(
  needs: Dependencies,
  types: readonly CheckType[],
  filter: Filter,
): Promise<readonly string[]> {
  const request = { limit: BULK_ITEMS_MAX, ...filter };
  const pages = await Promise.all([
    ...(types.includes('monitor') ? [listResources(needs, createMonitorPort(needs), request)] : []),
    ...(types.includes('scenario')
      ? [listResources(needs, createScenarioPort(needs), request)]
      : []),
  ]);
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
  if (ids.length > BULK_ITEMS_MAX || pages.some(({ nextCursor }) => nextCursor !== null)) {
    const what = types.length === 1 ? `${types[0]}s` : 'monitors and scenarios';
    const message = `selects more than ${BULK_ITEMS_MAX} ${what}`;
    refuseProblems([{ path: 'filter', code: 'out_of_bounds', message }]);
  }
  return ids;
}

/**
 * The resources of one kind, and a function that returns the group key of a resource. A `group` of null means that
 * people chose no group.
 */
interface GroupedKind<Entity extends Resource> {
  readonly port: ResourcePort<Entity>;
  readonly groupKeyIn: (resource: Entity, group: string | null) => string;
}

function groupedMonitors(needs: Dependencies): GroupedKind<Monitor> {
  return {
    port: createMonitorPort(needs),
    groupKeyIn: (monitor, group) =>
      monitor.step === null && group === null
        ? HEARTBEAT_GROUP
        : groupKeyFor(group, monitor.step?.url ?? '', listEffectiveVariables(monitor)),
  };
}

function groupedScenarios(needs: Dependencies): GroupedKind<Scenario> {
  return {
    port: createScenarioPort(needs),
    groupKeyIn: (scenario, group) =>
      groupKeyFor(group, scenario.steps[0]?.url ?? '', listEffectiveVariables(scenario)),
  };
}

type Action = (id: string) => Promise<void>;

function createAction<Entity extends Resource>(
  needs: Dependencies,
  accountId: string,
  body: DirectBulkBody,
  kind: GroupedKind<Entity>,
): Action {
  const { port } = kind;
  if (body.action === 'delete')
    return (id) => deleteResource(needs, port, { accountId, id, accept: anyVersion });
  const change = createChange(body, needs.clock.now(), kind);
  return async (id) => {
    await saveChange(needs, port, { find: () => findLiveResource(port, accountId, id), change });
  };
}

function createChange<Entity extends Resource>(
  body: Exclude<DirectBulkBody, { readonly action: 'delete' }>,
  nowMs: number,
  { groupKeyIn }: GroupedKind<Entity>,
): Change<Entity> {
  switch (body.action) {
    case 'pause':
      return (resource) => pauseNow(resource, { untilMs: body.until, reason: body.reason }, nowMs);
    case 'resume':
      return (resource) => resumeChange(resource, nowMs);
    case 'tag':
      return (resource) => ({
        ...resource,
        ...layersWithOwn(resource, 'tags'),
        tags: changedTags(resource.tags, body),
      });
    case 'group':
      return (resource) => ({
        ...resource,
        ...layersWithOwn(resource, 'group'),
        group: body.group,
        groupKey: groupKeyIn(resource, body.group),
      });
  }
}

/** Marks the field as own, so that it is no longer inherited from the profile. Without a profile, nothing changes. */
function layersWithOwn({ profile, own = [], fromProfile = [] }: Resource, field: string): Layers {
  if (profile === undefined) return {};
  return {
    own: [...new Set([...own, field])].sort(),
    fromProfile: fromProfile.filter((name) => name !== field),
  };
}

function changedTags(
  tags: readonly string[],
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): readonly string[] {
  const kept = tags.filter((tag) => !remove.includes(tag));
  const changed = [...new Set([...kept, ...add])];
  if (changed.length <= TAGS_MAX) return changed;
  throw new AppError('validation_failed', `It would have more than ${TAGS_MAX} tags.`);
}

async function catchOutcome(id: string, act: Action): Promise<BulkOutcome> {
  try {
    await act(id);
    return { id, ok: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, ok: false, code: error.code, detail: error.message };
  }
}
