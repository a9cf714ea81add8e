/** YAML and form are the same object: nothing is lost between them, and nothing wrong gets through. */
import { toDraft } from '../../../src/dashboard/features/scenarios/draft/draft';
import { toBody } from '../../../src/dashboard/features/scenarios/draft/draft-body';
import { readYaml, toYaml } from '../../../src/dashboard/features/scenarios/draft/yaml-text';
import { scenarioExample } from '../../../src/schemas/scenario-example';

test('a draft reads back from its YAML as it was', () => {
  const draft = toDraft({ ...scenarioExample, enabled: false, onFailure: 'continue' });
  const read = readYaml(toYaml(draft));
  expect(read.ok && toBody(read.draft)).toEqual(toBody(draft));
});

test('YAML that the API would refuse says why, with the path, and never becomes a draft', () => {
  const cases = [
    ['name: a\nsteps: [', 'YAML'],
    ['name: a\nsteps: []', 'steps'],
    ['name: a\nsteps: [{name: x, url: "http://x/{{y}}"}]', 'steps[0].url'],
    ['name: a\nsteps: [{name: x, url: "http://x", colour: red}]', 'steps[0].colour'],
    [
      'name: a\nsteps: [{name: x, url: "http://x", assertions: [{type: nothing}]}]',
      'steps[0].assertions[0].type',
    ],
  ] as const;
  for (const [text, path] of cases) {
    const read = readYaml(text);
    expect(read.ok ? [] : read.problems.map((problem) => problem.path)).toContain(path);
  }
});
