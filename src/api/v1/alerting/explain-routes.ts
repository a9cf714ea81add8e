/** Why people were notified of an incident or not (docs/alerts.md). */
import { incidentExplanation } from '../../../schemas/responses/explanations';
import { explainStoredIncident } from '../../../services/alerting/explain-incident';
import { okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';

export const explainRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/incidents/:incidentId/explain',
    operationId: 'explainIncident',
    tag: 'Alerts',
    summary: 'Explain why people were notified of an incident, or were not',
    scope: 'read',
    responses: { 200: { description: 'Sentences with times', schema: incidentExplanation } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await explainStoredIncident(services, accountId, param('incidentId'))),
  }),
];
