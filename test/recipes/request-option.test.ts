/** Tests the recipe of docs/extending.md for a new request option, with a toy option. No other file needs a change. */
// This import must come before all imports of sources.
import './toy-option';

import { renderRequest } from '../../src/checks/render-request';
import { MONITOR } from '../../src/dashboard/features/monitors/form/monitor-draft';
import { MONITOR_OPTION_TEXTS } from '../../src/dashboard/features/monitors/form/monitor-options';
import { STEP_OPTION_TEXTS } from '../../src/dashboard/features/scenarios/draft/scenario-options';
import { validate } from '../../src/schemas/issues';
import { monitorBody } from '../../src/schemas/monitor';
import { readRequestOptions, requestOptionShapes } from '../../src/schemas/request-options';
import { scenarioBody } from '../../src/schemas/scenario';
import { presentScenario } from '../../src/services/scenarios/present-scenario';
import { shownDocument } from '../api/whole-document';
import { scenarioRow, scenarioStep } from '../models/example-records';
import { findTypeErrors } from './find-type-errors';
import { leaveOut, listRecipeFiles, readSources } from './recipe';
import { TOY_OPTION } from './toy-option';

const RECIPE = 'A new request option that is one number or one boolean takes four files:';
const BODY = { name: 'x', url: 'https://a.example.com', sendToy: true };

/**
 * Matches the types and tables that a new option changes, and an existing option. Every file that a new option changes
 * contains one of these names.
 */
const NEIGHBOURS =
  /\b(?:RequestOptions|StepDefinition|maxRedirects|requestOption\w+|stepOptionFields|readRequestOptions|REQUEST_OPTION_TEXTS)\b/;

/** Returns the options that no code of a probe mentions. */
function findUnusedOptions(sources: ReadonlyMap<string, string>): readonly string[] {
  const running = [...sources].filter(([path]) => /^src\/(?:checks|kinds\/http)\//.test(path));
  return Object.keys(requestOptionShapes).filter(
    (name) => !running.some(([, text]) => new RegExp(`\\b${name}\\b`).test(text)),
  );
}

function problemsOf(body: object): readonly string[] {
  const checked = validate(monitorBody, body);
  return checked.ok ? [] : checked.problems.map(({ path }) => path);
}

test('the recipe for an option names the files that the toy option changes', () => {
  expect(listRecipeFiles(RECIPE)).toEqual(Object.keys(TOY_OPTION));
});

test('a monitor and a step accept a new option, with its default, and refuse wrong values', () => {
  expect(validate(monitorBody, BODY)).toMatchObject({ ok: true, value: { sendToy: true } });
  const { sendToy: _sendToy, ...plain } = BODY;
  expect(validate(monitorBody, plain)).toMatchObject({ ok: true, value: { sendToy: false } });
  expect(validate(scenarioBody, { name: 's', steps: [BODY] })).toMatchObject({
    ok: true,
    value: { steps: [{ sendToy: true }] },
  });
  expect(problemsOf({ ...BODY, sendToy: 'yes' })).toEqual(['sendToy']);
});

test('a new option of a body reaches the request and the response of /v1', () => {
  const checked = validate(monitorBody, BODY);
  if (!checked.ok || checked.value.type !== 'http') throw new Error('The body is accepted.');
  const step = scenarioStep(readRequestOptions(checked.value));
  const { headers } = renderRequest(
    step,
    {
      variables: new Map(),
      generated: { uuid: '', now: '', runId: '', region: '' },
      secrets: new Map(),
    },
    { userAgent: 'Keepwatch' },
  );
  expect(headers).toContainEqual({ name: 'x-toy', value: '1' });
  const needs = { clock: { now: () => 0 }, workflowUrl: () => null };
  const shown = presentScenario(needs, scenarioRow('acc_1', { steps: [step] }), null);
  expect(shown.steps).toMatchObject([{ type: 'http', sendToy: true }]);
});

test('the reference describes a new option in bodies and responses', () => {
  const { schemas = {} } = shownDocument.components ?? {};
  const description = 'true: requests carry a toy. Default: false';
  for (const name of ['HttpMonitorBody', 'Step'])
    expect(schemas[name]).toMatchObject({ properties: { sendToy: { description } } });
  for (const name of ['HttpMonitor', 'SavedHttpStep'])
    expect(schemas[name]).toMatchObject({ properties: { sendToy: { type: 'boolean' } } });
});

test('both forms have the label of a new option, and the form of monitors keeps its value', () => {
  for (const texts of [MONITOR_OPTION_TEXTS, STEP_OPTION_TEXTS])
    expect(texts).toMatchObject({ sendToy: { label: 'Send a toy' } });
  expect(MONITOR.toBody(MONITOR.toDraft(BODY))).toMatchObject({ sendToy: true });
});

test('the compiler or this test names each file of the recipe that lacks the new option', () => {
  const sources = readSources(TOY_OPTION);
  const checked = [...sources].filter(([, text]) => NEIGHBOURS.test(text)).map(([path]) => path);
  expect(checked.length).toBeGreaterThan(10);
  const [contract = '', schema = '', texts = '', behaviour = ''] = Object.keys(TOY_OPTION);
  const partial = [contract, schema, texts].map((path) => ({
    changes: leaveOut(TOY_OPTION, path),
    checked: Object.keys(TOY_OPTION),
  }));
  const errors = findTypeErrors([{ changes: TOY_OPTION, checked }, ...partial]);
  expect(errors[0]).toEqual([]);
  expect(errors[1]).toContain(behaviour);
  expect(errors[2]).toContain(schema);
  expect(errors[3]).toEqual([texts]);
  expect(findUnusedOptions(sources)).toEqual([]);
  expect(findUnusedOptions(readSources(leaveOut(TOY_OPTION, behaviour)))).toEqual(['sendToy']);
});
