/** Scenarios: routes shared with monitors, actions on a scenario, and its runs. */

import { z } from 'zod';
import { requestedRuns, run, runPage, testRun } from '../../../schemas/responses/runs';
import { runFileQuery, runQuery, waitQuery } from '../../../schemas/results/result-queries';
import { runScenarioBody } from '../../../schemas/run';
import { scenarioTestBody } from '../../../schemas/scenario';
import { scenarioExample } from '../../../schemas/scenario-example';
import { createScenarioKind, SCENARIO_FACTS } from '../../../services/scenarios/kind';
import { runScenario } from '../../../services/scenarios/run-scenario';
import { cancelRun, exportRuns, getRun, listRuns } from '../../../services/scenarios/runs';
import { SCENARIO_TEST_MAX_MS, testScenario } from '../../../services/scenarios/test-scenario';
import { PATCHES } from '../../openapi/named-shapes';
import { RAW_BODY } from '../../routing/replace-body';
import { listResponse, okResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';
import { DEFINITION_CODES, definitionRoutes } from '../resources/definition-routes';
import { RUN_COLUMNS } from '../resources/result-columns';
import { FILE_RESPONSES, fileResponse } from '../resources/result-file';
import { stateRoutes } from '../resources/state-routes';

const SCENARIOS = {
  facts: SCENARIO_FACTS,
  getKind: createScenarioKind,
  tag: 'Scenarios',
  guide: 'docs/api/scenarios.md',
  patch: PATCHES.ScenarioPatch,
  example: scenarioExample,
  patchExample: { interval: 600 },
  words: { check: 'run', results: 'runs', measures: 'durations' },
} as const;

export const scenarioDefinitionRoutes: readonly Route[] = [
  ...definitionRoutes(SCENARIOS),
  ...stateRoutes(SCENARIOS),
];

/** The longest wait for a run, plus the time of an ordinary response. */
const LONG_POLL_DEADLINE_MS = 63_000;
const TEST_DEADLINE_MS = SCENARIO_TEST_MAX_MS + 5_000;

/** The example of the response is only an excerpt, because the full schema is the body of `POST /v1/scenarios`. */
const exampleBody = z.looseObject({ name: z.string(), steps: z.array(z.looseObject({})) });

/** Fixed paths. They must come before paths with ids. */
export const scenarioSetRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/scenarios/example',
    operationId: 'getScenarioExample',
    tag: 'Scenarios',
    summary: 'Get an example scenario',
    description: 'Returns a body for `POST /v1/scenarios` to start from.',
    guide: 'docs/api/scenarios.md',
    scope: 'read',
    responses: { 200: { description: 'A body for POST', schema: exampleBody } },
    handler: async () => okResponse(scenarioExample),
  }),
  route({
    endpoint: 'POST /v1/scenarios/test',
    operationId: 'testScenario',
    tag: 'Scenarios',
    summary: 'Test an unsaved scenario',
    description:
      'Runs the scenario in the body once, from one region, and returns the run. Nothing is stored, no one is alerted, and `retries` is ignored. The time limit is 90 seconds.',
    guide: 'docs/api/scenarios.md#test-without-saving',
    scope: 'write',
    audit: null,
    body: RAW_BODY,
    documentedBody: scenarioTestBody.shape,
    deadlineMs: TEST_DEADLINE_MS,
    load: 'test',
    responses: { 200: { description: 'One run that is not kept', schema: testRun } },
    codes: DEFINITION_CODES,
    example: { ...scenarioExample, region: 'eu-west' },
    handler: async ({ accountId }, { services, body }) =>
      okResponse(await testScenario(services, accountId, body)),
  }),
];

export const scenarioRunRoutes: readonly Route[] = [
  route({
    endpoint: 'POST /v1/scenarios/:scenarioId/run',
    operationId: 'runScenario',
    tag: 'Runs',
    summary: 'Run a scenario now',
    description:
      'Starts one run in each of `regions`, by default in the first region of the scenario. The runs count in health and uptime only with `countInUptime`. Send an `Idempotency-Key` to make retries safe.',
    guide: 'docs/api/scenarios.md#run-one-now',
    scope: 'run',
    audit: 'scenario.run',
    body: runScenarioBody,
    isBodyOptional: true,
    query: waitQuery,
    deadlineMs: LONG_POLL_DEADLINE_MS,
    load: 'wait',
    responses: {
      200: { description: 'The run, which has ended', schema: requestedRuns, isLocated: true },
      202: { description: 'The run, which is under way', schema: requestedRuns, isLocated: true },
    },
    codes: ['run_in_progress', 'unknown_region', 'unknown_variable', 'blocked_target'],
    example: { label: 'after deployment' },
    handler: async (principal, { services, param, body, query }) => {
      const id = param('scenarioId');
      const request = { id, body, waitSeconds: query.wait };
      const { run, isFinished } = await runScenario(services, principal, request);
      const headers = { Location: `/v1/scenarios/${id}/results/${run.id}` };
      return { status: isFinished ? 200 : 202, headers, body: run };
    },
  }),
  route({
    endpoint: 'GET /v1/scenarios/:scenarioId/results',
    operationId: 'listRuns',
    tag: 'Runs',
    summary: 'List the runs of a scenario',
    description: 'Returns runs in pages, newest or oldest first, including runs in progress.',
    guide: 'docs/api/scenarios.md#records',
    scope: 'read',
    query: runQuery,
    responses: { 200: { description: 'A page', schema: runPage } },
    handler: async ({ accountId }, { services, param, query, url }) => {
      const request = { ...query, id: param('scenarioId') };
      return listResponse(await listRuns(services, accountId, request), url);
    },
  }),
  // This route must come before the path with a run id, because that path would match, too.
  route({
    endpoint: 'GET /v1/scenarios/:scenarioId/results/export',
    operationId: 'exportRuns',
    tag: 'Runs',
    summary: 'Export the runs of a scenario',
    description:
      'Streams all runs of a range as a file of any length, newest first. A response without its last chunk is incomplete: request the rest with `to`.',
    guide: 'docs/api/monitors.md#results',
    scope: 'read',
    query: runFileQuery,
    load: 'export',
    responses: FILE_RESPONSES,
    handler: async ({ accountId }, { services, param, query }) => {
      const { format, ...filters } = query;
      const id = param('scenarioId');
      const pages = await exportRuns(services, accountId, { ...filters, id });
      return fileResponse({ name: `runs-${id}`, format, columns: RUN_COLUMNS, pages });
    },
  }),
  route({
    endpoint: 'GET /v1/scenarios/:scenarioId/results/:runId',
    operationId: 'getRun',
    tag: 'Runs',
    summary: 'Get a run',
    description:
      'Returns a run with every step. With `wait`, the response is sent when the run ends, or after that many seconds.',
    guide: 'docs/api/scenarios.md#records',
    scope: 'read',
    query: waitQuery,
    deadlineMs: LONG_POLL_DEADLINE_MS,
    load: 'wait',
    responses: { 200: { description: 'The run', schema: run } },
    handler: async ({ accountId }, { services, param, query }) => {
      const scenarioId = param('scenarioId');
      const request = { scenarioId, runId: param('runId'), waitSeconds: query.wait };
      return okResponse(await getRun(services, accountId, request));
    },
  }),
  route({
    endpoint: 'POST /v1/scenarios/:scenarioId/results/:runId/cancel',
    operationId: 'cancelRun',
    tag: 'Runs',
    summary: 'Cancel a run',
    description:
      'Stops the run; steps with `always` still run, and a queued run never starts. The response is sent once the cancellation is accepted, before the run has ended.',
    guide: 'docs/api/scenarios.md#run-one-now',
    scope: 'run',
    audit: 'run.cancel',
    body: EMPTY_BODY,
    isBodyOptional: true,
    responses: { 202: { description: 'The run as it is now', schema: run } },
    codes: ['already_finished'],
    handler: async ({ accountId }, { services, param }) => {
      const params = { scenarioId: param('scenarioId'), runId: param('runId') };
      return { status: 202, body: await cancelRun(services, accountId, params) };
    },
  }),
];
