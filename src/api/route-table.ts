/** Every route of /v1, in one list: the mount, the tests and the documentation read it. */

import { withOpenApi } from './openapi';
import type { Route } from './route';
import { accountRoutes } from './routes/account-routes';
import { alertChannelRoutes, incidentRoutes } from './routes/alert-routes';
import { applyRoutes } from './routes/apply-routes';
import { keyRoutes } from './routes/key-routes';
import { maintenanceSetRoutes, maintenanceWindowRoutes } from './routes/maintenance-routes';
import { monitorActionRoutes, monitorSetRoutes } from './routes/monitor-action-routes';
import { monitorRoutes } from './routes/monitor-routes';
import { invitationRoutes, memberRoutes } from './routes/people-routes';
import {
  scenarioActionRoutes,
  scenarioRunRoutes,
  scenarioSetRoutes,
} from './routes/scenario-action-routes';
import { scenarioRoutes } from './routes/scenario-routes';
import { secretRoutes } from './routes/secret-routes';
import { serviceRoutes } from './routes/service-routes';
import { entryRoutes, type SessionRouteOptions, sessionRoutes } from './routes/session-routes';
import { statusPageRoutes } from './routes/status-page-routes';

/** Fixed paths stand before those with parameters, since the first match answers. */
export function routeTable(options: SessionRouteOptions): readonly Route[] {
  const { services, publicUrl } = options;
  const routes = [
    ...entryRoutes(options),
    ...sessionRoutes(options),
    ...accountRoutes(services),
    ...memberRoutes(services),
    ...invitationRoutes(services),
    ...keyRoutes(services),
    ...serviceRoutes(services),
    ...statusPageRoutes(services),
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
    ...applyRoutes(services),
    ...maintenanceSetRoutes(services),
    ...maintenanceWindowRoutes(services),
  ];
  return withOpenApi(routes, publicUrl);
}
