/** Alert channels, alerts and incidents (docs/alerts.md). */
import { alertChannelBody, alertChannelChange, incidentNoteBody } from '../../../schemas/alerts';
import { alertQuery, incidentQuery, pageQuery } from '../../../schemas/queries';
import {
  deleteAlertChannel,
  getAlertChannel,
  listAlertChannels,
} from '../../../services/alerting/get-alert-channel';
import {
  acknowledgeIncident,
  addIncidentNote,
  getIncident,
  listIncidents,
} from '../../../services/alerting/incidents';
import { listAlerts } from '../../../services/alerting/list-alerts';
import {
  changeAlertChannel,
  createAlertChannel,
} from '../../../services/alerting/save-alert-channel';
import {
  CHANNEL_TEST_DEADLINE_MS,
  testAlertChannel,
} from '../../../services/alerting/test-alert-channel';
import type { Dependencies } from '../../../services/ports/dependencies';
import { acceptVersion } from '../../routing/preconditions';
import { listResponse, NO_CONTENT, okResponse, resourceResponse } from '../../routing/response';
import { EMPTY_BODY, NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';

export function alertChannelRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/alert-channels',
      scope: 'read',
      body: NO_BODY,
      query: pageQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listAlertChannels(services, accountId, query), url),
    }),
    route({
      endpoint: 'POST /v1/alert-channels',
      scope: 'write',
      body: alertChannelBody,
      query: NO_QUERY,
      handler: async ({ accountId }, { body }) => {
        const channel = await createAlertChannel(services, accountId, body);
        return resourceResponse(channel, { location: `/v1/alert-channels/${channel.id}` });
      },
    }),
    route({
      endpoint: 'GET /v1/alert-channels/:channelId',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) =>
        resourceResponse(await getAlertChannel(services, accountId, param('channelId'))),
    }),
    ...channelChangeRoutes(services),
  ];
}

function channelChangeRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'PATCH /v1/alert-channels/:channelId',
      scope: 'write',
      body: alertChannelChange,
      readStored: ({ accountId }, param) =>
        getAlertChannel(services, accountId, param('channelId')),
      query: NO_QUERY,
      handler: async ({ accountId }, { param, body, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        const request = { id: param('channelId'), change: body, accept };
        return resourceResponse(await changeAlertChannel(services, accountId, request));
      },
    }),
    route({
      endpoint: 'DELETE /v1/alert-channels/:channelId',
      scope: 'write',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        await deleteAlertChannel(services, accountId, { id: param('channelId'), accept });
        return NO_CONTENT;
      },
    }),
    route({
      endpoint: 'POST /v1/alert-channels/:channelId/test',
      scope: 'write',
      body: EMPTY_BODY,
      isBodyOptional: true,
      query: NO_QUERY,
      deadlineMs: CHANNEL_TEST_DEADLINE_MS + 3_000,
      load: 'test',
      handler: async ({ accountId }, { param }) =>
        okResponse(await testAlertChannel(services, accountId, param('channelId'))),
    }),
  ];
}

export function incidentRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/alerts',
      scope: 'read',
      body: NO_BODY,
      query: alertQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listAlerts(services, accountId, query), url),
    }),
    route({
      endpoint: 'GET /v1/incidents',
      scope: 'read',
      body: NO_BODY,
      query: incidentQuery,
      handler: async ({ accountId }, { query, url }) =>
        listResponse(await listIncidents(services, accountId, query), url),
    }),
    route({
      endpoint: 'GET /v1/incidents/:incidentId',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) =>
        okResponse(await getIncident(services, accountId, param('incidentId'))),
    }),
    route({
      endpoint: 'POST /v1/incidents/:incidentId/acknowledge',
      scope: 'write',
      body: EMPTY_BODY,
      isBodyOptional: true,
      query: NO_QUERY,
      handler: async (principal, { param }) =>
        okResponse(await acknowledgeIncident(services, principal, param('incidentId'))),
    }),
    route({
      endpoint: 'POST /v1/incidents/:incidentId/notes',
      scope: 'write',
      body: incidentNoteBody,
      query: NO_QUERY,
      handler: async (principal, { param, body }) => {
        const note = { id: param('incidentId'), text: body.text };
        return okResponse(await addIncidentNote(services, principal, note));
      },
    }),
  ];
}
