/** Every route of /v1, in one list: the mount, the tests and the documentation read it. */

import { monitorKind } from '../../services/monitors/kind';
import { scenarioKind } from '../../services/scenarios/kind';
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
import { monitorRoutes, monitorSetRoutes } from '../v1/monitors/monitor-routes';
import { serviceRoutes } from '../v1/operations/service-routes';
import { definitionRoutes, stateRoutes } from '../v1/resources/definition-routes';
import { scenarioRunRoutes, scenarioSetRoutes } from '../v1/scenarios/scenario-routes';
import { secretRoutes } from '../v1/secrets/secret-routes';
import { statusPageRoutes } from '../v1/status-pages/status-page-routes';
import type { Route } from './route';

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
