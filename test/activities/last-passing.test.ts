/**
 * Tests the last passing result in an alert. Only failures of monitors include this result, and reading it never delays
 * the alert.
 */
import { createReadLastPassing, type LastPassingNeeds } from '../../src/activities/last-passing';
import type { AlertMessage } from '../../src/contracts/alerts';
import type { Result } from '../../src/models/results/result';
import { buildAlert } from '../support/alert-message';

const SINCE_MS = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 24 * 3_600_000;
const failure = buildAlert({
  atMs: SINCE_MS + 60_000,
  sinceMs: SINCE_MS,
  regions: ['eu-west', 'us-east'],
});

// A result with only the fields that the code under test reads.
const passing = {
  id: 'res_1',
  slotMs: SINCE_MS - 60_000,
  responseTimeMs: 84,
  outcome: {
    request: { method: 'GET', url: 'https://shop.example.com/' },
    response: { status: 200, bodyPreview: null, truncated: false },
  },
} as unknown as Result;

const EVIDENCE = {
  requestHeaders: [],
  responseHeaders: [],
  bodyPreview: '{\n  "ok": true\n}',
  truncated: false,
};

const readLastPassing = (needs: LastPassingNeeds, alert: AlertMessage) =>
  createReadLastPassing(needs)(alert);

type Query = Parameters<LastPassingNeeds['results']['page']>[1];

function stores(items: readonly Result[], steps: readonly (typeof EVIDENCE)[] | null = [EVIDENCE]) {
  const asked: Query[] = [];
  const warned: string[] = [];
  const needs: LastPassingNeeds = {
    results: {
      page: async (_accountId, query) => {
        asked.push(query);
        return { items, hasMore: false };
      },
    },
    evidence: { find: async (_accountId, { resultId }) => (resultId === 'res_1' ? steps : null) },
    logger: { warn: (_facts: unknown, text?: string) => void warned.push(text ?? '') },
  };
  return { needs, asked, warned };
}

test('the last passing result of a failure is from the first failing region and at most a day old', async () => {
  const { needs, asked } = stores([passing]);
  expect(await readLastPassing(needs, failure)).toEqual({
    atMs: SINCE_MS - 60_000,
    status: 200,
    responseTimeMs: 84,
    body: '{ "ok": true }',
  });
  expect(asked).toEqual([
    expect.objectContaining({
      monitorId: 'mon_1',
      regions: ['eu-west'],
      status: 'up',
      fromMs: SINCE_MS - DAY_MS,
      toMs: SINCE_MS,
      limit: 1,
    }),
  ]);
});

test('a response body that is no longer stored is left out of the last passing result', async () => {
  const { needs } = stores([passing], null);
  expect(await readLastPassing(needs, failure)).toMatchObject({
    status: 200,
    body: null,
  });
});

test.each<[string, AlertMessage]>([
  ['a recovery', { ...failure, kind: 'recovery' }],
  ['a reminder', { ...failure, kind: 'reminder' }],
  ['a failure of a scenario', { ...failure, resourceType: 'scenario' }],
  ['a failure without a region', { ...failure, regions: [] }],
])('the last passing result is not read for %s', async (_name, alert) => {
  const { needs, asked } = stores([passing]);
  expect(await readLastPassing(needs, alert)).toBeNull();
  expect(asked).toEqual([]);
});

test('the last passing result is not shown if no check passed or the database is away', async () => {
  expect(await readLastPassing(stores([]).needs, failure)).toBeNull();
  const { needs, warned } = stores([passing]);
  const results = { page: () => Promise.reject(new Error('away')) };
  expect(await readLastPassing({ ...needs, results }, failure)).toBeNull();
  expect(warned).toEqual(['an alert is sent without the last passing result']);
});

test('concurrent deliveries of an alert share one read of the last passing result', async () => {
  const { needs, asked } = stores([passing]);
  const read = createReadLastPassing(needs);
  const [one, other] = await Promise.all([read(failure), read(failure)]);
  expect(one).toMatchObject({ status: 200 });
  expect(other).toBe(one);
  expect(asked).toHaveLength(1);
  await Promise.all([read(failure), read({ ...failure, id: 'another' })]);
  expect(asked).toHaveLength(3);
});
