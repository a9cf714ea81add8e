/** What the reference says of routes over the whole account. */

import { liveEvents } from '../../../schemas/responses/live-events';
import { checkPage, overview, trends } from '../../../schemas/responses/overview';
import type { RouteDocs } from '../../openapi/route-doc';

const SERVICE = { tag: 'Service' } as const;

export const SERVICE_DOCS: RouteDocs = {
  'GET /v1/overview': {
    ...SERVICE,
    summary: 'Count monitors and scenarios by status, and open incidents',
    answers: { 200: { says: 'The counts', shape: overview } },
  },
  'GET /v1/overview/trends': {
    ...SERVICE,
    summary:
      'Compare the last 24 hours of all checks with the 24 hours before, and count 90 days of incidents',
    answers: { 200: { says: 'The trends; at most two minutes old', shape: trends } },
  },
  'GET /v1/checks': {
    ...SERVICE,
    summary: 'List monitors and scenarios together, as rows of a table',
    answers: { 200: { says: 'A page of checks', shape: checkPage } },
  },
  'GET /v1/events': {
    ...SERVICE,
    summary: 'Follow changes of the account as server-sent events',
    answers: {
      200: {
        says: 'Events named `change`, whose data is JSON: `{kind, id}`, and `scenarioId` for a run',
        shape: liveEvents,
        mediaType: 'text/event-stream',
      },
    },
  },
};
