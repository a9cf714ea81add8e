/** The routes of incidents and of the deliveries of alerts (docs/incidents.md, docs/channels.md). */
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
    summary: 'List alerts',
    description: 'Returns messages with their deliveries and every try, newest first.',
    guide: 'docs/channels.md#deliveries',
    scope: 'read',
    query: alertQuery,
    responses: { 200: { description: 'A page', schema: alertPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listAlerts(services, accountId, query), url),
  }),
  route({
    endpoint: 'GET /v1/incidents',
    operationId: 'listIncidents',
    tag: 'Incidents',
    summary: 'List incidents',
    description: 'Returns incidents in pages, newest first by their last episode.',
    guide: 'docs/incidents.md',
    scope: 'read',
    query: incidentQuery,
    responses: { 200: { description: 'A page', schema: incidentPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listIncidents(services, accountId, query), url),
  }),
  publicRoute({
    endpoint: 'POST /v1/incidents/acknowledge',
    operationId: 'acknowledgeByLink',
    tag: 'Incidents',
    summary: 'Acknowledge an incident by a link',
    description:
      'Acknowledges the incident with the token of the link in an alert, without a key or a session. Each token takes effect once.',
    guide: 'docs/incidents.md',
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
    tag: 'Incidents',
    summary: 'Get an incident',
    description:
      'Returns the incident with its cause, its timeline, its alerts and its episodes. The id of any episode works, too.',
    guide: 'docs/incidents.md',
    scope: 'read',
    responses: { 200: { description: 'The incident', schema: incident } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await getIncident(services, accountId, param('incidentId'))),
  }),
  route({
    endpoint: 'POST /v1/incidents/:incidentId/acknowledge',
    operationId: 'acknowledgeIncident',
    tag: 'Incidents',
    summary: 'Acknowledge an incident',
    description:
      'Stops further alerts about the incident until the check recovers, and ends a snooze. The first person is stored; a second request changes nothing.',
    guide: 'docs/incidents.md',
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
    tag: 'Incidents',
    summary: 'Undo an acknowledgement',
    description:
      'Ends the acknowledgement or the snooze, so that alerts continue. A resolved incident cannot be changed.',
    guide: 'docs/incidents.md',
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
    tag: 'Incidents',
    summary: 'Snooze an incident',
    description:
      'Sends no alert for 5 minutes to a week. If the check is still down when the snooze ends, a reminder is sent. A snooze ends an acknowledgement.',
    guide: 'docs/incidents.md',
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
    tag: 'Incidents',
    summary: 'Add a note to an incident',
    description:
      'Adds a note to the timeline for everyone in the account. It changes no alerts and cannot be edited.',
    guide: 'docs/incidents.md',
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
    tag: 'Incidents',
    summary: 'Explain an incident',
    description:
      'Returns sentences with times: why people were notified of the incident, or why they were not.',
    guide: 'docs/on-call.md#0302-find-the-cause',
    scope: 'read',
    responses: { 200: { description: 'Sentences with times', schema: incidentExplanation } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await explainStoredIncident(services, accountId, param('incidentId'))),
  }),
];
