/**
 * Counts the requests that a page sends while checks run. A page sends none if nothing changes, and few while its tab
 * is not used.
 *
 * Covers:
 * - dashboard/shared/data/routine
 */
import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import type { ListedCheck } from '../../../src/dashboard/shared/data/api-types';
import {
  ALL_CHECKS,
  type CheckChange,
  readChange,
} from '../../../src/dashboard/shared/data/live-change';
import {
  createLiveUpdates,
  UNRESOLVED_INCIDENTS,
} from '../../../src/dashboard/shared/data/live-updates';
import { exampleCheck } from '../support/example-check';

const MINUTE_MS = 60_000;
const SINCE = '2026-03-01T11:59:00.000Z';
const NAMES = Array.from({ length: 40 }, (_, index) => `check ${index}`);
/** Paths of the data that the page shows in addition to its rows. */
const SHOWN = [UNRESOLVED_INCIDENTS, '/v1/overview', '/v1/monitors/mon_check 0/results?limit=50'];

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse(SINCE) + MINUTE_MS });
  environmentManager.setIsServer(() => false);
});
afterEach(() => {
  jest.useRealTimers();
  environmentManager.setIsServer(() => true);
});

interface PageOptions {
  readonly isInUse?: boolean;
  readonly isHidden?: boolean;
  /** More data that the page shows, by path. */
  readonly shown?: Readonly<Record<string, object>>;
}

/** Opens a page with 40 rows, and records all its requests. */
async function openPage({ isInUse = false, isHidden = false, shown = {} }: PageOptions = {}) {
  const asked: string[] = [];
  const rows = NAMES.map((name) => exampleCheck(name, { healthSince: SINCE }));
  const client = new QueryClient();
  const show = (path: string) =>
    new QueryObserver(client, {
      queryKey: [path],
      staleTime: 10_000,
      queryFn: () => {
        asked.push(path);
        return path === ALL_CHECKS ? rows : (shown[path] ?? {});
      },
    }).subscribe(() => undefined);
  const ends = [ALL_CHECKS, ...SHOWN, ...Object.keys(shown)].map(show);
  await jest.advanceTimersByTimeAsync(0);
  asked.length = 0;
  const updates = createLiveUpdates({
    client,
    activity: { isInUse: () => isInUse, isHidden: () => isHidden },
    readRows: (_client, paths) =>
      void asked.push(...paths.filter((path) => path.includes('?ids='))),
  });
  return {
    asked,
    updates,
    row: (name: string) =>
      client
        .getQueryData<readonly ListedCheck[]>([ALL_CHECKS])
        ?.find(({ id }) => id === `mon_${name}`),
    isOld: (path: string) => client.getQueryState([path])?.isInvalidated,
    close() {
      updates.stop();
      for (const end of ends) end();
      client.clear();
    },
  };
}

function checked(name: string, changes: Partial<CheckChange> = {}): CheckChange {
  return {
    kind: 'monitor',
    id: `mon_${name}`,
    healthSince: SINCE,
    inMaintenance: false,
    lastCheckedAt: new Date().toISOString(),
    nextCheckAt: new Date(Date.now() + 30_000).toISOString(),
    lastResponseTimeMs: 120,
    ...changes,
  };
}

test('an idle tab with forty checks sends at most two requests a minute', async () => {
  const page = await openPage();
  for (let second = 0; second < 600; second += 1) {
    const name = NAMES[second % 30] ?? '';
    for (const each of second % 30 < 10 ? [name, NAMES[30 + (second % 30)] ?? ''] : [name])
      page.updates.take(checked(each));
    await jest.advanceTimersByTimeAsync(1_000);
  }
  expect(page.asked.filter((path) => path === ALL_CHECKS)).toHaveLength(5);
  expect(page.asked.length).toBeLessThanOrEqual(20);
  page.updates.take(checked('check 7', { lastResponseTimeMs: 77 }));
  expect(page.row('check 7')).toMatchObject({
    lastResponseTimeMs: 77,
    lastCheckedAt: new Date().toISOString(),
  });
  page.close();
});

test('if the health of one check changes, the dashboard reloads only data of that check', async () => {
  const page = await openPage();
  page.updates.take(checked('check 3', { healthSince: new Date().toISOString() }));
  await jest.advanceTimersByTimeAsync(2_000);
  expect(page.asked).toEqual(['/v1/checks?ids=mon_check 3', '/v1/overview']);
  page.close();
});

test.each([
  ['maintenance', { inMaintenance: true }],
  ['a check without a row', { id: 'mon_other' }],
])('an event about %s reloads the overview', async (_name, changes) => {
  const page = await openPage();
  page.updates.take(checked('check 3', changes));
  await jest.advanceTimersByTimeAsync(2_000);
  expect(page.asked).toContain('/v1/overview');
  page.asked.length = 0;
  page.close();
});

test('the page of a check follows each result in an active tab, without requests for rows', async () => {
  const page = await openPage({ isInUse: true });
  for (const name of NAMES) page.updates.take(checked(name));
  await jest.advanceTimersByTimeAsync(2_000);
  expect(page.asked).toEqual(['/v1/monitors/mon_check 0/results?limit=50']);
  page.close();
});

test('a hidden tab reloads only open incidents, and reloads all stale data once the tab is visible', async () => {
  const page = await openPage({ isHidden: true });
  page.updates.take(checked('check 3', { healthSince: new Date().toISOString() }));
  page.updates.take({ kind: 'incident', id: 'inc_1' });
  await jest.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(page.asked).toEqual([UNRESOLVED_INCIDENTS]);
  expect([ALL_CHECKS, '/v1/overview'].map((path) => page.isOld(path))).toEqual([true, true]);
  page.close();
});

test('the page of a heartbeat reloads at most three times a minute', async () => {
  const path = '/v1/monitors/mon_check 5';
  const page = await openPage({ shown: { [path]: { type: 'heartbeat', healthSince: SINCE } } });
  for (let second = 0; second < 60; second += 5) {
    page.updates.take(checked('check 5'));
    await jest.advanceTimersByTimeAsync(5_000);
  }
  expect(page.asked.filter((asked) => asked === path)).toHaveLength(3);
  page.close();
});

test('the page of a check in an idle tab reloads at most every two minutes', async () => {
  const path = '/v1/monitors/mon_check 5';
  const page = await openPage({ shown: { [path]: { type: 'http', healthSince: SINCE } } });
  for (let second = 0; second < 600; second += 30) {
    page.updates.take(checked('check 5'));
    await jest.advanceTimersByTimeAsync(30_000);
  }
  expect(page.asked.filter((asked) => asked === path)).toHaveLength(5);
  page.close();
});

test('lists of posts and an open post reload when someone writes a post', async () => {
  const list = '/v1/status-page-posts?pageId=stp_1';
  const open = '/v1/status-page-posts/pst_1';
  const page = await openPage({ shown: { [list]: {}, [open]: {} } });
  const told = readChange(JSON.stringify({ kind: 'post', id: 'pst_1', pageId: 'stp_1' }));
  if (told === null) throw new Error('the dashboard does not know changes of posts');
  page.updates.take(told);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(page.asked).toEqual([list, open]);
  page.close();
});
