/**
 * Tests that short work runs at once on the main thread, with the same results as in a worker. All other work is sent
 * to a worker.
 */

import type { Assertion } from '../../src/contracts/definition';
import { runShortTasks } from '../../src/text/short-work';
import { createTextPool, type TextPool } from '../../src/text/text-pool';
import type { TextJob } from '../../src/text/text-task';

let pool: TextPool;
beforeAll(() => {
  pool = createTextPool();
});
afterAll(() => pool.close());

const response = {
  status: 200,
  headers: new Map([['content-type', 'application/json']]),
  responseTimeMs: 12,
  timings: { dnsMs: null, connectMs: 1, tlsMs: null, ttfbMs: 2, downloadMs: 3, totalMs: 12 },
  redirects: 0,
  finalUrl: 'https://shop.example.com/',
  bodyBytes: 20,
  tls: null,
};

function jsonPath(path: string, given: Partial<Assertion> = {}): Assertion {
  const base = { operator: 'equals', value: 1, severity: 'fail', ...given } as const;
  return { match: 'first', ...base, type: 'jsonPath', path };
}

function jobOf(text: string, assertions: readonly Assertion[], hidden: readonly string[] = []) {
  const tasks = assertions.map((assertion) => ({ kind: 'assertion' as const, assertion }));
  return { text, response, hidden, tasks } satisfies TextJob;
}

const STATUS: Assertion = { type: 'status', operator: 'equals', value: '2xx', severity: 'fail' };
const PATHS = [
  '$',
  '$.a',
  '$.a.b',
  '$.a[0].b',
  '$[1]',
  '$.missing',
  '$.constructor',
  '$.__proto__',
];
const BODIES = [
  '{"a":1}',
  '{"a":{"b":1}}',
  '{"a":[{"b":1}]}',
  '[0,1]',
  '1',
  'null',
  '"x"',
  '',
  '{"a":',
];

test.each(BODIES)(
  'assertions on %j have the same results on the main thread as in a worker',
  async (text) => {
    const job = jobOf(text, [
      STATUS,
      ...PATHS.flatMap((path) => [
        jsonPath(path),
        jsonPath(path, { operator: 'exists' }),
        jsonPath(path, { operator: 'contains', value: 'x', severity: 'degraded' }),
      ]),
    ]);
    expect(runShortTasks(job)).toEqual(await pool.run(job));
  },
);

test.each([
  ['a path with recursive descent', jobOf('{}', [jsonPath('$..a')])],
  ['a wildcard', jobOf('{}', [jsonPath('$.a[*]')])],
  ['a filter', jobOf('{}', [jsonPath('$.a[?(@.b==1)]')])],
  ['a pattern', jobOf('{}', [jsonPath('$.a', { operator: 'matches', value: 'x' })])],
  ['a long body', jobOf(' '.repeat(16 * 1_024 + 1), [jsonPath('$.a')])],
  ['values that must not be shown', jobOf('{}', [jsonPath('$.a')], ['hidden-value'])],
  [
    'an assertion on the whole body',
    jobOf('{}', [{ type: 'body', operator: 'contains', value: 'x', severity: 'fail' }]),
  ],
] as const)('work with %s is done in a worker thread', (_what, job) => {
  expect(runShortTasks(job)).toBeNull();
});
