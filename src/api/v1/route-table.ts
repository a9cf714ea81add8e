/** The table of all routes of /v1. */

import type { Route } from '../routing/route';
import { accountRoutes } from './accounts/account-routes';
import { entryRoutes } from './accounts/entry-routes';
import { keyRoutes } from './accounts/key-routes';
import { membershipRoutes, registrationRoutes } from './accounts/membership-routes';
import { operatorRoutes } from './accounts/operator-routes';
import { invitationRoutes, memberRoutes } from './accounts/people-routes';
import { pipelineRoutes } from './accounts/pipeline-routes';
import { sessionRoutes } from './accounts/session-routes';
import { alertRouteRoutes } from './alerting/alert-route-routes';
import { alertChannelRoutes } from './alerting/alert-routes';
import { explainRoutes, incidentRoutes } from './alerting/incident-routes';
import { alertPolicyRoutes } from './alerting/policy-routes';
import { applyRoutes } from './apply/apply-routes';
import { environmentRoutes } from './environments/environment-routes';
import { hoursRoutes } from './maintenance/hours-routes';
import { maintenanceSetRoutes, maintenanceWindowRoutes } from './maintenance/maintenance-routes';
import {
  monitorDefinitionRoutes,
  monitorRoutes,
  monitorSetRoutes,
} from './monitors/monitor-routes';
import { withOpenApi } from './openapi';
import { probeKeyRoutes } from './operations/probe-key-routes';
import { serviceRoutes } from './operations/service-routes';
import { bulkRoutes } from './resources/bulk-routes';
import { profileRoutes } from './resources/profile-routes';
import { rolloutRoutes } from './rollouts/rollout-routes';
import {
  scenarioDefinitionRoutes,
  scenarioRunRoutes,
  scenarioSetRoutes,
} from './scenarios/scenario-routes';
import { secretRoutes } from './secrets/secret-routes';
import { factorRoutes } from './sign-in/factor-routes';
import { providerRoutes, signInRoutes } from './sign-in/sign-in-routes';
import { postRoutes } from './status-pages/post-routes';
import { statusPageRoutes } from './status-pages/status-page-routes';
import { subscriberRoutes } from './status-pages/subscriber-routes';
import { savedViewRoutes } from './views/saved-view-routes';

/** Fixed paths come before paths with parameters, because the first match wins. */
export const ROUTES: readonly Route[] = withOpenApi([
  ...entryRoutes,
  ...registrationRoutes,
  ...sessionRoutes,
  ...membershipRoutes,
  ...signInRoutes,
  ...providerRoutes,
  ...factorRoutes,
  ...accountRoutes,
  ...operatorRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...keyRoutes,
  ...serviceRoutes,
  ...probeKeyRoutes,
  ...statusPageRoutes,
  ...postRoutes,
  ...subscriberRoutes,
  ...pipelineRoutes,
  ...savedViewRoutes,
  ...monitorSetRoutes,
  ...bulkRoutes,
  ...monitorDefinitionRoutes,
  ...monitorRoutes,
  ...scenarioSetRoutes,
  ...scenarioRunRoutes,
  ...scenarioDefinitionRoutes,
  ...secretRoutes,
  ...alertChannelRoutes,
  ...alertPolicyRoutes,
  ...alertRouteRoutes,
  ...incidentRoutes,
  ...explainRoutes,
  ...applyRoutes,
  ...hoursRoutes,
  ...profileRoutes,
  ...environmentRoutes,
  ...maintenanceSetRoutes,
  ...maintenanceWindowRoutes,
  ...rolloutRoutes,
]);
