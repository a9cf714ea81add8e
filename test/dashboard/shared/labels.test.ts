/** Tests the labels of fields. Each path of /v1 is shown as the label of its input. */
import { NETWORK_KINDS } from '../../../src/contracts/kinds';
import { HEARTBEAT_OPTION_TEXTS } from '../../../src/dashboard/features/monitors/form/heartbeat-draft';
import { MONITOR_OPTION_TEXTS } from '../../../src/dashboard/features/monitors/form/monitor-options';
import {
  SCENARIO_OPTION_TEXTS,
  STEP_OPTION_TEXTS,
} from '../../../src/dashboard/features/scenarios/draft/scenario-options';
import type { OptionText } from '../../../src/dashboard/shared/definition/options';
import { formatLabel } from '../../../src/dashboard/shared/form/problems/labels';
import { problemAt } from '../../../src/dashboard/shared/form/problems/problems';
import { KIND_FORMS } from '../../../src/kinds/form';

test.each([
  ['name', 'Name'],
  ['url', 'URL'],
  ['interval', 'Interval'],
  ['alerts.emails[0]', 'Email address 1'],
  ['assertions[1].path', 'Assertion 2 › JSON path'],
  ['headers.X-Api.Key', 'Header “X-Api.Key”'],
  ['variables.token.value', 'Variable “token” › Value'],
  ['tls.warnDays[2]', 'Certificate warning 3'],
  ['steps[1].url', 'Step 2 “log in” › URL'],
  ['steps[2].url', 'Step 3 › URL'],
  ['steps[0].assertions[2].value', 'Step 1 › Assertion 3 › Value'],
  ['steps[1].extract.id.jsonPath', 'Step 2 “log in” › Extraction “id” › JSON path'],
  ['monitors[3].followRedirects', 'Monitors entry 4 › Follow redirects'],
  ['steps[0].form.user', 'Step 1 › Form field “user”'],
  ['multipart[1].fileName', 'Part 2 › File name'],
  ['graphql.variables', 'GraphQL › Variables'],
  ['failOn[0].matches', 'Text of a failure 1 › Matches'],
  ['schedule.cron', 'Cron expression'],
  ['schedule.everySeconds', 'A ping every'],
  ['until.everySeconds', 'Retry › Every'],
  ['target', 'Applies to'],
  ['runbookUrl', 'Runbook'],
  ['outside', 'Outside these hours'],
  ['alerts.policy', 'Alert policy'],
  ['alerts.onFailure', 'On failure'],
  ['alerts.onDegraded', 'When degraded'],
  ['onFailure', 'After a step has failed'],
  ['tls.trust.pin[0]', 'Trusted certificates › Pin entry 1'],
  ['', 'The whole definition'],
])('the field %s has the label %s', (path, label) => {
  expect(formatLabel(path, { stepNames: ['', 'log in', 'Step 3'] })).toBe(label);
});

/** Labels and hints of inputs, by the type of the check and the name of the field. */
const INPUTS = [
  ...Object.entries({
    http: MONITOR_OPTION_TEXTS,
    heartbeat: HEARTBEAT_OPTION_TEXTS,
    step: STEP_OPTION_TEXTS,
    scenario: SCENARIO_OPTION_TEXTS,
  }).flatMap(([type, texts]) =>
    Object.entries(texts).map(([name, text]: [string, OptionText]) => ({ type, name, ...text })),
  ),
  ...NETWORK_KINDS.flatMap((type) => KIND_FORMS[type].map((input) => ({ type, ...input }))),
];

/** Inputs whose label is more exact than the label of the field in other types. */
const OTHERWISE = ['domain host', 'domain warnDays', 'scenario cookies'];

test('a summary of problems names each field by the label of its input', () => {
  const different = INPUTS.filter(({ name, label }) => !label.startsWith(formatLabel(name))).map(
    ({ type, name }) => `${type} ${name}`,
  );
  expect(different.sort()).toEqual(OTHERWISE);
});

test('the hint of each input ends with a full stop', () => {
  const hints = INPUTS.flatMap(({ description }) => description ?? []);
  expect(hints.filter((hint) => !hint.endsWith('.'))).toEqual([]);
});

test('a problem shown below its input starts with a capital letter', () => {
  const problems = [{ path: 'interval', message: 'must be a number' }];
  expect(problemAt(problems, 'interval')).toBe('Must be a number');
  expect(problemAt(problems, 'url')).toBeUndefined();
});

test.each([
  ['name', 'must not be empty', 'Enter a name.'],
  ['steps[0].url', 'must not be empty', 'Enter a URL.'],
  ['url', 'is not a valid URL', 'Enter a full URL, like https://example.com/.'],
  ['tags[0]', 'must not be empty', 'This field is required.'],
])('the problem below %s says what to do: “%s”', (path, message, sentence) => {
  expect(problemAt([{ path, message }], path)).toBe(sentence);
});
