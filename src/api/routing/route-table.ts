/** Every route of /v1, in one list: the mount, the tests and the documentation read it. */

import { withOpenApi } from '../openapi';
import { accountRoutes } from '../v1/accounts/account-routes';
import { keyRoutes } from '../v1/accounts/key-routes';
import { invitationRoutes, memberRoutes } from '../v1/accounts/people-routes';
import {
  entryRoutes,
  type SessionRouteOptions,
  sessionRoutes,
} from '../v1/accounts/session-routes';
import { alertChannelRoutes, incidentRoutes } from '../v1/alerting/alert-routes';
import { applyRoutes } from '../v1/apply/apply-routes';
import {
  maintenanceSetRoutes,
  maintenanceWindowRoutes,
} from '../v1/maintenance/maintenance-routes';
import { monitorActionRoutes, monitorSetRoutes } from '../v1/monitors/monitor-action-routes';
import { monitorRoutes } from '../v1/monitors/monitor-routes';
import { serviceRoutes } from '../v1/operations/service-routes';
import {
  scenarioActionRoutes,
  scenarioRunRoutes,
  scenarioSetRoutes,
} from '../v1/scenarios/scenario-action-routes';
import { scenarioRoutes } from '../v1/scenarios/scenario-routes';
import { secretRoutes } from '../v1/secrets/secret-routes';
import { statusPageRoutes } from '../v1/status-pages/status-page-routes';
import type { Route } from './route';

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
