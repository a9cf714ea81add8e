/** What can be done with a monitor, and what it measured. */
import { type BulkBody, bulkBody } from '../../../schemas/bulk';
import { monitorTestBody } from '../../../schemas/monitor';
import { resultFileQuery, resultQuery } from '../../../schemas/queries';
import { TIMEOUT_MS_MAX } from '../../../schemas/request-options';
import { type BulkResponse, bulkMonitors } from '../../../services/monitors/bulk-monitors';
import { checkMonitorNow } from '../../../services/monitors/check-monitor-now';
import { exportResults } from '../../../services/monitors/export-results';
import { getResult } from '../../../services/monitors/get-result';
import { monitorResults } from '../../../services/monitors/monitor-results';
import { TEST_SLACK_MS, testMonitor } from '../../../services/monitors/test-monitor';
import type { Dependencies } from '../../../services/ports/dependencies';
import { listResponse, okResponse, type RouteResponse } from '../../routing/response';
import { EMPTY_BODY, NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';
import { RESULT_COLUMNS } from '../resources/result-columns';
import { fileResponse } from '../resources/result-file';

/** So long may 500 monitors take on a busy machine. */
const BULK_DEADLINE_MS = 120_000;

/** The longest time-out of a request, and all around it. */
const TEST_DEADLINE_MS = TIMEOUT_MS_MAX + TEST_SLACK_MS + 5_000;

/** Actions whose paths name no monitor; they stand before those that do. */
export function monitorSetRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'POST /v1/monitors/bulk',
      scope: 'write',
      body: bulkBody,
      query: NO_QUERY,
      deadlineMs: BULK_DEADLINE_MS,
      handler: async ({ accountId }, { body }) =>
        bulkRouteResponse(body, await bulkMonitors(services, accountId, body)),
    }),
    route({
      endpoint: 'POST /v1/monitors/test',
      scope: 'write',
      body: monitorTestBody,
      query: NO_QUERY,
      deadlineMs: TEST_DEADLINE_MS,
      load: 'test',
      handler: async ({ accountId }, { body }) =>
        okResponse(await testMonitor(services, accountId, body)),
    }),
  ];
}

/** Each monitor that was changed is a change of its own. */
function bulkRouteResponse(
  { ids: _ids, filter: _filter, ...change }: BulkBody,
  body: BulkResponse,
): RouteResponse {
  const changes = body.data
    .filter(({ ok }) => ok)
    .map(({ id }) => ({
      action: `monitor.${change.action}`,
      resourceType: 'monitor',
      resourceId: id,
      before: null,
      after: change,
    }));
  return { ...okResponse(body), changes };
}

export function monitorRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'POST /v1/monitors/:monitorId/run',
      scope: 'run',
      body: EMPTY_BODY,
      isBodyOptional: true,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) => {
        const id = param('monitorId');
        const body = await checkMonitorNow(services, accountId, id);
        const location = `/v1/monitors/${id}/results?requestId=${body.id}`;
        return { status: 202, headers: { Location: location }, body };
      },
    }),
    route({
      endpoint: 'GET /v1/monitors/:monitorId/results',
      scope: 'read',
      body: NO_BODY,
      query: resultQuery,
      handler: async ({ accountId }, { param, query, url }) => {
        const request = { ...query, id: param('monitorId') };
        return listResponse(await monitorResults(services, accountId, request), url);
      },
    }),
    // Before the path with the id of a result, which would take it.
    route({
      endpoint: 'GET /v1/monitors/:monitorId/results/export',
      scope: 'read',
      body: NO_BODY,
      query: resultFileQuery,
      load: 'export',
      handler: async ({ accountId }, { param, query }) => {
        const { format, ...filters } = query;
        const id = param('monitorId');
        const pages = await exportResults(services, accountId, { ...filters, id });
        return fileResponse({ name: `results-${id}`, format, columns: RESULT_COLUMNS, pages });
      },
    }),
    route({
      endpoint: 'GET /v1/monitors/:monitorId/results/:resultId',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) => {
        const request = { monitorId: param('monitorId'), resultId: param('resultId') };
        return okResponse(await getResult(services, accountId, request));
      },
    }),
  ];
}
