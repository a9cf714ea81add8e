/** One action on many monitors, or on many monitors and scenarios together. */
import { isId } from '../../../domain/definitions/ids';
import { type CheckBulkBody, checkBulkBody, monitorBulkBody } from '../../../schemas/bulk';
import { type BulkResponse, bulkResponse } from '../../../schemas/responses/resources';
import { bulkChecks } from '../../../services/operations/bulk-checks';
import { okResponse, type ResponseTo } from '../../routing/response';
import { type Route, route } from '../../routing/route';

/** An action on 500 resources may take this long on a busy machine. */
const BULK_DEADLINE_MS = 120_000;

const RESPONSES = {
  200: { description: 'An outcome for each', schema: bulkResponse },
} as const;

export const bulkRoutes: readonly Route[] = [
  route({
    endpoint: 'POST /v1/monitors/bulk',
    operationId: 'bulkChangeMonitors',
    tag: 'Monitors',
    summary: 'Pause, resume, delete, tag or group many at once',
    scope: 'write',
    audit: 'monitor.bulk',
    body: monitorBulkBody,
    deadlineMs: BULK_DEADLINE_MS,
    responses: RESPONSES,
    example: { filter: { group: 'shop' }, action: 'pause', reason: 'deployment' },
    handler: async ({ accountId }, { services, body }) =>
      responseTo(body, await bulkChecks(services, accountId, { body, types: ['monitor'] })),
  }),
  route({
    endpoint: 'POST /v1/checks/bulk',
    operationId: 'bulkChangeChecks',
    tag: 'Service',
    summary: 'Pause, resume, delete, tag or group many monitors and scenarios at once',
    scope: 'write',
    audit: 'check.bulk',
    body: checkBulkBody,
    deadlineMs: BULK_DEADLINE_MS,
    responses: RESPONSES,
    example: { filter: { tag: 'checkout' }, action: 'pause', reason: 'deployment' },
    handler: async ({ accountId }, { services, body }) => {
      const types = ['monitor', 'scenario'] as const;
      return responseTo(body, await bulkChecks(services, accountId, { body, types }));
    },
  }),
];

/** The audit trail lists each changed monitor or scenario separately. */
function responseTo(
  { ids: _ids, filter: _filter, ...change }: CheckBulkBody,
  body: BulkResponse,
): ResponseTo<typeof RESPONSES> {
  const changes = body.data
    .filter(({ ok }) => ok)
    .map(({ id }) => {
      const resourceType = isId('scenario', id) ? 'scenario' : 'monitor';
      return {
        action: `${resourceType}.${change.action}`,
        resourceType,
        resourceId: id,
        before: null,
        after: change,
      };
    });
  return { ...okResponse(body), changes };
}
