/** Every route of /v1, in one list: the mount, the tests and the documentation read it. */

import { monitorKind } from '../../services/monitors/kind';
import { scenarioKind } from '../../services/scenarios/kind';
import type { Route } from '../routing/route';
import { accountRoutes } from './accounts/account-routes';
import { keyRoutes } from './accounts/key-routes';
import { invitationRoutes, memberRoutes } from './accounts/people-routes';
import { entryRoutes, type SessionRouteOptions, sessionRoutes } from './accounts/session-routes';
import { alertChannelRoutes, incidentRoutes } from './alerting/alert-routes';
import { applyRoutes } from './apply/apply-routes';
import { maintenanceSetRoutes, maintenanceWindowRoutes } from './maintenance/maintenance-routes';
import { monitorRoutes, monitorSetRoutes } from './monitors/monitor-routes';
import { withOpenApi } from './openapi';
import { serviceRoutes } from './operations/service-routes';
import { definitionRoutes, stateRoutes } from './resources/definition-routes';
import { scenarioRunRoutes, scenarioSetRoutes } from './scenarios/scenario-routes';
import { secretRoutes } from './secrets/secret-routes';
import { statusPageRoutes } from './status-pages/status-page-routes';

/** Fixed paths stand before those with parameters, since the first match answers. */
export function routeTable(options: SessionRouteOptions): readonly Route[] {
  const { services, publicUrl } = options;
  const monitors = monitorKind(services);
  const scenarios = scenarioKind(services);
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
    ...definitionRoutes(services, monitors),
    ...stateRoutes(services, monitors),
    ...monitorRoutes(services),
    ...scenarioSetRoutes(services),
    ...scenarioRunRoutes(services),
    ...definitionRoutes(services, scenarios),
    ...stateRoutes(services, scenarios),
    ...secretRoutes(services),
    ...alertChannelRoutes(services),
    ...incidentRoutes(services),
    ...applyRoutes(services),
    ...maintenanceSetRoutes(services),
    ...maintenanceWindowRoutes(services),
  ];
  return withOpenApi(routes, publicUrl);
}
