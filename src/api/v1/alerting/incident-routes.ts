/** The routes of incidents and of the deliveries of alerts (docs/alerts.md). */
import {
  acknowledgeBody,
  acknowledgeLinkBody,
  incidentNoteBody,
  snoozeBody,
} from '../../../schemas/alerts';
import { alertQuery, incidentQuery } from '../../../schemas/queries';
import { alertPage } from '../../../schemas/responses/alerts';
import {
  incident,
  incidentExplanation,
  incidentPage,
  linkAcknowledgement,
} from '../../../schemas/responses/incidents';
import { acknowledgeByLink } from '../../../services/alerting/acknowledge-by-link';
import { explainStoredIncident } from '../../../services/alerting/explain-incident';
import { addIncidentNote, getIncident, listIncidents } from '../../../services/alerting/incidents';
import { listAlerts } from '../../../services/alerting/list-alerts';
import {
  acknowledgeIncident,
  snoozeIncident,
  unacknowledgeIncident,
} from '../../../services/alerting/silence-incident';
import { listResponse, okResponse } from '../../routing/response';
import { EMPTY_BODY, publicRoute, type Route, route } from '../../routing/route';
import { refuseForeignOrigin } from '../../server/session-cookie';

export const incidentRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/alerts',
    operationId: 'listAlerts',
    tag: 'Alerts',
    summary: 'List deliveries with every try, newest first',
    scope: 'read',
    query: alertQuery,
    responses: { 200: { description: 'A page', schema: alertPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listAlerts(services, accountId, query), url),
  }),
  route({
    endpoint: 'GET /v1/incidents',
    operationId: 'listIncidents',
    tag: 'Alerts',
    summary: 'List incidents, newest first',
    scope: 'read',
    query: incidentQuery,
    responses: { 200: { description: 'A page', schema: incidentPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listIncidents(services, accountId, query), url),
  }),
  publicRoute({
    endpoint: 'POST /v1/incidents/acknowledge',
    operationId: 'acknowledgeByLink',
    tag: 'Alerts',
    summary: 'Acknowledge an incident by the token of the link in an alert',
    audit: 'incident.acknowledge',
    body: acknowledgeLinkBody,
    responses: { 200: { description: 'It is acknowledged', schema: linkAcknowledgement } },
    codes: ['invalid_token', 'expired_token', 'already_finished', 'rate_limited'],
    example: { token: 'from-the-link' },
    handler: async ({ services, body: { token }, headers, clientAddress: address }) => {
      refuseForeignOrigin(headers, services.publicUrl);
      const { response, after, actedAs } = await acknowledgeByLink(services, { token, address });
      const resource = { resourceType: 'incident', resourceId: after.id };
      const change = { action: 'incident.acknowledge', ...resource, before: null, after };
      return { ...okResponse(response), actedAs, changes: [change] };
    },
  }),
  route({
    endpoint: 'GET /v1/incidents/:incidentId',
    operationId: 'getIncident',
    tag: 'Alerts',
    summary: 'Read an incident with its timeline',
    scope: 'read',
    responses: { 200: { description: 'The incident', schema: incident } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await getIncident(services, accountId, param('incidentId'))),
  }),
  route({
    endpoint: 'POST /v1/incidents/:incidentId/acknowledge',
    operationId: 'acknowledgeIncident',
    tag: 'Alerts',
    summary: 'Say that you are working on it; alerts stop until it is over',
    scope: 'write',
    audit: 'incident.acknowledge',
    body: acknowledgeBody,
    isBodyOptional: true,
    responses: { 200: { description: 'The incident', schema: incident } },
    example: { note: 'Looking at the load balancer.' },
    handler: async (principal, { services, param, body }) => {
      const request = { id: param('incidentId'), note: body.note };
      return okResponse(await acknowledgeIncident(services, principal, request));
    },
  }),
  route({
    endpoint: 'POST /v1/incidents/:incidentId/unacknowledge',
    operationId: 'unacknowledgeIncident',
    tag: 'Alerts',
    summary: 'Undo an acknowledgement or a snooze; alerts go on',
    scope: 'write',
    audit: 'incident.unacknowledge',
    body: EMPTY_BODY,
    isBodyOptional: true,
    responses: { 200: { description: 'The incident', schema: incident } },
    codes: ['already_finished'],
    handler: async (principal, { services, param }) =>
      okResponse(await unacknowledgeIncident(services, principal, param('incidentId'))),
  }),
  route({
    endpoint: 'POST /v1/incidents/:incidentId/snooze',
    operationId: 'snoozeIncident',
    tag: 'Alerts',
    summary: 'Send nothing about an incident for some time',
    scope: 'write',
    audit: 'incident.snooze',
    body: snoozeBody,
    responses: { 200: { description: 'The incident', schema: incident } },
    codes: ['already_finished'],
    example: { minutes: 60, reason: 'The provider works on it.' },
    handler: async (principal, { services, param, body }) => {
      const request = { id: param('incidentId'), ...body };
      return okResponse(await snoozeIncident(services, principal, request));
    },
  }),
  route({
    endpoint: 'POST /v1/incidents/:incidentId/notes',
    operationId: 'addIncidentNote',
    tag: 'Alerts',
    summary: 'Add a note',
    scope: 'write',
    audit: 'incident.notes',
    body: incidentNoteBody,
    responses: { 200: { description: 'The incident', schema: incident } },
    example: { text: 'The load balancer was restarted.' },
    handler: async (principal, { services, param, body }) => {
      const note = { id: param('incidentId'), text: body.text };
      return okResponse(await addIncidentNote(services, principal, note));
    },
  }),
];

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
