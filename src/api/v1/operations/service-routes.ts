/** Routes over the whole account that the dashboard lives on. */

import { checkListQuery } from '../../../schemas/queries';
import { createFindFigures } from '../../../services/operations/check-figures';
import { checkSource } from '../../../services/operations/check-source';
import { getOverview } from '../../../services/operations/get-overview';
import { getTrends } from '../../../services/operations/get-trends';
import { listChecks } from '../../../services/operations/list-checks';
import type { Dependencies } from '../../../services/ports/dependencies';
import { monitorPort, scenarioPort } from '../../../services/resources/resource-port';
import { streamChanges } from '../../routing/event-stream';
import { listResponse, okResponse } from '../../routing/response';
import { NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';

export function serviceRoutes(services: Dependencies): readonly Route[] {
  return [
    ...checkRoutes(services),
    route({
      endpoint: 'GET /v1/overview',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }) => okResponse(await getOverview(services, accountId)),
    }),
    route({
      endpoint: 'GET /v1/events',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      load: 'stream',
      handler: async ({ accountId }) => ({
        status: 200,
        headers: { 'Content-Type': 'text/event-stream' },
        stream: (exchange) => streamChanges(services.changeFeed, accountId, exchange),
      }),
    }),
  ];
}

function checkRoutes(services: Dependencies): readonly Route[] {
  const tools = {
    findFigures: createFindFigures(services),
    sources: [
      checkSource(services, monitorPort(services), ({ step }) => ({ url: step.url, steps: 1 })),
      checkSource(services, scenarioPort(services), ({ steps }) => ({
        url: steps[0]?.url ?? '',
        steps: steps.length,
      })),
    ],
  };
  return [
    route({
      endpoint: 'GET /v1/checks',
      scope: 'read',
      body: NO_BODY,
      query: checkListQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listChecks(services, tools, { ...query, accountId }), url),
    }),
    route({
      endpoint: 'GET /v1/overview/trends',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }) => okResponse(await getTrends(services, tools, accountId)),
    }),
  ];
}
