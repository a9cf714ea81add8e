/** Paths and patterns that explode end in time, at nobody else's cost. */
import { createQueryPool, type QueryPool } from '../../src/checks/query-pool';
import type { Query } from '../../src/checks/query-worker';
import { parseJsonPath } from '../../src/domain/json-path-syntax';

let pool: QueryPool;
beforeAll(() => {
  pool = createQueryPool();
});
afterAll(() => pool.close());

function path(text: string, want: 'first' | 'all' | 'count' = 'all'): Query {
  const parse = parseJsonPath(text);
  if (!parse.ok) throw new Error(parse.problem);
  return { kind: 'path', path: parse.enginePath, want };
}

const deep = JSON.stringify(
  Array.from({ length: 40 }).reduce((inner: unknown) => ({ a: inner, b: [inner, 1].slice(1) }), 1),
);
const wide = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, tags: [1, 2, 3] })));
const explosive = path('$..*..*..*..*..*..*');

async function measured<Result>(work: Promise<Result>) {
  const startedAt = performance.now();
  const result = await work;
  return { result, tookMs: performance.now() - startedAt };
}

it('answers each query in order', async () => {
  const queries: Query[] = [
    path('$.a'),
    path('$.a', 'count'),
    path('$..x', 'first'),
    { kind: 'pattern', pattern: 'x(y+)', subject: 'axyyb' },
    { kind: 'pattern', pattern: 'x', subject: 'b' },
    { kind: 'pattern', pattern: '(', subject: 'b' },
  ];
  expect(await pool.run({ json: '{"a":[{"x":1},{"x":2}]}', queries })).toEqual([
    { values: [[{ x: 1 }, { x: 2 }]], count: 1 },
    { values: [], count: 1 },
    { values: [1], count: 2 },
    { values: ['yy'], count: 1 },
    { values: [], count: 0 },
    { problem: expect.stringContaining('pattern_invalid') },
  ]);
});

it.each(['', 'no', '{"a":', '<html>', `${'['.repeat(101)}${']'.repeat(101)}`])(
  'tells that %j is not JSON to look into',
  async (json) => {
    const [answer] = await pool.run({ json, queries: [path('$')] });
    expect(answer).toEqual({ problem: expect.stringContaining('not_json') });
  },
);

it('looks into 100 levels, and is not misled by brackets in text', async () => {
  const json = `${'['.repeat(99)}"${'['.repeat(500)}\\""${']'.repeat(99)}`;
  const [answer] = await pool.run({ json, queries: [path('$', 'count')] });
  expect(answer).toEqual({ values: [], count: 1 });
});

it('refuses to bring back more than 1 MiB', async () => {
  const json = JSON.stringify({ a: 'x'.repeat(600_000) });
  const [all, first] = await pool.run({
    json,
    queries: [path("$['a','a']"), path("$['a','a']", 'first')],
  });
  expect(all).toEqual({ problem: expect.stringContaining('path_too_large') });
  expect(first).toMatchObject({ count: 2 });
});

it('ends a path that explodes, and the queries behind it, in time', async () => {
  const job = { json: wide, queries: [path('$[0].id'), explosive, path('$[1].id')] };
  const { result, tookMs } = await measured(pool.run(job));
  expect(result).toEqual([
    { values: [0], count: 1 },
    { problem: expect.stringContaining('path_too_slow') },
    { problem: expect.stringContaining('path_too_slow') },
  ]);
  expect(tookMs).toBeLessThan(2_500);
});

it('ends a pattern that explodes', async () => {
  const subject = 'The quick brown fox jumps over the lazy dog. '.repeat(5_800);
  const pattern = '(.*a){90}(x|y)';
  const { result, tookMs } = await measured(
    pool.run({ json: null, queries: [{ kind: 'pattern', pattern, subject }] }),
  );
  expect(result).toEqual([{ problem: expect.stringContaining('pattern_too_slow') }]);
  expect(tookMs).toBeLessThan(2_500);
});

it('a path that explodes delays others by its own time at most', async () => {
  const hostile = pool.run({ json: deep, queries: [explosive] });
  const healthy = await Promise.all(
    Array.from({ length: 20 }, () =>
      measured(pool.run({ json: '{"a":1}', queries: [path('$.a')] })),
    ),
  );
  expect(healthy.every(({ result }) => JSON.stringify(result).includes('"count":1'))).toBe(true);
  expect(Math.max(...healthy.map(({ tookMs }) => tookMs))).toBeLessThan(2_500);
  await hostile;
});

it('answers what is waiting when it is closed', async () => {
  const own = createQueryPool();
  const jobs = Array.from({ length: 5 }, () => own.run({ json: wide, queries: [explosive] }));
  await own.close();
  for (const answers of await Promise.all(jobs)) {
    expect(answers).toEqual([{ problem: expect.any(String) }]);
  }
  expect(await own.run({ json: '1', queries: [path('$')] })).toEqual([
    { problem: expect.stringContaining('closed') },
  ]);
});
