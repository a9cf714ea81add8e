/**
 * Tests the rows of the table of checks: filters, order, sections and pages. Also tests the messages of bulk actions.
 */
import { bulkSentence, expectBulk, undoBulk } from '../../../src/dashboard/features/checks/bulk';
import { reasonText, tlsDays } from '../../../src/dashboard/features/checks/row-text';
import {
  type FiguresById,
  filterChecks,
  groupChecks,
  nextSort,
  readOrder,
  sortByName,
  sortChecks,
  takePage,
  turnPage,
} from '../../../src/dashboard/features/checks/rows';
import { pauseBody } from '../../../src/dashboard/shared/actions/pause-body';
import type { ListedCheck, Status } from '../../../src/dashboard/shared/data/api-types';
import { exampleCheck } from '../support/example-check';

const namesOf = (checks: readonly ListedCheck[]) => checks.map(({ name }) => name);
const NOW_MS = Date.parse('2026-03-01T12:00:00Z');

describe('the filters of the table', () => {
  const checks = [
    exampleCheck('Shop', { url: 'https://shop.example.com/cart', groupKey: 'shop/eu' }),
    exampleCheck('Api', { tags: ['x'], key: 'the-key', status: 'down', regions: ['us-east'] }),
    exampleCheck('Job', { url: '', regions: [] }),
    exampleCheck('Chat', { url: 'wss://chat.example.com', regions: [] }),
    exampleCheck('Mail', { url: 'tcp://mail.example.com:25', regions: [] }),
    exampleCheck('Journey', { type: 'scenario', regions: [] }),
  ];

  test.each([
    [{ q: 'SHOP.example' }, ['Shop']],
    [{ q: 'cart' }, []],
    [{ q: 'the-k' }, ['Api']],
    [{ group: 'shop' }, ['Shop']],
    [{ group: 'sho' }, []],
    [{ tag: 'x' }, ['Api']],
    [{ region: 'eu-west' }, ['Shop']],
    [{ status: 'down,degraded' }, ['Api']],
    [{ status: 'down,nosuch' }, ['Api']],
    [{ status: 'all' }, ['Shop', 'Api', 'Job', 'Chat', 'Mail', 'Journey']],
    [{ type: 'all' }, ['Shop', 'Api', 'Job', 'Chat', 'Mail', 'Journey']],
    [{ type: 'http' }, ['Shop', 'Api']],
    [{ type: 'heartbeat' }, ['Job']],
    [{ type: 'websocket' }, ['Chat']],
    [{ type: 'tcp' }, ['Mail']],
    [{ type: 'scenario' }, ['Journey']],
    [{}, ['Shop', 'Api', 'Job', 'Chat', 'Mail', 'Journey']],
  ])('the filter %j leaves exactly %j', (search, names) => {
    expect(namesOf(filterChecks(checks, search))).toEqual(names);
  });
});

describe('the order of the table', () => {
  const checks = [
    exampleCheck('Page 10'),
    exampleCheck('Page 9'),
    exampleCheck('Slow', { status: 'degraded' }),
    exampleCheck('Broken', { status: 'down' }),
  ];
  const figures: FiguresById = new Map(
    [
      ['Page 9', 10],
      ['Slow', 900],
    ].map(([name, p95Ms]) => [
      `mon_${name}`,
      { uptime: { '24h': null, '7d': null, '30d': null }, p95Ms: Number(p95Ms), hourlyP95Ms: [] },
    ]),
  );
  const sorted = (sort?: string) =>
    namesOf(sortChecks(sortByName(checks), readOrder(sort), figures));

  it('the order of the table puts the worst status first, then sorts names with numbers in order', () => {
    expect(sorted()).toEqual(['Broken', 'Slow', 'Page 9', 'Page 10']);
    expect(sorted('-name')).toEqual(['Slow', 'Page 10', 'Page 9', 'Broken']);
  });

  it('the order of the table puts checks without a value last in both directions', () => {
    expect(sorted('p95')).toEqual(['Page 9', 'Slow', 'Broken', 'Page 10']);
    expect(sorted('-p95')).toEqual(['Slow', 'Page 9', 'Broken', 'Page 10']);
  });

  it('the order of the table reverses at the second click on a column and resets at the third', () => {
    expect(nextSort(undefined, 'p95')).toBe('p95');
    expect(nextSort('p95', 'p95')).toBe('-p95');
    expect(nextSort('-p95', 'p95')).toBeUndefined();
    expect(nextSort('-p95', 'name')).toBe('name');
  });
});

describe('sections of the table', () => {
  const checks = [
    exampleCheck('a', { groupKey: 'shop', tags: ['web', 'eu'] }),
    exampleCheck('b', { groupKey: 'api', status: 'down' }),
    exampleCheck('c', { groupKey: 'shop' }),
  ];
  const sections = (by: 'group' | 'tag' | 'status' | 'none') =>
    groupChecks(checks, by, readOrder('name')).map(({ name, checks: members }) => [
      name,
      ...namesOf(members),
    ]);

  it('the table has sections by group, tag or status, or no sections', () => {
    expect(sections('group')).toEqual([
      ['api', 'b'],
      ['shop', 'a', 'c'],
    ]);
    expect(sections('tag')).toEqual([
      ['eu', 'a'],
      ['web', 'a'],
      ['No tag', 'b', 'c'],
    ]);
    expect(sections('status')).toEqual([
      ['Down', 'b'],
      ['Up', 'a', 'c'],
    ]);
    expect(sections('none')).toEqual([['', 'a', 'b', 'c']]);
  });

  it('the table splits its sections into pages, and a page number that is too high shows the last page', () => {
    const order = readOrder('name');
    const whole = groupChecks(checks, 'group', order);
    const first = takePage(whole, { page: 1, size: 2, order });
    expect(first.shown.map(({ checks: members }) => namesOf(members))).toEqual([['b'], ['a']]);
    const last = takePage(whole, { page: 9, size: 2, order });
    expect(last).toMatchObject({ page: 2, pages: 2 });
    expect(last.shown.map(({ checks: members }) => namesOf(members))).toEqual([['c']]);
  });

  it('the next and the previous page are relative to the page that is shown', () => {
    expect(turnPage(undefined, { by: 1, pages: 3 })).toBe('2');
    expect(turnPage('2', { by: 1, pages: 3 })).toBe('3');
    expect(turnPage('9', { by: -1, pages: 3 })).toBe('2');
    expect(turnPage('3', { by: 1, pages: 3 })).toBe('3');
    expect(turnPage('2', { by: -1, pages: 3 })).toBeUndefined();
    expect(turnPage('x', { by: -1, pages: 3 })).toBeUndefined();
  });
});

describe('the default view, worst first', () => {
  const order = readOrder(undefined);
  const checksOf = (groupKey: string, statuses: readonly Status[]) =>
    statuses.map((status, index) => exampleCheck(`${groupKey} ${index}`, { groupKey, status }));
  const green = (count: number) => Array.from({ length: count }, () => 'up' as const);
  const view = (checks: readonly ListedCheck[], page: number, size = 50) => {
    const sorted = sortChecks(sortByName(checks), order, undefined);
    return takePage(groupChecks(sorted, 'group', order), { page, size, order });
  };

  it('the default view starts with the group that has the worst check', () => {
    const checks = [
      ...checksOf('api', ['up']),
      ...checksOf('mail', ['degraded', 'up']),
      ...checksOf('shop', ['up', 'down']),
    ];
    const { shown } = view(checks, 1);
    expect(shown.map(({ name }) => name)).toEqual(['shop', 'mail', 'api']);
    const tagged = [exampleCheck('a', { tags: ['x'] }), exampleCheck('b', { status: 'down' })];
    const tags = groupChecks(tagged, 'tag', order).map(({ name }) => name);
    expect(tags).toEqual(['No tag', 'x']);
  });

  it('the default view shows all failing checks on the first page', () => {
    const checks = [
      ...checksOf('api', ['down', ...green(30)]),
      ...checksOf('mail', ['down', ...green(30)]),
      ...checksOf('shop', ['down', 'degraded', ...green(30)]),
    ];
    const pages = [1, 2].map((page) => view(checks, page));
    const failing = pages.map(({ shown }) =>
      shown.flatMap(({ checks: rows }) => rows).filter(({ status }) => status !== 'up'),
    );
    expect(failing.map(namesOf)).toEqual([['api 0', 'mail 0', 'shop 0', 'shop 1'], []]);
    expect(pages[0]?.shown.map(({ name }) => name)).toEqual(['api', 'mail', 'shop']);
    const rows = pages.flatMap(({ shown }) => shown.flatMap((section) => namesOf(section.checks)));
    expect(rows.toSorted()).toEqual(namesOf(checks).toSorted());
  });

  it('the first pages of the table show checks that are down, followed by degraded checks', () => {
    const checks = [
      ...checksOf('api', ['degraded', 'down', 'up']),
      ...checksOf('shop', ['down', 'up']),
    ];
    const rowsOf = (page: number) => view(checks, page, 2).shown.flatMap((one) => one.checks);
    expect([1, 2, 3].map((page) => namesOf(rowsOf(page)))).toEqual([
      ['api 1', 'shop 0'],
      ['api 0', 'api 2'],
      ['shop 1'],
    ]);
  });

  it('in an order other than the default, failing checks are not moved to the first page', () => {
    const byName = readOrder('name');
    const checks = [...checksOf('api', ['up', 'up']), ...checksOf('shop', ['down'])];
    const sections = groupChecks(checks, 'group', byName);
    const { shown } = takePage(sections, { page: 1, size: 2, order: byName });
    expect(shown.map(({ name }) => name)).toEqual(['api']);
  });
});

describe('the texts of a row', () => {
  const healthSince = new Date(NOW_MS - 12.5 * 60_000).toISOString();

  it('a row says why and for how long its check has been down or degraded, and says nothing if the check is up', () => {
    const failure = {
      code: 'timeout',
      message: 'Timed out after 3 s',
      since: healthSince,
      acknowledgedAt: null,
      acknowledgedBy: null,
    };
    const down = exampleCheck('a', { status: 'down', healthSince, failure });
    expect(reasonText(down, NOW_MS)).toBe('Down for 12 min: Timed out after 3 s');
    const degraded = exampleCheck('a', {
      status: 'degraded',
      healthSince,
      lastResponseTimeMs: 1_240.4,
      degradedAboveMs: 1_200,
    });
    expect(reasonText(degraded, NOW_MS)).toBe(
      'Degraded for 12 min: Response took 1,241 ms (limit 1,200 ms).',
    );
    expect(reasonText(exampleCheck('a'), NOW_MS)).toBeNull();
  });

  test.each([
    [3.5, { text: '3 d', tone: 'urgent' }],
    [20, { text: '20 d', tone: 'soon' }],
    [90, { text: '90 d', tone: 'well' }],
    [-1, { text: 'expired', tone: 'urgent' }],
  ])(
    'a row says for how many days the certificate of its check is still valid: %d days',
    (days, expected) => {
      const tlsExpiresAt = new Date(NOW_MS + days * 86_400_000).toISOString();
      expect(tlsDays(exampleCheck('a', { tlsExpiresAt }), NOW_MS)).toEqual(expected);
    },
  );
});

describe('the outcome of a bulk action', () => {
  it('the outcome of a bulk action says how many checks were changed', () => {
    const outcome = { succeeded: 2, failed: 0, data: [] };
    expect(bulkSentence(outcome, 'paused')).toBe('2 checks paused.');
  });

  it('the outcome of a bulk action says why some checks were not changed', () => {
    const outcome = {
      succeeded: 1,
      failed: 1,
      data: [
        { id: 'a', ok: true },
        { id: 'b', ok: false, code: 'not_found', detail: 'There is no such monitor.' },
      ],
    };
    expect(bulkSentence(outcome, 'deleted')).toBe(
      '1 check deleted. 1 failed: There is no such monitor.',
    );
  });

  afterEach(() => jest.useRealTimers());

  it('the outcome of a bulk action says until when checks are paused', () => {
    jest.useFakeTimers({ now: NOW_MS });
    expect(pauseBody(30)).toEqual({ until: '2026-03-01T12:30:00.000Z' });
    expect(pauseBody(null)).toEqual({});
  });
});

describe('undoing a bulk action', () => {
  const until = '2026-03-01T13:00:00.000Z';
  const active = exampleCheck('a', { id: 'mon_a', status: 'down' });
  const paused = exampleCheck('b', { id: 'mon_b', state: 'paused', status: 'paused' });
  const ending = { ...paused, id: 'mon_c', pausedUntil: until, pauseReason: 'release' };
  const ids = ['mon_a', 'mon_b', 'mon_c'];
  const done = { data: ids.map((id) => ({ id, ok: true })) };

  it('undoing a bulk pause resumes only the checks that the bulk pause has paused', () => {
    const pause = { action: 'pause', ids } as const;
    expect(undoBulk(pause, [active, paused], done)).toEqual({ action: 'resume', ids: ['mon_a'] });
    expect(undoBulk(pause, [active], { data: [{ id: 'mon_a', ok: false }] })).toBeNull();
    expect(undoBulk(pause, [paused], done)).toBeNull();
  });

  it('undoing a bulk pause is not offered if the bulk pause has overwritten the end of another pause', () => {
    const pause = { action: 'pause', ids, until } as const;
    expect(undoBulk(pause, [active, ending], done)).toBeNull();
    expect(undoBulk(pause, [active], done)).toEqual({ action: 'resume', ids: ['mon_a'] });
  });

  it('undoing a bulk resume restores the pauses if all had the same end and reason', () => {
    const resume = { action: 'resume', ids } as const;
    expect(undoBulk(resume, [active, ending], done)).toEqual({
      action: 'pause',
      ids: ['mon_c'],
      until,
      reason: 'release',
    });
    expect(undoBulk(resume, [paused, ending], done)).toBeNull();
    expect(undoBulk(resume, [active], done)).toBeNull();
  });

  it('undoing a bulk action is not offered for actions that cannot be undone', () => {
    expect(undoBulk({ action: 'delete', ids }, [active], done)).toBeNull();
    expect(expectBulk({ action: 'delete', ids }, [active])).toBeUndefined();
  });

  it('resuming checks together shows each with its earlier status until the service responds, and changes no other check', () => {
    const shown = expectBulk({ action: 'resume', ids: ['mon_a'] }, [active, ending]);
    expect(shown?.({ id: 'mon_a' })).toMatchObject({ state: 'active', status: 'down' });
    expect(shown?.({ id: 'mon_c' })).toBeNull();
  });
});
