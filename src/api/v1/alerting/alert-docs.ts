/** What the reference says of alert channels, alerts and incidents. */
import {
  alertChannel,
  alertChannelPage,
  alertPage,
  channelTest,
  incident,
  incidentPage,
  newAlertChannel,
} from '../../../schemas/responses/alerts';
import type { RouteDocs } from '../../openapi/route-doc';

const ALERTS = { tag: 'Alerts' } as const;

export const ALERT_DOCS: RouteDocs = {
  'GET /v1/alert-channels': {
    ...ALERTS,
    summary: 'List alert channels, newest first',
    answers: { 200: { says: 'A page', shape: alertChannelPage } },
  },
  'POST /v1/alert-channels': {
    ...ALERTS,
    summary: 'Create a channel: mail, a Slack incoming webhook, or a signed webhook',
    answers: { 201: { says: 'The channel', shape: newAlertChannel } },
    codes: ['blocked_target'],
    example: { name: 'On call', type: 'email', emails: ['oncall@example.com'] },
  },
  'GET /v1/alert-channels/:channelId': {
    ...ALERTS,
    summary: 'Read a channel',
    answers: { 200: { says: 'The channel', shape: alertChannel }, 304: { says: 'Unchanged' } },
  },
  'PATCH /v1/alert-channels/:channelId': {
    ...ALERTS,
    summary: 'Change a channel; a webhook keeps its signing secret',
    answers: { 200: { says: 'The channel', shape: alertChannel } },
    codes: ['blocked_target', 'version_mismatch'],
    example: { isDefault: true },
  },
  'DELETE /v1/alert-channels/:channelId': {
    ...ALERTS,
    summary: 'Delete a channel; rules that name it send nothing there',
    answers: { 204: { says: 'Done; no body' } },
    codes: ['version_mismatch'],
  },
  'POST /v1/alert-channels/:channelId/test': {
    ...ALERTS,
    summary: 'Send a test message now',
    answers: { 200: { says: 'What became of it at each place', shape: channelTest } },
  },
  'GET /v1/alerts': {
    ...ALERTS,
    summary: 'List deliveries with every try, newest first',
    answers: { 200: { says: 'A page', shape: alertPage } },
  },
  'GET /v1/incidents': {
    ...ALERTS,
    summary: 'List incidents, newest first',
    answers: { 200: { says: 'A page', shape: incidentPage } },
  },
  'GET /v1/incidents/:incidentId': {
    ...ALERTS,
    summary: 'Read an incident with its timeline',
    answers: { 200: { says: 'The incident', shape: incident } },
  },
  'POST /v1/incidents/:incidentId/acknowledge': {
    ...ALERTS,
    summary: 'Say that somebody is on it',
    answers: { 200: { says: 'The incident', shape: incident } },
  },
  'POST /v1/incidents/:incidentId/notes': {
    ...ALERTS,
    summary: 'Add a note',
    answers: { 200: { says: 'The incident', shape: incident } },
    example: { text: 'The load balancer was restarted.' },
  },
};
