/** Tests that work on text that takes too long is stopped in time, and does not affect other work. */

import type { Assertion } from '../../src/contracts/definition';
import { formatExactJson, withoutMarks } from '../../src/contracts/json';
import { createTextPool, type TextPool } from '../../src/text/text-pool';
import { isBusy, type TextTask } from '../../src/text/text-task';
import { createTooSlowResult } from '../../src/text/text-thread';

let pool: TextPool;
beforeAll(() => {
  pool = createTextPool();
});
afterAll(() => pool.close());

function path(text: string, want: 'first' | 'all' | 'count' = 'all'): TextTask {
  return { kind: 'path', path: text, want };
}

/** Number of workers in the pool. */
const WORKERS = 2;
const deep = JSON.stringify(
  Array.from({ length: 40 }).reduce((inner: unknown) => ({ a: inner, b: [inner, 1].slice(1) }), 1),
);
const wide = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, tags: [1, 2, 3] })));
const explosive = path('$..*..*..*..*..*..*');

/**
 * Returns true if a row of the table, which is a plain object, has the fields of an assertion. Checks only two fields.
 */
function isAssertion(value: object): value is Assertion {
  return 'type' in value && 'operator' in value;
}

function buildAssertion(value: object): Assertion {
  if (!isAssertion(value)) throw new Error('no assertion');
  return value;
}

it('the results of several tasks on a text are in the order of the tasks', async () => {
  const queries: TextTask[] = [
    path('$.a'),
    path('$.a', 'count'),
    path('$..x', 'first'),
    { kind: 'pattern', pattern: 'x(y+)', subject: 'axyyb' },
    { kind: 'pattern', pattern: 'x', subject: 'b' },
    { kind: 'pattern', pattern: '(', subject: 'b' },
  ];
  expect(await pool.run({ text: '{"a":[{"x":1},{"x":2}]}', tasks: queries })).toEqual([
    { values: [[{ x: 1 }, { x: 2 }]], count: 1 },
    { values: [], count: 1 },
    { values: [1], count: 2 },
    { values: ['yy'], count: 1 },
    { values: [], count: 0 },
    { problem: expect.stringContaining('pattern_invalid') },
  ]);
});

it.each(['', 'no', '{"a":', '<html>', `${'['.repeat(101)}${']'.repeat(101)}`])(
  'the text %j is reported as invalid JSON',
  async (json) => {
    const [answer] = await pool.run({ text: json, tasks: [path('$')] });
    expect(answer).toEqual({ isMissing: true, problem: expect.stringContaining('not_json') });
  },
);

it('JSON with 100 levels of nesting is read, and brackets inside strings do not count', async () => {
  const json = `${'['.repeat(99)}"${'['.repeat(500)}\\""${']'.repeat(99)}`;
  const [answer] = await pool.run({ text: json, tasks: [path('$', 'count')] });
  expect(answer).toEqual({ values: [], count: 1 });
});

it('a task on text whose result is larger than 1 MiB is refused', async () => {
  const json = JSON.stringify({ a: 'x'.repeat(600_000) });
  const [all, first] = await pool.run({
    text: json,
    tasks: [path("$['a','a']"), path("$['a','a']", 'first')],
  });
  expect(all).toEqual({ problem: expect.stringContaining('path_too_large') });
  expect(first).toMatchObject({ count: 2 });
});

it('a JSON path that takes too long is stopped, and the next work continues', async () => {
  const job = { text: wide, tasks: [path('$[0].id'), explosive, path('$[1].id')] };
  expect(await pool.run(job)).toEqual([
    { values: [0], count: 1 },
    { problem: expect.stringContaining('path_too_slow') },
    { values: [1], count: 1 },
  ]);
});

const common = { operator: 'matches', value: 'x', severity: 'fail' } as const;

it.each<[string, TextTask, number]>([
  ['a path', path('$.a'), 100],
  [
    'an assertion on a path',
    { kind: 'assertion', assertion: { type: 'jsonPath', path: '$.a', match: 'first', ...common } },
    100,
  ],
  ['a schema', { kind: 'assertion', assertion: { type: 'jsonSchema', ...common } }, 100],
  ['a pattern', { kind: 'pattern', pattern: 'x' }, 400],
  ['an assertion on the text', { kind: 'assertion', assertion: { type: 'body', ...common } }, 400],
])('a task on a body of 1 MiB has the stated deadline: %s', (_what, task, ms) => {
  expect(createTooSlowResult(task, 'x'.repeat(1_048_576))).toEqual({
    problem: expect.stringContaining(`longer than ${ms} ms`),
  });
  expect(createTooSlowResult(task, 'x')).toEqual({
    problem: expect.stringContaining('longer than 100 ms'),
  });
});

it('a task with a pattern that takes too long is stopped', async () => {
  const subject = 'The quick brown fox jumps over the lazy dog. '.repeat(5_800);
  const pattern = '(.*a){90}(x|y)';
  const result = await pool.run({ text: '', tasks: [{ kind: 'pattern', pattern, subject }] });
  expect(result).toEqual([{ problem: expect.stringContaining('pattern_too_slow') }]);
});

it('time in which the whole machine did not run does not count towards the deadline of a task', async () => {
  const own = createTextPool();
  const working = own.run({ text: '{"a":1}', tasks: [path('$.a')] });
  // The clock jumps while the worker is starting, before its progress is checked for the first time.
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  try {
    expect(await working).toEqual([{ values: [1], count: 1 }]);
  } finally {
    clock.mockRestore();
    await own.close();
  }
});

it('JSON paths that take too long move to the end of the queue, and do not delay later work', async () => {
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const tasks = [explosive, explosive];
  const hostile = [1, 2].map(() => pool.run({ text: deep, tasks }).then(note('hostile')));
  const healthy = Array.from({ length: 20 }, async () => {
    const [result] = await pool.run({ text: '{"a":1}', tasks: [path('$.a')] });
    expect(result).toMatchObject({ count: 1 });
    note('healthy')();
  });
  await Promise.all([...hostile, ...healthy]);
  // When the first hostile task ends, the other workers may still be running the last healthy tasks.
  expect(ended.indexOf('hostile')).toBeGreaterThanOrEqual(healthy.length - WORKERS);
});

it('after ten slow tasks, the remaining tasks of the same job count as too slow', async () => {
  const tasks = [...Array<TextTask>(12).fill(explosive), path('$[0].id')];
  const results = await pool.run({ text: deep, tasks });
  expect(results).toHaveLength(13);
  expect(results.every((result) => 'problem' in result)).toBe(true);
});

describe('tasks on hostile text', () => {
  const million = 1_048_576;
  const halves = `${'a'.repeat(8_000)}b${'a'.repeat(8_000)}`;
  const list = Array.from({ length: 20_000 }, (_, id) => ({ id: [id] }));
  const timings = { dnsMs: 1, connectMs: 1, tlsMs: 1, ttfbMs: 1, downloadMs: 1, totalMs: 1 };
  const response = {
    status: 200,
    headers: new Map(),
    responseTimeMs: 1,
    timings,
    redirects: 0,
    finalUrl: 'http://a/',
    bodyBytes: 1,
    tls: null,
  };
  const asserts = (assertion: object): TextTask => ({
    kind: 'assertion',
    assertion: buildAssertion(assertion),
  });
  const body = { type: 'body', severity: 'fail' };
  const cases: readonly (readonly [string, string, TextTask, readonly string[]])[] = [
    [
      'a comparison',
      'a'.repeat(million),
      asserts({ ...body, operator: 'contains', value: halves }),
      [],
    ],
    [
      'a list in a list',
      JSON.stringify(list),
      asserts({
        type: 'jsonPath',
        path: '$..*',
        match: 'every',
        operator: 'in',
        severity: 'fail',
        value: [...list, 0],
      }),
      [],
    ],
    ['a pattern', 'lazy dog. '.repeat(26_000), { kind: 'pattern', pattern: '(.*a){90}(x|y)' }, []],
    [
      'redaction of a near miss',
      '',
      {
        kind: 'redaction',
        subject: `${'\\\\\\"'.repeat(31)}\\\\\\x`.repeat(1_000),
        isBroken: false,
      },
      ['\\"'.repeat(32)],
    ],
    [
      'redaction of a quarter of a million characters',
      '',
      { kind: 'redaction', subject: '%25'.repeat(million / 12), isBroken: true },
      Array.from({ length: 50 }, (_, index) => `%25`.repeat(100 + index)),
    ],
    ['a search', '', { kind: 'search', subject: 'a'.repeat(million) }, [halves, 'aab']],
  ];

  it.each(cases)('%s does not delay the next task', async (_, text, task, hidden) => {
    const quick: TextTask = { kind: 'search', subject: 'behind it' };
    const [first, second] = await pool.run({ text, response, hidden, tasks: [task, quick] });
    expect(first).toBeDefined();
    expect(second).toEqual({ isFound: false });
  });
});

it('large integers in JSON are found as they are written', async () => {
  const text = '{"a":[12345678901234567890,-9007199254740993,1.5e300,"9007199254740993",7]}';
  const [found] = await pool.run({ text, tasks: [path('$.a', 'first')] });
  const exact = ['12345678901234567890', '-9007199254740993', 1.5e300, '9007199254740993', 7];
  if (found === undefined || !('values' in found)) throw new Error('nothing was found');
  expect(found.values.map(withoutMarks)).toEqual([exact]);
  expect(formatExactJson(found.values[0] ?? null)).toBe(
    '[12345678901234567890,-9007199254740993,1.5e+300,"9007199254740993",7]',
  );
});

it('when the pool of worker threads is closed, waiting tasks end with a problem', async () => {
  const own = createTextPool();
  const jobs = Array.from({ length: 5 }, () => own.run({ text: wide, tasks: [explosive] }));
  await own.close();
  for (const answers of await Promise.all(jobs)) {
    expect(answers).toEqual([{ problem: expect.any(String) }]);
  }
  expect(await own.run({ text: '1', tasks: [path('$')] })).toEqual([
    { problem: expect.stringContaining('closed') },
  ]);
});

it('the concurrent work of one account is limited, while work of other accounts is accepted', async () => {
  const own = createTextPool({ waitingMax: 10, waitingOfOwnerMax: 2 });
  const run = (owner: string) => own.run({ text: '{"a":1}', owner, tasks: [path('$.a')] });
  const results = await Promise.all([...Array.from({ length: 6 }, () => run('one')), run('other')]);
  await own.close();
  const isRefused = results.map(([result]) => isBusy(result));
  // Of the first account's six tasks, two are in the workers and two are waiting. The other two are refused.
  expect(isRefused).toEqual([false, false, false, false, true, true, false]);
});
