/**
 * Tests optimistic updates. They are shown before the service has responded, in every cached copy, and reverted field
 * by field.
 */
import { QueryClient } from '@tanstack/react-query';
import {
  buildRestoredPause,
  expectActive,
  expectPaused,
} from '../../../src/dashboard/shared/actions/pause-body';
import { showExpected } from '../../../src/dashboard/shared/data/expected';
import { exampleCheck } from '../support/example-check';

const UNTIL = '2026-03-01T13:00:00.000Z';
const a = exampleCheck('a', { id: 'mon_a' });
const b = exampleCheck('b', { id: 'mon_b', status: 'down' });
const detail = { ...a, pausedAt: null, health: 'degraded', url: 'http://a.example/' };

let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(['/v1/checks?limit=1000'], [a, b]);
  client.setQueryData(['/v1/monitors?limit=20'], { data: [a, b], nextCursor: null });
  client.setQueryData(['/v1/monitors/mon_a'], detail);
  client.setQueryData(['/v1/regions'], { data: [a], nextCursor: null });
});
afterEach(() => client.clear());

const TOUCHES = ['/v1/monitors', '/v1/checks'];
const rows = () => client.getQueryData<unknown>(['/v1/checks?limit=1000']);
const pause = () => showExpected(client, TOUCHES, expectPaused(['mon_a'], { until: UNTIL }));

test('the dashboard shows a pause at once in lists and on the page of the check, and changes no other data', async () => {
  await pause();
  const paused = { ...a, state: 'paused', status: 'paused', pausedUntil: UNTIL };
  expect(rows()).toEqual([paused, b]);
  expect(client.getQueryData(['/v1/monitors?limit=20'])).toEqual({
    data: [paused, b],
    nextCursor: null,
  });
  expect(client.getQueryData(['/v1/monitors/mon_a'])).toEqual({
    ...detail,
    ...paused,
    url: detail.url,
    pausedAt: expect.any(String),
  });
  expect(client.getQueryData(['/v1/regions'])).toEqual({ data: [a], nextCursor: null });
});

test('reverting a change that was shown in advance restores the old state, and keeps updates that arrived meanwhile', async () => {
  const { restore } = await pause();
  client.setQueryData(['/v1/monitors?limit=20'], { data: [b, a], nextCursor: 'x' });
  client.setQueryData(['/v1/checks?limit=1000'], (held: readonly object[]) =>
    held.map((row) => ({ ...row, lastResponseTimeMs: 7 })),
  );
  restore();
  expect(rows()).toEqual([a, b].map((row) => ({ ...row, lastResponseTimeMs: 7 })));
  expect(client.getQueryData(['/v1/monitors?limit=20'])).toEqual({
    data: [b, a],
    nextCursor: 'x',
  });
  expect(client.getQueryData(['/v1/monitors/mon_a'])).toEqual(detail);
});

test('data whose request began before a change does not overwrite the change', async () => {
  let respond: (value: unknown) => void = () => undefined;
  const read = client.fetchQuery({
    queryKey: ['/v1/monitors/mon_a'],
    queryFn: () =>
      new Promise((resolve) => {
        respond = resolve;
      }),
  });
  await pause();
  respond(detail);
  await read.catch(() => undefined);
  expect(client.getQueryData(['/v1/monitors/mon_a'])).toMatchObject({ status: 'paused' });
});

test('loaded data overwrites a shown change only after the service has responded to the change', async () => {
  const { end } = await pause();
  client.setQueryData(['/v1/checks?limit=1000'], [{ ...a, lastResponseTimeMs: 7 }, b]);
  expect(rows()).toMatchObject([{ status: 'paused', lastResponseTimeMs: 7 }, { status: 'down' }]);
  end();
  client.setQueryData(['/v1/checks?limit=1000'], [a, b]);
  expect(rows()).toEqual([a, b]);
});

test('the later of two changes is shown, and each change is reverted separately', async () => {
  const first = await pause();
  const second = await showExpected(client, TOUCHES, expectActive([{ id: 'mon_a', status: 'up' }]));
  client.setQueryData(['/v1/checks?limit=1000'], [{ ...a, lastResponseTimeMs: 7 }, b]);
  expect(rows()).toMatchObject([{ status: 'up' }, { status: 'down' }]);
  first.end();
  const other = await showExpected(client, TOUCHES, expectPaused(['mon_b'], {}));
  second.end();
  other.restore();
  expect(rows()).toMatchObject([{ status: 'up' }, { status: 'down' }]);
});

test('a resumed check shows its status from before the pause, or its health if that status is unknown', async () => {
  const resume = (status: 'up' | 'paused') =>
    showExpected(client, TOUCHES, expectActive([{ id: 'mon_a', status }]));
  (await pause()).end();
  (await resume('up')).end();
  expect(rows()).toEqual([a, b]);
  (await pause()).end();
  (await resume('paused')).end();
  expect(rows()).toEqual([{ ...a, status: 'pending' }, b]);
  expect(client.getQueryData(['/v1/monitors/mon_a'])).toMatchObject({
    state: 'active',
    status: 'degraded',
  });
});

test('a pause is restored with the original end and reason', () => {
  const paused = exampleCheck('a', { state: 'paused', status: 'paused' });
  expect(buildRestoredPause(paused)).toEqual({});
  const given = { ...paused, pausedUntil: UNTIL, pauseReason: 'release' };
  expect(buildRestoredPause(given)).toEqual({ until: UNTIL, reason: 'release' });
});
