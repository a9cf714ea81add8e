/** Routes about the whole account. The dashboard depends on them. */

import { checkListQuery } from '../../../schemas/queries';
import { liveEvents } from '../../../schemas/responses/changes';
import { ledger } from '../../../schemas/responses/ledger';
import { checkPage, overview, trends } from '../../../schemas/responses/overview';
import { ledgerQuery } from '../../../schemas/results/result-queries';
import { createFindFigures } from '../../../services/operations/check-figures';
import { getOverview } from '../../../services/operations/get-overview';
import { getTrends } from '../../../services/operations/get-trends';
import { listChecks } from '../../../services/operations/list-checks';
import { createFindStuck } from '../../../services/operations/stuck-workflows';
import { getCheckSources, getFindLedger } from '../../routing/check-sources';
import { streamChanges } from '../../routing/event-stream';
import { oncePerServices } from '../../routing/once-per-services';
import { listResponse, okResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';

/** Created once per process, because these tools cache figures for a while. */
const getCheckTools = oncePerServices((services) => ({
  findFigures: createFindFigures(services),
  sources: getCheckSources(services),
}));

const getFindStuck = oncePerServices((services) => createFindStuck(services));

export const serviceRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/checks',
    operationId: 'listChecks',
    tag: 'Checks',
    summary: 'List checks',
    description:
      'Returns monitors and scenarios in one list, as rows of a table without their definitions: by type, then newest first.',
    guide: 'docs/api/monitors.md#overview-checks-and-trends',
    scope: 'read',
    query: checkListQuery,
    responses: { 200: { description: 'A page of checks', schema: checkPage } },
    handler: async ({ accountId }, { services, query, url }) => {
      const request = { ...query, accountId };
      return listResponse(await listChecks(services, getCheckTools(services), request), url);
    },
  }),
  route({
    endpoint: 'GET /v1/overview/trends',
    operationId: 'getOverviewTrends',
    tag: 'Checks',
    summary: 'Get trends of all checks',
    description:
      'Compares the last 24 hours of all checks with the 24 hours before, and counts the incidents of 90 days. The figures may be two minutes old.',
    guide: 'docs/api/monitors.md#overview-checks-and-trends',
    scope: 'read',
    responses: {
      200: { description: 'The trends; at most two minutes old', schema: trends },
    },
    handler: async ({ accountId }, { services }) =>
      okResponse(await getTrends(services, getCheckTools(services), accountId)),
  }),
  route({
    endpoint: 'GET /v1/operations/ledger',
    operationId: 'getLedger',
    tag: 'Checks',
    summary: 'Get the ledger',
    description:
      'Counts every check and alert that was due, and what became of it, per day and in total. The figures may be two minutes old.',
    guide: 'docs/reliability.md#the-ledger',
    scope: 'read',
    query: ledgerQuery,
    responses: {
      200: {
        description: 'The ledger, per day and in total; at most two minutes old',
        schema: ledger,
      },
    },
    handler: async ({ accountId }, { services, query }) =>
      okResponse(await getFindLedger(services)(accountId, query)),
  }),
  route({
    endpoint: 'GET /v1/overview',
    operationId: 'getOverview',
    tag: 'Checks',
    summary: 'Get the overview',
    description:
      'Counts monitors and scenarios by status and open incidents, and names checks that do not run because of a fault in Keepwatch.',
    guide: 'docs/api/monitors.md#overview-checks-and-trends',
    scope: 'read',
    responses: { 200: { description: 'The counts', schema: overview } },
    handler: async ({ accountId }, { services }) =>
      okResponse(await getOverview(services, getFindStuck(services), accountId)),
  }),
  route({
    endpoint: 'GET /v1/events',
    operationId: 'streamEvents',
    tag: 'Live events',
    summary: 'Stream changes',
    description:
      'Sends a server-sent event when an object of the account changes. An event names the object, not the change: read the object again. A stream ends with its key or session.',
    guide: 'docs/api/events.md',
    scope: 'read',
    load: 'stream',
    responses: {
      200: {
        description:
          'Events named `change`, whose data is JSON: `{kind, id}`, `scenarioId` for a run, and the state of a monitor or scenario',
        schema: liveEvents,
        mediaType: 'text/event-stream',
      },
    },
    handler: async ({ accountId }, { services }) => ({
      status: 200,
      headers: { 'Content-Type': 'text/event-stream' },
      stream: (exchange) => streamChanges(services.changeFeed, accountId, exchange),
    }),
  }),
];
