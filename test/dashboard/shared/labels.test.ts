/** Tests the labels of fields. Each path of /v1 is shown as the label of its input. */
import { formatLabel } from '../../../src/dashboard/shared/form/labels';
import { problemAt } from '../../../src/dashboard/shared/form/problems';

test.each([
  ['name', 'Name'],
  ['url', 'URL'],
  ['interval', 'Frequency'],
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
  ['', 'The whole definition'],
])('the field %s has the label %s', (path, label) => {
  expect(formatLabel(path, { stepNames: ['', 'log in', 'Step 3'] })).toBe(label);
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
