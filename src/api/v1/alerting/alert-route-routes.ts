/** The API of alert routes, which assign alert policies to resources (docs/alerts.md). */
import { alertRoutesBody, simulateRoutesBody } from '../../../schemas/alert-policy';
import { alertRoutes, routeSimulation } from '../../../schemas/responses/alert-routes';
import {
  getAlertRoutes,
  ROUTES_READ_ONLY_FIELDS,
  replaceAlertRoutes,
} from '../../../services/alerting/alert-routes';
import { simulateRoutes } from '../../../services/alerting/simulate-routes';
import { acceptVersion } from '../../routing/preconditions';
import { toReplacementShape } from '../../routing/replace-body';
import { okResponse, resourceResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';

export const alertRouteRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/alert-routes',
    operationId: 'getAlertRoutes',
    tag: 'Alert policies',
    summary: 'Get the alert routes',
    description:
      'Returns the routes in their order. The first route that matches chooses the policy of checks that name none.',
    guide: 'docs/alerts.md#routes',
    scope: 'read',
    responses: { 200: { description: 'The routes, in their order', schema: alertRoutes } },
    handler: async ({ accountId }, { services }) =>
      resourceResponse(await getAlertRoutes(services, accountId)),
  }),
  route({
    endpoint: 'PUT /v1/alert-routes',
    operationId: 'replaceAlertRoutes',
    tag: 'Alert policies',
    summary: 'Replace the alert routes',
    description:
      'Replaces all routes, in the order of the body. Escalations in progress keep their policy.',
    guide: 'docs/alerts.md#routes',
    scope: 'write',
    audit: 'alert_routes.put',
    body: toReplacementShape(alertRoutesBody, ROUTES_READ_ONLY_FIELDS),
    readStored: ({ accountId }, { services }) => getAlertRoutes(services, accountId),
    responses: { 200: { description: 'The routes', schema: alertRoutes } },
    codes: ['version_mismatch'],
    example: {
      routes: [
        { match: { tags: ['payments'] }, policy: 'on-call' },
        { match: { groups: ['internal'] }, policy: null },
      ],
    },
    handler: async ({ accountId }, { services, body, headers }) => {
      const request = { body, accept: acceptVersion(headers['if-match']) };
      return resourceResponse(await replaceAlertRoutes(services, accountId, request));
    },
  }),
  route({
    endpoint: 'POST /v1/alert-routes/simulate',
    operationId: 'simulateAlertRoutes',
    tag: 'Alert policies',
    summary: 'Simulate the alert routes',
    description:
      'Returns the policy that a saved or unsaved check uses, the route that chose it, and who would be notified when. Nothing is sent.',
    guide: 'docs/alerts.md#routes',
    scope: 'read',
    audit: null,
    body: simulateRoutesBody,
    responses: { 200: { description: 'The policy and who', schema: routeSimulation } },
    example: { resourceId: 'mon_01jd5s0000000000000000shop', at: '2026-11-21T22:30:00.000Z' },
    handler: async ({ accountId }, { services, body }) => {
      const { at: atMs, ...given } = body;
      return okResponse(await simulateRoutes(services, accountId, { atMs, ...given }));
    },
  }),
];
