/**
 * One action on many monitors. Each is carried out for itself: one that fails says why and holds up
 * none of the others.
 */

import type { Monitor } from '../../models/resources/monitors';
import { AppError } from '../../platform/errors';
import { mapAtMost } from '../../platform/map-at-most';
import { BULK_ITEMS_MAX, type BulkBody } from '../../schemas/bulk';
import type { BulkResponse } from '../../schemas/responses/resources';
import { refuseProblems } from '../lists/field-problems';
import { anyVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { listResources } from '../resources/list-resources';
import { pauseNow, requireFutureEnd, resumeChange } from '../resources/pause';
import { monitorPort } from '../resources/resource-port';
import { deleteResource } from '../resources/resource-verbs';
import { type Change, findLiveResource, saveChange } from '../resources/save-resource';
import { groupKeyFor } from '../resources/target';

type BulkOutcome = BulkResponse['data'][number];

const AT_ONCE_MAX = 10;
const TAGS_MAX = 20;
const TEMPORAL_PING_WITHIN_MS = 2000;

/**
 * Repeating it changes nothing more. Throws `engine_unavailable` before anything is done when the
 * engine is away, and `validation_failed` for a filter that selects more than 500.
 */
export async function bulkMonitors(
  needs: Dependencies,
  accountId: string,
  body: BulkBody,
): Promise<BulkResponse> {
  if (body.action === 'pause') requireFutureEnd({ untilMs: body.until }, needs.clock.now());
  await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
  const ids = body.ids ?? (await selectIds(needs, accountId, body.filter ?? {}));
  const act = actionOf(needs, accountId, body);
  const data = await mapAtMost(AT_ONCE_MAX, ids, (id) => outcomeOf(id, act));
  const succeeded = data.filter(({ ok }) => ok).length;
  return { succeeded, failed: data.length - succeeded, data };
}

async function selectIds(
  needs: Dependencies,
  accountId: string,
  filter: NonNullable<BulkBody['filter']>,
): Promise<readonly string[]> {
  const request = { accountId, limit: BULK_ITEMS_MAX, ...filter };
  const { items, nextCursor } = await listResources(needs, monitorPort(needs), request);
  if (nextCursor !== null) {
    const message = `selects more than ${BULK_ITEMS_MAX} monitors`;
    refuseProblems([{ path: 'filter', code: 'out_of_bounds', message }]);
  }
  return items.map(({ id }) => id);
}

type Action = (id: string) => Promise<void>;

function actionOf(needs: Dependencies, accountId: string, body: BulkBody): Action {
  const port = monitorPort(needs);
  if (body.action === 'delete')
    return (id) => deleteResource(needs, port, { accountId, id, accept: anyVersion });
  const change = changeOf(body, needs.clock.now());
  return async (id) => {
    await saveChange(needs, port, { find: () => findLiveResource(port, accountId, id), change });
  };
}

function changeOf(
  body: Exclude<BulkBody, { readonly action: 'delete' }>,
  nowMs: number,
): Change<Monitor> {
  switch (body.action) {
    case 'pause':
      return (monitor) => pauseNow(monitor, { untilMs: body.until, reason: body.reason }, nowMs);
    case 'resume':
      return resumeChange;
    case 'tag':
      return (monitor) => ({ ...monitor, tags: changedTags(monitor.tags, body) });
    case 'group':
      return (monitor) => {
        const groupKey = groupKeyFor(body.group, monitor.step?.url ?? '', monitor.variables);
        return { ...monitor, group: body.group, groupKey };
      };
  }
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

async function outcomeOf(id: string, act: Action): Promise<BulkOutcome> {
  try {
    await act(id);
    return { id, ok: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, ok: false, code: error.code, detail: error.message };
  }
}
