/** What can be done with a scenario, and its runs. */
import { runFileQuery, runQuery, waitQuery } from '../../../schemas/queries';
import { runScenarioBody } from '../../../schemas/run';
import { scenarioTestBody } from '../../../schemas/scenario';
import { scenarioExample } from '../../../schemas/scenario-example';
import type { Dependencies } from '../../../services/ports/dependencies';
import { cancelRun } from '../../../services/scenarios/cancel-run';
import { exportRuns } from '../../../services/scenarios/export-runs';
import { getRun } from '../../../services/scenarios/get-run';
import { listRuns } from '../../../services/scenarios/list-runs';
import { runScenario } from '../../../services/scenarios/run-scenario';
import { SCENARIO_TEST_MAX_MS, testScenario } from '../../../services/scenarios/test-scenario';
import { listResponse, okResponse } from '../../routing/response';
import { EMPTY_BODY, NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';
import { RUN_COLUMNS } from '../resources/result-columns';
import { fileResponse } from '../resources/result-file';

/** The longest wait for a run, and the time of an ordinary answer on top. */
const LONG_POLL_DEADLINE_MS = 63_000;
const TEST_DEADLINE_MS = SCENARIO_TEST_MAX_MS + 5_000;

/** Fixed paths, which stand before those with ids. */
export function scenarioSetRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'GET /v1/scenarios/example',
      scope: 'read',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async () => okResponse(scenarioExample),
    }),
    route({
      endpoint: 'POST /v1/scenarios/test',
      scope: 'write',
      body: scenarioTestBody,
      query: NO_QUERY,
      deadlineMs: TEST_DEADLINE_MS,
      load: 'test',
      handler: async ({ accountId }, { body }) =>
        okResponse(await testScenario(services, accountId, body)),
    }),
  ];
}

export function scenarioRunRoutes(services: Dependencies): readonly Route[] {
  return [
    route({
      endpoint: 'POST /v1/scenarios/:scenarioId/run',
      scope: 'run',
      body: runScenarioBody,
      isBodyOptional: true,
      query: waitQuery,
      deadlineMs: LONG_POLL_DEADLINE_MS,
      load: 'wait',
      handler: async (principal, { param, body, query }) => {
        const id = param('scenarioId');
        const request = { id, body, waitSeconds: query.wait };
        const { run, isFinished } = await runScenario(services, principal, request);
        const headers = { Location: `/v1/scenarios/${id}/results/${run.id}` };
        return { status: isFinished ? 200 : 202, headers, body: run };
      },
    }),
    route({
      endpoint: 'GET /v1/scenarios/:scenarioId/results',
      scope: 'read',
      body: NO_BODY,
      query: runQuery,
      handler: async ({ accountId }, { param, query, url }) => {
        const request = { ...query, id: param('scenarioId') };
        return listResponse(await listRuns(services, accountId, request), url);
      },
    }),
    // Before the path with the id of a run, which would take it.
    runFileRoute(services),
    route({
      endpoint: 'GET /v1/scenarios/:scenarioId/results/:runId',
      scope: 'read',
      body: NO_BODY,
      query: waitQuery,
      deadlineMs: LONG_POLL_DEADLINE_MS,
      load: 'wait',
      handler: async ({ accountId }, { param, query }) => {
        const scenarioId = param('scenarioId');
        const request = { scenarioId, runId: param('runId'), waitSeconds: query.wait };
        return okResponse(await getRun(services, accountId, request));
      },
    }),
    route({
      endpoint: 'POST /v1/scenarios/:scenarioId/results/:runId/cancel',
      scope: 'run',
      body: EMPTY_BODY,
      isBodyOptional: true,
      query: NO_QUERY,
      handler: async ({ accountId }, { param }) => {
        const place = { scenarioId: param('scenarioId'), runId: param('runId') };
        return { status: 202, body: await cancelRun(services, accountId, place) };
      },
    }),
  ];
}

function runFileRoute(services: Dependencies): Route {
  return route({
    endpoint: 'GET /v1/scenarios/:scenarioId/results/export',
    scope: 'read',
    body: NO_BODY,
    query: runFileQuery,
    load: 'export',
    handler: async ({ accountId }, { param, query }) => {
      const { format, ...filters } = query;
      const id = param('scenarioId');
      const pages = await exportRuns(services, accountId, { ...filters, id });
      return fileResponse({ name: `runs-${id}`, format, columns: RUN_COLUMNS, pages });
    },
  });
}
