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
  it('a scenario body accepts the example for newcomers', () => {
    expect(problemsOf(scenarioExample)).toEqual([]);
  });

  it('a scenario body lets a step use values that earlier steps extract, but not values of later steps', () => {
    const use = step('use', { url: 'https://a.example/{{id}}' });
    const define = step('define', { extract: { id: '$.id' } });
    expect(problemsOf({ name: 'n', steps: [define, use] })).toEqual([]);
    expect(problemsOf({ name: 'n', steps: [use, define] })).toEqual([
      ['steps[0].url', 'unknown_variable'],
    ]);
  });

  it('a step cannot use the value of its own extraction', () => {
    const both = step('both', { url: 'https://a.example/{{id}}', extract: { id: '$.id' } });
    expect(problemsOf({ name: 'n', steps: [both] })).toEqual([
      ['steps[0].url', 'unknown_variable'],
    ]);
  });

  it('a scenario body refuses two steps with the same name', () => {
    expect(problemsOf({ name: 'n', steps: [step('a'), step('a')] })).toEqual([
      ['steps[1].name', 'duplicate_name'],
    ]);
  });

  it('an invalid extraction is reported only for the type that its author chose, at the invalid field', () => {
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

  it.each([
    [{ from: 'header', name: 'Location' }, true],
    [{ from: 'jsonPath', path: '$.next' }, true],
    [{ from: 'body', pattern: 'href="(.+?)"' }, true],
    [{ from: 'status' }, false],
    [{ from: 'cookie', name: 'sid' }, false],
    [{ from: 'finalUrl' }, false],
  ])('a scenario body accepts `resolve: true` in the extraction %j: %s', (source, isTaken) => {
    const extract = { next: { ...source, resolve: true } };
    const steps = [step('a', { extract }), step('b', { url: '{{next}}' })];
    expect(validate(scenarioBody, { name: 'n', steps }).ok).toBe(isTaken);
  });

  it('a scenario body reads every type of extraction', () => {
    const extract = {
      a: '$.a',
      b: { from: 'jsonPath', path: '$.b', default: null },
      c: { from: 'header', name: 'etag' },
      d: { from: 'status' },
      e: { from: 'body', pattern: 'id=(\\d+)' },
      f: { from: 'header', name: 'location', pattern: 'id=(\\d+)' },
      g: { from: 'cookie', name: 'sid' },
      h: { from: 'finalUrl' },
    };
    const checked = validate(scenarioBody, { name: 'n', steps: [step('a', { extract })] });
    expect(checked.ok && checked.value.steps[0]?.extract).toEqual([
      { variable: 'a', from: 'jsonPath', path: '$.a' },
      { variable: 'b', from: 'jsonPath', path: '$.b', default: null },
      { variable: 'c', from: 'header', name: 'etag' },
      { variable: 'd', from: 'status' },
      { variable: 'e', from: 'body', pattern: 'id=(\\d+)' },
      { variable: 'f', from: 'header', name: 'location', pattern: 'id=(\\d+)' },
      { variable: 'g', from: 'cookie', name: 'sid' },
      { variable: 'h', from: 'finalUrl' },
    ]);
  });

  it('a scenario body refuses unknown names in expected values, and accepts values whose type is known only during a run', () => {
    const expecting = (value: unknown, operator = 'equals') => ({
      assertions: [
        { type: 'status', operator: 'equals', value: 200 },
        { type: 'jsonPath', path: '$.id', operator, value },
      ],
    });
    const define = step('define', { extract: { id: '$.id' } });
    const good = [
      define,
      step('a', expecting('{{id}}')),
      step('b', expecting('{{id}}', 'lessThan')),
      step('c', expecting(['{{id}}', 5], 'in')),
      step('d', expecting('^{{id}}$', 'matches')),
    ];
    expect(problemsOf({ name: 'n', steps: good })).toEqual([]);
    const bad = [
      step('a', expecting('{{id}}')),
      step('b', expecting('x {{id}}', 'lessThan')),
      step('c', expecting('{{secret:key}}')),
    ];
    expect(problemsOf({ name: 'n', steps: bad })).toEqual(
      expect.arrayContaining([
        ['steps[0].assertions[1].value', 'unknown_variable'],
        ['steps[1].assertions[1].value', 'invalid_value'],
        ['steps[2].assertions[1].value', 'invalid_value'],
      ]),
    );
  });

  it('a step accepts one kind of request body and refuses a second kind', () => {
    const post = { method: 'POST' };
    const good = [
      step('form', { ...post, form: { a: '{{$uuid}}' } }),
      step('parts', { ...post, multipart: [{ name: 'a', base64: 'YQ==' }] }),
      step('graphql', { ...post, graphql: { query: '{ a }', variables: { a: [1] } } }),
    ];
    expect(problemsOf({ name: 'n', steps: good })).toEqual([]);
    const bad = [
      step('two', { ...post, form: { a: 'x' }, body: 'y', graphql: { query: '{ a }' } }),
      step('get', { method: 'GET', form: { a: 'x' } }),
      step('put', { method: 'PUT', graphql: { query: '{ a }' } }),
      step('type', {
        ...post,
        headers: { 'Content-Type': 'x' },
        multipart: [
          { name: 'a', value: 'x', base64: 'YQ==' },
          { name: 'b' },
          { name: 'c', base64: '?' },
        ],
      }),
      step('names', {
        ...post,
        form: { a: '{{nobody}}' },
      }),
      step('vars', { ...post, graphql: { query: '{ a }', variables: { a: ['{{nobody}}'] } } }),
      step('part', { ...post, multipart: [{ name: 'a', value: '{{nobody}}' }] }),
    ];
    const problems = problemsOf({ name: 'n', steps: bad });
    expect(new Set(problems.map(([path]) => path))).toEqual(
      new Set([
        'steps[0].body',
        'steps[0].graphql',
        'steps[1].form',
        'steps[2].method',
        'steps[3].headers.Content-Type',
        'steps[3].multipart[0].base64',
        'steps[3].multipart[1].value',
        'steps[3].multipart[2].base64',
        'steps[4].form.a',
        'steps[5].graphql.variables.a[0]',
        'steps[6].multipart[0].value',
      ]),
    );
  });

  it('a scenario body keeps cookies by default, and treats values extracted from cookies as secret', () => {
    const checked = validate(scenarioBody, { name: 'n', steps: [step('a')] });
    expect(checked).toMatchObject({ value: { cookies: true, steps: [{ cookies: 'keep' }] } });
    const first = step('a', { extract: { sid: { from: 'cookie', name: 'sid' } }, cookies: 'drop' });
    const second = step('b', { url: 'https://a.example/{{sid}}', degradedAboveMs: 0 });
    const problems = problemsOf({ name: 'n', steps: [first, second], cookies: 'yes' });
    expect(problems).toHaveLength(4);
    expect(problems).toEqual(
      expect.arrayContaining([
        ['cookies', 'wrong_type'],
        ['steps[0].cookies', 'invalid_value'],
        ['steps[1].degradedAboveMs', 'out_of_bounds'],
        ['steps[1].url', 'invalid_value'],
      ]),
    );
  });

  it('a scenario body needs at least one step and accepts at most 50', () => {
    expect(problemsOf({ name: 'n', steps: [] })).toEqual([['steps', 'out_of_bounds']]);
    const steps = Array.from({ length: 51 }, (_, index) => step(`s${index}`));
    expect(problemsOf({ name: 'n', steps })).toEqual([['steps', 'out_of_bounds']]);
  });

  it('a scenario body accepts waits and repetitions within their limits, and has none by default', () => {
    const waits = { waitSeconds: 604_800, until: { everySeconds: 1, forSeconds: 999 } };
    const checked = validate(scenarioBody, { name: 'n', steps: [step('a', waits), step('b')] });
    expect(checked.ok && checked.value.steps).toMatchObject([
      waits,
      { waitSeconds: 0, until: null },
    ]);
    const wrong = [
      { waitSeconds: 604_801 },
      { waitSeconds: 0.5 },
      { until: { everySeconds: 5 } },
      { until: { everySeconds: 0, forSeconds: 604_801 } },
      { until: { everySeconds: 5, forSeconds: 60, times: 3 } },
    ].map((change, index) => step(`${index}`, change));
    expect(problemsOf({ name: 'n', steps: wrong }).map(([path]) => path)).toEqual([
      'steps[0].waitSeconds',
      'steps[1].waitSeconds',
      'steps[2].until.forSeconds',
      'steps[3].until.everySeconds',
      'steps[3].until.forSeconds',
      'steps[4].until.times',
    ]);
  });

  it('a scenario body allows 1,000 tries in one run over all repeated steps', () => {
    const until = (forSeconds: number) => ({ until: { everySeconds: 1, forSeconds } });
    const steps = [step('a', until(499)), step('b'), step('c', until(499))];
    expect(problemsOf({ name: 'n', steps })).toEqual([]);
    expect(problemsOf({ name: 'n', steps: [...steps, step('d', until(1))] })).toEqual([
      ['steps[3].until.everySeconds', 'out_of_bounds'],
    ]);
  });

  it('a scenario body reports all its problems at once, each with its path', () => {
    const steps = [
      step('a', { url: 'https://a.example/{{secret:KEY}}', extract: { t: '$.[' } }),
      step('a', { headers: { x: '{{later}}' }, body: { deep: ['{{nowhere}}'] }, method: 'POST' }),
      step('c', { url: 'ftp://a.example', waitSeconds: -1, extract: { later: '$.x' } }),
    ];
    expect(
      problemsOf({ name: '', steps })
        .map(([path]) => path)
        .toSorted(byText),
    ).toEqual([
      'name',
      'steps[0].extract.t',
      'steps[0].url',
      'steps[1].body.deep[0]',
      'steps[1].headers.x',
      'steps[1].name',
      'steps[2].url',
      'steps[2].waitSeconds',
    ]);
  });
});

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

it.each(['heartbeat', 'smtp', 1, null])(
  'a step of the type %j is refused with a list of the allowed types',
  (type) => {
    const body = { name: 'x', steps: [{ name: 'a', type, url: 'https://a.example' }] };
    expect(validate(scenarioBody, body)).toMatchObject({
      problems: [
        {
          path: 'steps[0].type',
          code: 'invalid_value',
          message: expect.stringMatching(/^must be one of http, tcp, tls, .*ping/),
        },
      ],
    });
  },
);

it('a field that an HTTP request does not have is refused with the types that have the field', () => {
  const steps = [{ name: 'a', url: 'https://a.example', host: 'a.example', port: 25 }];
  const message = expect.stringMatching(/^is not a field of the type http.* tcp, tls/);
  expect(validate(scenarioBody, { name: 'x', steps })).toMatchObject({
    problems: [
      { path: 'steps[0].host', code: 'unknown_field', message },
      { path: 'steps[0].port', code: 'unknown_field', message },
    ],
  });
});
