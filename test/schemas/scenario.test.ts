import { validate } from '../../src/schemas/issues';
import { scenarioBody } from '../../src/schemas/scenario';
import { scenarioExample } from '../../src/schemas/scenario-example';

function problemsOf(body: unknown): [string, string][] {
  const checked = validate(scenarioBody, body);
  return checked.ok ? [] : checked.problems.map(({ path, code }) => [path, code]);
}

const step = (name: string, more: object = {}): object => ({
  name,
  url: 'https://a.example/',
  ...more,
});

describe('a scenario body', () => {
  it('accepts the example that newcomers start from', () => {
    expect(problemsOf(scenarioExample)).toEqual([]);
  });

  it('lets a step use what an earlier step extracts, but not what a later one does', () => {
    const use = step('use', { url: 'https://a.example/{{id}}' });
    const define = step('define', { extract: { id: '$.id' } });
    expect(problemsOf({ name: 'n', steps: [define, use] })).toEqual([]);
    expect(problemsOf({ name: 'n', steps: [use, define] })).toEqual([
      ['steps[0].url', 'unknown_variable'],
    ]);
  });

  it('does not let a step use what it extracts itself', () => {
    const both = step('both', { url: 'https://a.example/{{id}}', extract: { id: '$.id' } });
    expect(problemsOf({ name: 'n', steps: [both] })).toEqual([
      ['steps[0].url', 'unknown_variable'],
    ]);
  });

  it('refuses two steps of one name', () => {
    expect(problemsOf({ name: 'n', steps: [step('a'), step('a')] })).toEqual([
      ['steps[1].name', 'duplicate_name'],
    ]);
  });

  it('names the fault inside the kind of extraction that was meant', () => {
    const problems = problemsOf({
      name: 'n',
      steps: [
        step('a', {
          extract: {
            x: { from: 'body', pattern: '(' },
            y: 'no-path',
            z: { from: 'jsonPath', path: '$.z' },
          },
        }),
      ],
    });
    expect(problems).toEqual([
      ['steps[0].extract.x.pattern', 'invalid_pattern'],
      ['steps[0].extract.y', 'invalid_path'],
    ]);
  });

  it('reads every kind of extraction', () => {
    const extract = {
      a: '$.a',
      b: { from: 'jsonPath', path: '$.b', default: null },
      c: { from: 'header', name: 'etag' },
      d: { from: 'status' },
      e: { from: 'body', pattern: 'id=(\\d+)' },
    };
    const checked = validate(scenarioBody, { name: 'n', steps: [step('a', { extract })] });
    expect(checked.ok && checked.value.steps[0]?.extract).toEqual([
      { variable: 'a', from: 'jsonPath', path: '$.a' },
      { variable: 'b', from: 'jsonPath', path: '$.b', default: null },
      { variable: 'c', from: 'header', name: 'etag' },
      { variable: 'd', from: 'status' },
      { variable: 'e', from: 'body', pattern: 'id=(\\d+)' },
    ]);
  });

  it('needs at least one step and takes at most 50', () => {
    expect(problemsOf({ name: 'n', steps: [] })).toEqual([['steps', 'out_of_bounds']]);
    const steps = Array.from({ length: 51 }, (_, index) => step(`s${index}`));
    expect(problemsOf({ name: 'n', steps })).toEqual([['steps', 'out_of_bounds']]);
  });
});
