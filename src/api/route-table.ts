/** Every route of /v1, in one list: the mount, the tests and the documentation read it. */

import { withOpenApi } from './openapi';
import type { Route } from './route';
import {
  type AccountRouteOptions,
  accountRoutes,
  apiKeyRoutes,
  entryRoutes,
} from './routes/account-routes';
import { alertChannelRoutes, incidentRoutes } from './routes/alert-routes';
import { monitorActionRoutes, monitorSetRoutes } from './routes/monitor-action-routes';
import { monitorRoutes } from './routes/monitor-routes';
import {
  scenarioActionRoutes,
  scenarioRunRoutes,
  scenarioSetRoutes,
} from './routes/scenario-action-routes';
import { scenarioRoutes } from './routes/scenario-routes';
import { secretRoutes } from './routes/secret-routes';

/** Fixed paths stand before those with parameters, since the first match answers. */
export function routeTable(options: AccountRouteOptions): readonly Route[] {
  const { services } = options;
  return withOpenApi([
    ...entryRoutes(options),
    ...accountRoutes(options),
    ...apiKeyRoutes(options),
    ...monitorSetRoutes(services),
    ...monitorRoutes(services),
    ...monitorActionRoutes(services),
    ...scenarioSetRoutes(services),
    ...scenarioRunRoutes(services),
    ...scenarioRoutes(services),
    ...scenarioActionRoutes(services),
    ...secretRoutes(services),
    ...alertChannelRoutes(services),
    ...incidentRoutes(services),
  ]);
}
