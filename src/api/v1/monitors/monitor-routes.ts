/** Monitors: routes shared with scenarios, actions on a monitor, and its results. */

import { documentedMonitorBody, monitorTestBody } from '../../../schemas/monitor';
import { TIMEOUT_MS_MAX } from '../../../schemas/request-options';
import { manualCheck, result, resultPage, testResult } from '../../../schemas/responses/checks';
import { monitor } from '../../../schemas/responses/monitors';
import { resultFileQuery, resultQuery } from '../../../schemas/results/result-queries';
import { rotateToken } from '../../../services/heartbeats/ping-address';
import { checkMonitorNow } from '../../../services/monitors/check-monitor-now';
import { createMonitorKind, MONITOR_FACTS } from '../../../services/monitors/kind';
import { exportResults, getResult, listResults } from '../../../services/monitors/monitor-results';
import { TEST_SLACK_MS, testMonitor } from '../../../services/monitors/test-monitor';
import { PATCHES } from '../../openapi/named-shapes';
import { RAW_BODY } from '../../routing/replace-body';
import { listResponse, okResponse, resourceResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';
import { DEFINITION_CODES, definitionRoutes } from '../resources/definition-routes';
import { RESULT_COLUMNS } from '../resources/result-columns';
import { FILE_RESPONSES, fileResponse } from '../resources/result-file';
import { stateRoutes } from '../resources/state-routes';

const MONITOR_EXAMPLE = {
  type: 'http',
  name: 'Storefront',
  url: 'https://shop.example/',
  interval: 60,
  assertions: [
    { type: 'status', operator: 'equals', value: 200 },
    { type: 'responseTime', operator: 'lessThan', value: 1500 },
  ],
  group: 'shop',
};

const MONITORS = {
  facts: MONITOR_FACTS,
  getKind: createMonitorKind,
  tag: 'Monitors',
  guide: 'docs/api/monitors.md#create-change-pause',
  patch: PATCHES.MonitorPatch,
  documented: documentedMonitorBody,
  example: MONITOR_EXAMPLE,
  patchExample: { interval: 300 },
  words: { check: 'check', results: 'results', measures: 'latency' },
} as const;

export const monitorDefinitionRoutes: readonly Route[] = [
  ...definitionRoutes(MONITORS),
  ...stateRoutes(MONITORS),
];

/** The longest timeout of a tested request, plus time for the work around it. */
const TEST_DEADLINE_MS = TIMEOUT_MS_MAX + TEST_SLACK_MS + 5_000;

/** Routes whose path has no monitor id. They must precede paths that contain an id. */
export const monitorSetRoutes: readonly Route[] = [
  route({
    endpoint: 'POST /v1/monitors/test',
    operationId: 'testMonitor',
    tag: 'Monitors',
    summary: 'Test an unsaved monitor',
    description:
      'Checks the monitor in the body once, from one region, and returns the result. Nothing is stored, no one is alerted, and `retries` and `regions` are ignored.',
    guide: 'docs/api/monitors.md#test-without-saving',
    scope: 'write',
    audit: null,
    body: RAW_BODY,
    documentedBody: monitorTestBody.shape,
    deadlineMs: TEST_DEADLINE_MS,
    load: 'test',
    responses: { 200: { description: 'One result that is not kept', schema: testResult } },
    codes: DEFINITION_CODES,
    example: { ...MONITOR_EXAMPLE, region: 'eu-west' },
    handler: async ({ accountId }, { services, body }) =>
      okResponse(await testMonitor(services, accountId, body)),
  }),
];

const rotateTokenRoute = route({
  endpoint: 'POST /v1/monitors/:monitorId/rotate-token',
  operationId: 'rotatePingToken',
  tag: 'Heartbeats',
  summary: 'Rotate the ping URL of a heartbeat',
  description: 'Gives the heartbeat another ping URL. The previous URL works for 24 hours more.',
  guide: 'docs/heartbeats.md',
  scope: 'write',
  audit: 'monitor.rotate_token',
  body: EMPTY_BODY,
  isBodyOptional: true,
  responses: { 200: { description: 'The monitor', schema: monitor } },
  handler: async ({ accountId }, { services, param }) => {
    const target = { accountId, id: param('monitorId') };
    return resourceResponse(await rotateToken(services, createMonitorKind(services), target));
  },
});

export const monitorRoutes: readonly Route[] = [
  rotateTokenRoute,
  route({
    endpoint: 'POST /v1/monitors/:monitorId/run',
    operationId: 'checkMonitorNow',
    tag: 'Monitors',
    summary: 'Check a monitor now',
    description:
      'Queues a check in all regions of the monitor, in addition to its schedule. `Location` is the URL of its results. Paused monitors and heartbeats refuse it.',
    guide: 'docs/api/monitors.md#create-change-pause',
    scope: 'run',
    audit: 'monitor.run',
    body: EMPTY_BODY,
    isBodyOptional: true,
    responses: {
      202: { description: 'The check is queued', schema: manualCheck, isLocated: true },
    },
    handler: async ({ accountId }, { services, param }) => {
      const id = param('monitorId');
      const body = await checkMonitorNow(services, accountId, id);
      const location = `/v1/monitors/${id}/results?requestId=${body.id}`;
      return { status: 202, headers: { Location: location }, body };
    },
  }),
  route({
    endpoint: 'GET /v1/monitors/:monitorId/results',
    operationId: 'listMonitorResults',
    tag: 'Results',
    summary: 'List the results of a monitor',
    description:
      'Returns results in pages, newest or oldest first. Missed checks appear as one entry per gap, with the reason.',
    guide: 'docs/api/monitors.md#results',
    scope: 'read',
    query: resultQuery,
    responses: { 200: { description: 'A page', schema: resultPage } },
    handler: async ({ accountId }, { services, param, query, url }) => {
      const request = { ...query, id: param('monitorId') };
      return listResponse(await listResults(services, accountId, request), url);
    },
  }),
  // This route must come before the path with a result id, because that path would match, too.
  route({
    endpoint: 'GET /v1/monitors/:monitorId/results/export',
    operationId: 'exportMonitorResults',
    tag: 'Results',
    summary: 'Export the results of a monitor',
    description:
      'Streams all results of a range as a file of any length, newest first. A response without its last chunk is incomplete: request the rest with `to`.',
    guide: 'docs/api/monitors.md#results',
    scope: 'read',
    query: resultFileQuery,
    load: 'export',
    responses: FILE_RESPONSES,
    handler: async ({ accountId }, { services, param, query }) => {
      const { format, ...filters } = query;
      const id = param('monitorId');
      const pages = await exportResults(services, accountId, { ...filters, id });
      return fileResponse({ name: `results-${id}`, format, columns: RESULT_COLUMNS, pages });
    },
  }),
  route({
    endpoint: 'GET /v1/monitors/:monitorId/results/:resultId',
    operationId: 'getMonitorResult',
    tag: 'Results',
    summary: 'Get a result',
    description:
      'Returns one result with every attempt, its assertions, and headers and bodies if they are stored.',
    guide: 'docs/api/monitors.md#results',
    scope: 'read',
    responses: { 200: { description: 'The result', schema: result } },
    handler: async ({ accountId }, { services, param }) => {
      const request = { monitorId: param('monitorId'), resultId: param('resultId') };
      return okResponse(await getResult(services, accountId, request));
    },
  }),
];
