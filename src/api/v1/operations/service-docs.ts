/** What the reference says of routes over the whole account. */

import { liveEvents } from '../../../schemas/responses/live-events';
import { overview } from '../../../schemas/responses/overview';
import type { RouteDocs } from '../../openapi/route-doc';

const SERVICE = { tag: 'Service' } as const;

export const SERVICE_DOCS: RouteDocs = {
  'GET /v1/overview': {
    ...SERVICE,
    summary: 'Count monitors and scenarios by status, and open incidents',
    answers: { 200: { says: 'The counts', shape: overview } },
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
