/** Tests the conversion between YAML and the form. It loses nothing, and invalid YAML is refused. */
import { toDraft } from '../../../src/dashboard/features/scenarios/draft/draft';
import { toBody } from '../../../src/dashboard/features/scenarios/draft/draft-body';
import { SCENARIO } from '../../../src/dashboard/features/scenarios/draft/scenario-kind';
import { readYaml, toYaml } from '../../../src/dashboard/shared/definition/yaml-text';
import { scenarioExample } from '../../../src/schemas/scenario-example';

test('a draft that is written as YAML and read back is unchanged', () => {
  const draft = toDraft({ ...scenarioExample, enabled: false, onFailure: 'continue' });
  const read = readYaml(SCENARIO, toYaml(SCENARIO, draft), draft);
  expect(read.ok && toBody(read.draft)).toEqual(toBody(draft));
});

test('YAML that the API would refuse gives the reason with its path, and no draft', () => {
  const cases = [
    ['name: a\nsteps: [', 'YAML'],
    ['name: a\nsteps: []', 'steps'],
    ['name: a\nsteps: [{name: x, url: "http://x", colour: red}]', 'steps[0].colour'],
    [
      'name: a\nsteps: [{name: x, url: "http://x", assertions: [{type: nothing}]}]',
      'steps[0].assertions[0].type',
    ],
  ] as const;
  for (const [text, path] of cases) {
    const read = readYaml(SCENARIO, text, toDraft(scenarioExample));
    expect(read.ok ? [] : read.problems.map((problem) => problem.path)).toContain(path);
  }
});

test('YAML with an unknown variable is read as a draft whose problem names the variable', () => {
  const text = 'name: a\nsteps: [{name: x, url: "http://x/{{y}}"}]';
  const read = readYaml(SCENARIO, text, toDraft(scenarioExample));
  expect(read.ok && SCENARIO.findProblems(read.draft)).toMatchObject([
    { path: 'steps[0].url', variable: 'y' },
  ]);
});

test('credentials in headers are omitted from the YAML, and restored when the YAML is read', () => {
  const headers = { authorization: 'Bearer live-token', accept: 'text/html' };
  const steps = [{ name: 'x', url: 'http://x', headers }];
  const draft = toDraft({ name: 'a', steps });
  const text = toYaml(SCENARIO, draft);
  expect(text).not.toContain('live-token');
  const read = readYaml(SCENARIO, text, draft);
  expect(read.ok && toBody(read.draft)).toEqual(toBody(draft));
});
