/** What the reference says of monitors, scenarios and what their checks found. */

import { z } from 'zod';
import {
  manualCheck,
  requestedRuns,
  result,
  resultPage,
  run,
  runPage,
  testResult,
  testRun,
} from '../../../schemas/responses/checks';
import {
  bulkResponse,
  monitor,
  monitorPage,
  scenario,
  scenarioPage,
} from '../../../schemas/responses/resources';
import { uptime } from '../../../schemas/responses/uptime';
import { scenarioExample } from '../../../schemas/scenario-example';
import { PATCHES } from '../../openapi/named-shapes';
import type { RouteDoc, RouteDocs } from '../../openapi/route-doc';

const MONITOR_EXAMPLE = {
  name: 'Shop front page',
  url: 'https://shop.example/',
  interval: 60,
  assertions: [
    { type: 'status', operator: 'equals', value: 200 },
    { type: 'responseTime', operator: 'lessThan', value: 1500 },
  ],
  group: 'shop',
};

/** Its whole shape is that of the body of `POST /v1/scenarios`. */
const EXAMPLE_ANSWER = z.looseObject({ name: z.string(), steps: z.array(z.looseObject({})) });

const MONITORS = { tag: 'Monitors' } as const;
const SCENARIOS = { tag: 'Scenarios' } as const;
const DEFINITION = ['unknown_region', 'unknown_variable', 'blocked_target'] as const;
const CHANGE = [...DEFINITION, 'key_taken', 'limit_reached', 'version_mismatch'] as const;
const FILE = {
  summary: 'Download a range as JSON lines or CSV, newest first',
  answers: {
    200: {
      says: 'A line for each, as in the list; `format=csv` is `text/csv` with a head line',
      shape: z.string(),
      mediaType: 'application/x-ndjson',
    },
  },
};
const NOTHING = { 204: { says: 'Done; no body' } };

/** Pause and resume, which both kinds have. */
function lifecycle(base: Pick<RouteDoc, 'tag'>, shape: typeof monitor | typeof scenario) {
  const answers = { 200: { says: 'The resource as it is now', shape } };
  return {
    pause: { ...base, summary: 'Pause, for a while or until further notice', answers },
    resume: { ...base, summary: 'Resume', answers },
  };
}

const monitorLife = lifecycle(MONITORS, monitor);
const scenarioLife = lifecycle(SCENARIOS, scenario);

export const MONITOR_DOCS: RouteDocs = {
  'GET /v1/monitors': {
    ...MONITORS,
    summary: 'List monitors, newest first',
    answers: { 200: { says: 'A page', shape: monitorPage } },
  },
  'POST /v1/monitors': {
    ...MONITORS,
    summary: 'Create a monitor; its first check follows at once',
    answers: { 201: { says: 'The monitor', shape: monitor } },
    codes: [...DEFINITION, 'key_taken', 'limit_reached'],
    example: MONITOR_EXAMPLE,
  },
  'GET /v1/monitors/:monitorId': {
    ...MONITORS,
    summary: 'Read a monitor with its health',
    answers: { 200: { says: 'The monitor', shape: monitor }, 304: { says: 'Unchanged' } },
  },
  'PUT /v1/monitors/:monitorId': {
    ...MONITORS,
    summary: 'Replace the whole definition',
    answers: { 200: { says: 'The monitor', shape: monitor } },
    codes: CHANGE,
    example: MONITOR_EXAMPLE,
  },
  'PATCH /v1/monitors/:monitorId': {
    ...MONITORS,
    summary: 'Change single fields (JSON merge patch, RFC 7396)',
    answers: { 200: { says: 'The monitor', shape: monitor } },
    codes: CHANGE,
    body: PATCHES.MonitorPatch,
    example: { interval: 300 },
  },
  'DELETE /v1/monitors/:monitorId': {
    ...MONITORS,
    summary: 'Delete a monitor and its results',
    answers: NOTHING,
    codes: ['version_mismatch'],
  },
  'POST /v1/monitors/:monitorId/pause': monitorLife.pause,
  'POST /v1/monitors/:monitorId/resume': monitorLife.resume,
  'POST /v1/monitors/:monitorId/run': {
    ...MONITORS,
    summary: 'Check now',
    answers: { 202: { says: 'The check is queued', shape: manualCheck, isLocated: true } },
  },
  'GET /v1/monitors/:monitorId/results': {
    ...MONITORS,
    summary: 'List results, newest first',
    answers: { 200: { says: 'A page', shape: resultPage } },
  },
  'GET /v1/monitors/:monitorId/results/export': { ...MONITORS, ...FILE },
  'GET /v1/monitors/:monitorId/results/:resultId': {
    ...MONITORS,
    summary: 'Read one result',
    answers: { 200: { says: 'The result', shape: result } },
  },
  'GET /v1/monitors/:monitorId/uptime': {
    ...MONITORS,
    summary: 'Uptime, counts and latency of a window',
    answers: { 200: { says: 'Uptime', shape: uptime } },
  },
  'POST /v1/monitors/bulk': {
    ...MONITORS,
    summary: 'Pause, resume, delete, tag or group many at once',
    answers: { 200: { says: 'An outcome for each', shape: bulkResponse } },
    example: { filter: { group: 'shop' }, action: 'pause', reason: 'deployment' },
  },
  'POST /v1/monitors/test': {
    ...MONITORS,
    summary: 'Check an unsaved monitor once from one region',
    answers: { 200: { says: 'One result that is not kept', shape: testResult } },
    codes: DEFINITION,
    example: { ...MONITOR_EXAMPLE, region: 'eu-west' },
  },
};

export const SCENARIO_DOCS: RouteDocs = {
  'GET /v1/scenarios': {
    ...SCENARIOS,
    summary: 'List scenarios, newest first',
    answers: { 200: { says: 'A page', shape: scenarioPage } },
  },
  'POST /v1/scenarios': {
    ...SCENARIOS,
    summary: 'Create a scenario; its first run follows at once',
    answers: { 201: { says: 'The scenario', shape: scenario } },
    codes: [...DEFINITION, 'key_taken', 'limit_reached'],
    example: scenarioExample,
  },
  'GET /v1/scenarios/example': {
    ...SCENARIOS,
    summary: 'A scenario to start from',
    answers: { 200: { says: 'A body for POST', shape: EXAMPLE_ANSWER } },
  },
  'GET /v1/scenarios/:scenarioId': {
    ...SCENARIOS,
    summary: 'Read a scenario with its health',
    answers: { 200: { says: 'The scenario', shape: scenario }, 304: { says: 'Unchanged' } },
  },
  'PUT /v1/scenarios/:scenarioId': {
    ...SCENARIOS,
    summary: 'Replace the whole definition',
    answers: { 200: { says: 'The scenario', shape: scenario } },
    codes: CHANGE,
    example: scenarioExample,
  },
  'PATCH /v1/scenarios/:scenarioId': {
    ...SCENARIOS,
    summary: 'Change single fields (JSON merge patch, RFC 7396)',
    answers: { 200: { says: 'The scenario', shape: scenario } },
    codes: CHANGE,
    body: PATCHES.ScenarioPatch,
    example: { interval: 600 },
  },
  'DELETE /v1/scenarios/:scenarioId': {
    ...SCENARIOS,
    summary: 'Delete a scenario and its runs',
    answers: NOTHING,
    codes: ['version_mismatch'],
  },
  'POST /v1/scenarios/:scenarioId/pause': scenarioLife.pause,
  'POST /v1/scenarios/:scenarioId/resume': scenarioLife.resume,
  'POST /v1/scenarios/:scenarioId/run': {
    ...SCENARIOS,
    summary: 'Run now, and wait for the end if asked to',
    answers: {
      200: { says: 'The run, which has ended', shape: requestedRuns, isLocated: true },
      202: { says: 'The run, which is under way', shape: requestedRuns, isLocated: true },
    },
    codes: ['run_in_progress', 'unknown_region'],
    example: { label: 'after deployment' },
  },
  'POST /v1/scenarios/test': {
    ...SCENARIOS,
    summary: 'Run an unsaved scenario once from one region',
    answers: { 200: { says: 'One run that is not kept', shape: testRun } },
    codes: DEFINITION,
    example: { ...scenarioExample, region: 'eu-west' },
  },
  'GET /v1/scenarios/:scenarioId/results': {
    ...SCENARIOS,
    summary: 'List runs, newest first',
    answers: { 200: { says: 'A page', shape: runPage } },
  },
  'GET /v1/scenarios/:scenarioId/results/export': { ...SCENARIOS, ...FILE },
  'GET /v1/scenarios/:scenarioId/results/:runId': {
    ...SCENARIOS,
    summary: 'Read a run; `wait` polls for its end',
    answers: { 200: { says: 'The run', shape: run } },
  },
  'POST /v1/scenarios/:scenarioId/results/:runId/cancel': {
    ...SCENARIOS,
    summary: 'Cancel a run; clean-up steps still run',
    answers: { 202: { says: 'The run as it is now', shape: run } },
    codes: ['already_finished'],
  },
  'GET /v1/scenarios/:scenarioId/uptime': {
    ...SCENARIOS,
    summary: 'Uptime, counts and durations of a window',
    answers: { 200: { says: 'Uptime', shape: uptime } },
  },
};
