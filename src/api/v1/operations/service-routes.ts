/** Routes over the whole account that the dashboard lives on. */

import { getOverview } from '../../../services/operations/get-overview';
import type { Dependencies } from '../../../services/ports/dependencies';
import { streamChanges } from '../../routing/event-stream';
import { okResponse } from '../../routing/response';
import { NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';

export function serviceRoutes(services: Dependencies): readonly Route[] {
  return [
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
