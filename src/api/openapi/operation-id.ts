/**
 * Names of operations in the reference, as generated clients call them: a verb and its object in camel
 * case. They are part of the API: clients break when one changes.
 */
import type { Route } from '../routing/route';

const MEMBER_VERBS = { GET: 'get', PUT: 'replace', PATCH: 'update', DELETE: 'delete' } as const;

/** What neither lists, creates, reads, changes nor deletes a resource. */
const ACTIONS: Readonly<Record<string, string>> = {
  'GET /v1/account': 'getAccount',
  'PATCH /v1/account': 'updateAccount',
  'POST /v1/alert-channels/:channelId/test': 'testAlertChannel',
  'DELETE /v1/api-keys/:keyId': 'revokeApiKey',
  'POST /v1/apply': 'applySet',
  'GET /v1/events': 'streamEvents',
  'GET /v1/export': 'exportSet',
  'POST /v1/incidents/:incidentId/acknowledge': 'acknowledgeIncident',
  'POST /v1/incidents/:incidentId/notes': 'addIncidentNote',
  'POST /v1/invitations/accept': 'acceptInvitation',
  'DELETE /v1/invitations/:invitationId': 'withdrawInvitation',
  'POST /v1/maintenance-windows/:windowId/end': 'endMaintenanceWindow',
  'POST /v1/maintenance-windows/now': 'startMaintenance',
  'DELETE /v1/members/:memberId': 'removeMember',
  'POST /v1/members': 'addMember',
  'POST /v1/monitors/bulk': 'bulkChangeMonitors',
  'POST /v1/monitors/test': 'testMonitor',
  'POST /v1/monitors/:monitorId/pause': 'pauseMonitor',
  'POST /v1/monitors/:monitorId/resume': 'resumeMonitor',
  'POST /v1/monitors/:monitorId/run': 'checkMonitorNow',
  'GET /v1/monitors/:monitorId/results': 'listMonitorResults',
  'GET /v1/monitors/:monitorId/results/export': 'exportMonitorResults',
  'GET /v1/monitors/:monitorId/results/:resultId': 'getMonitorResult',
  'GET /v1/monitors/:monitorId/uptime': 'getMonitorUptime',
  'GET /v1/openapi.json': 'getOpenApi',
  'GET /v1/overview': 'getOverview',
  'GET /v1/overview/trends': 'getOverviewTrends',
  'POST /v1/password': 'changePassword',
  'POST /v1/password/reset': 'resetPassword',
  'POST /v1/password/reset-request': 'requestPasswordReset',
  'GET /v1/scenarios/example': 'getScenarioExample',
  'POST /v1/scenarios/test': 'testScenario',
  'POST /v1/scenarios/:scenarioId/pause': 'pauseScenario',
  'POST /v1/scenarios/:scenarioId/resume': 'resumeScenario',
  'POST /v1/scenarios/:scenarioId/run': 'runScenario',
  'GET /v1/scenarios/:scenarioId/results': 'listRuns',
  'GET /v1/scenarios/:scenarioId/results/export': 'exportRuns',
  'GET /v1/scenarios/:scenarioId/results/:runId': 'getRun',
  'POST /v1/scenarios/:scenarioId/results/:runId/cancel': 'cancelRun',
  'GET /v1/scenarios/:scenarioId/uptime': 'getScenarioUptime',
  'GET /v1/schema.json': 'getFileSchema',
  'PUT /v1/secrets/:secretName': 'putSecret',
  'POST /v1/session': 'signIn',
  'GET /v1/session': 'getSession',
  'DELETE /v1/session': 'signOut',
  'DELETE /v1/sessions/:sessionId': 'endSession',
  'GET /v1/setup': 'getSetupState',
  'POST /v1/setup': 'setUp',
};

/** Throws for a route that is neither in the table nor a plain one of a collection. */
export function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const endpoint = `${method} ${path}`;
  const name = ACTIONS[endpoint] ?? plainName(method, path);
  if (name === null) throw new Error(`${endpoint} has no operation id`);
  return name;
}

function plainName(method: Route['method'], path: string): string | null {
  const [, collection = '', parameter] = /^\/v1\/([a-z-]+s)(\/:\w+)?$/.exec(path) ?? [];
  if (collection === '') return null;
  const plural = collection
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  const singular = plural.slice(0, -1);
  if (parameter === undefined) {
    if (method === 'GET') return `list${plural}`;
    return method === 'POST' ? `create${singular}` : null;
  }
  return method === 'POST' ? null : `${MEMBER_VERBS[method]}${singular}`;
}
