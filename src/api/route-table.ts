/** Every route of /v1, in one list: the mount, the tests and the documentation read it. */

import type { Route } from './route';
import { type AccountRouteOptions, accountRoutes, entryRoutes } from './routes/account-routes';
import { monitorActionRoutes, monitorSetRoutes } from './routes/monitor-action-routes';
import { monitorRoutes } from './routes/monitor-routes';
import { scenarioActionRoutes, scenarioRunRoutes } from './routes/scenario-action-routes';
import { scenarioRoutes } from './routes/scenario-routes';

/** Fixed paths stand before those with parameters, since the first match answers. */
export function routeTable(options: AccountRouteOptions): readonly Route[] {
  const { services } = options;
  return [
    ...entryRoutes(options),
    ...accountRoutes(options),
    ...monitorSetRoutes(services),
    ...monitorRoutes(services),
    ...monitorActionRoutes(services),
    ...scenarioRunRoutes(services),
    ...scenarioRoutes(services),
    ...scenarioActionRoutes(services),
  ];
}
