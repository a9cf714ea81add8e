/**
 * Tests the filters of the lists of monitors and scenarios, on the real application and database. With random fleets,
 * pauses, windows and filters, the filter by displayed status is compared with a plain filter over all items.
 *
 * Covers:
 * - services/lists/cursor
 * - services/resources/list-resources
 * - services/resources/pause
 */
import fc from 'fast-check';
import request from 'supertest';
import type { Health } from '../../../src/contracts/records';
import { monitorRecord, scenarioRecord } from '../../models/example-records';
import { propertyOptions } from '../../support/property-runs';
import { accountOfSuite, agentOf, suiteService, type TestAccount } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
const as = agentOf(service, account);

beforeAll(async () => {
  await createFleet();
});

async function create(body: object): Promise<string> {
  const answer = await as().post('/v1/monitors').send(body);
  expect(answer.body).toMatchObject({ id: expect.any(String) });
  service.clock.nowMs += 1;
  return answer.body.id;
}

async function settle(monitorId: string, health: Health): Promise<void> {
  const slotMs = service.clock.nowMs;
  await service.recorder.recordMonitorCheck(
    monitorRecord({ accountId: account.id, monitorId, health, slotMs }),
  );
}

const target = { url: 'https://Shop.example.com/private/needle' };

async function createFleet(): Promise<void> {
  const cart = await create({ ...target, name: 'Cart', group: 'shop', tags: ['gold', 'eu'] });
  const pay = await create({ ...target, name: 'Pay', group: 'shop/eu', tags: ['gold'] });
  await create({ ...target, name: 'Odd', group: 'shop-old', regions: ['us-east'] });
  await create({
    url: 'https://10.example.net/',
    name: '100% (.*) \u00c9t\u00e9',
    key: 'summer-1',
  });
  const rest = await create({ ...target, name: 'Rest', enabled: false });
  await settle(cart, 'up');
  await settle(pay, 'down');
  await settle(rest, 'up');
}

async function names(query: string, key = account.key): Promise<readonly string[]> {
  const answer = await as(key).get(`/v1/monitors?${query}`);
  expect(answer.body).toMatchObject({ nextCursor: null });
  return answer.body.data.map(({ name }: { name: string }) => name);
}

const ODD_NAME = '100% (.*) \u00c9t\u00e9';

it.each([
  ['', ['Rest', ODD_NAME, 'Odd', 'Pay', 'Cart']],
  ['health=up', ['Rest', 'Cart']],
  ['health=down', ['Pay']],
  ['health=pending', [ODD_NAME, 'Odd']],
  ['health=degraded', []],
  ['state=paused', ['Rest']],
  ['state=active', [ODD_NAME, 'Odd', 'Pay', 'Cart']],
  ['state=deleting', []],
  ['group=shop', ['Pay', 'Cart']],
  ['group=shop/', ['Pay', 'Cart']],
  ['group=shop/eu', ['Pay']],
  ['group=example.com', ['Rest']],
  ['group=sho', []],
  ['tag=gold', ['Pay', 'Cart']],
  ['tag=eu', ['Cart']],
  ['tag=Gold', []],
  ['region=us-east', ['Rest', ODD_NAME, 'Odd', 'Pay', 'Cart']],
  ['region=eu-west', ['Rest', ODD_NAME, 'Pay', 'Cart']],
  ['q=CART', ['Cart']],
  ['q=shop.EXAMPLE', ['Rest', 'Odd', 'Pay', 'Cart']],
  ['q=SUMMER', [ODD_NAME]],
  ['q=%C3%A9t%C3%89', [ODD_NAME]],
  ['q=(.*)', [ODD_NAME]],
  ['q=.*', [ODD_NAME]],
  ['q=needle', []],
  ['q=%5B', []],
  ['health=up&state=active', ['Cart']],
  ['health=up&q=rest&group=example.com', ['Rest']],
  ['tag=gold&group=shop&region=eu-west&q=pay&health=down&state=active', ['Pay']],
])('the filter %s selects exactly the matching monitors, newest first', async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

it('filters of a list never show anything of another account', async () => {
  const other = await service.newAccount();
  for (const query of ['health=up', 'q=shop', 'group=shop', 'tag=gold', 'state=active'])
    expect(await names(query, other.key)).toEqual([]);
});

it('the filter by state counts a pause that has ended as active', async () => {
  const other = await service.newAccount();
  const made = await as(other.key)
    .post('/v1/monitors')
    .send({ ...target, name: 'Nap' });
  const until = new Date(service.clock.nowMs + 60_000).toISOString();
  await as(other.key).post(`/v1/monitors/${made.body.id}/pause`).send({ until });
  expect(await names('state=paused', other.key)).toEqual(['Nap']);
  service.clock.nowMs += 60_000;
  expect(await names('state=paused', other.key)).toEqual([]);
  expect(await names('state=active', other.key)).toEqual(['Nap']);
});

it('a filtered list is paged without gaps or duplicates', async () => {
  for (const filter of ['health=up', 'region=us-east', 'q=shop']) {
    const whole = await names(filter);
    const seen: string[] = [];
    let next = `/v1/monitors?limit=1&${filter}`;
    while (next !== '') {
      const answer = await as().get(next);
      seen.push(...answer.body.data.map(({ name }: { name: string }) => name));
      next = /<(.*)>/.exec(answer.headers['link'] ?? '')?.[1] ?? '';
    }
    expect(seen).toEqual(whole);
  }
});

it('a cursor of a list is refused if the filters have changed', async () => {
  const { body } = await as().get('/v1/monitors?limit=1&q=shop');
  for (const filters of ['', '&q=cart', '&q=shop&state=active', '&tag=shop']) {
    const answer = await as().get(`/v1/monitors?limit=1&cursor=${body.nextCursor}${filters}`);
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_cursor' });
  }
});

it('unknown filters and values out of range are refused', async () => {
  const bad = ['health=fine', 'state=', 'q=', 'group=', 'group=/', `q=${'x'.repeat(101)}`];
  for (const query of [...bad, 'q=a&q=b', 'q[$regex]=a', 'q=a%00b', 'owner=x', 'tag=']) {
    const answer = await as().get(`/v1/monitors?${query}`);
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_query' });
  }
});

it('the same filters apply to scenarios, and no list mixes scenarios and monitors', async () => {
  const body = { name: 'Buy', steps: [{ name: 'a', url: target.url }], group: 'shop' };
  await as().post('/v1/scenarios').send(body);
  for (const query of ['group=shop', 'q=buy', 'q=shop.example', 'health=pending', 'state=active']) {
    const { body: list } = await as().get(`/v1/scenarios?${query}`);
    expect(list.data.map(({ name }: { name: string }) => name)).toEqual(['Buy']);
  }
  expect((await as().get('/v1/scenarios?health=up')).body.data).toEqual([]);
  expect(await names('health=pending')).toEqual([ODD_NAME, 'Odd']);
});

describe('the status filter', () => {
  const STATUSES = ['up', 'degraded', 'down', 'maintenance', 'paused', 'pending', 'unknown'];
  const GROUPS = ['shop', 'shop/eu', 'shop-old'];
  const TAGS = ['gold', 'eu', 'slow'];
  const FLEET = 20;
  const MINUTE_MS = 60_000;
  /** Minutes until the lists are read. In the meantime, pauses and windows start and some of them end. */
  const MINUTES_LATER = 15;

  interface Item {
    readonly id: string;
    readonly status: string;
    readonly health: string;
    readonly state: string;
    readonly groupKey: string;
    readonly tags: readonly string[];
  }

  const some = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values));
  const minutes = fc.integer({ min: 1, max: 30 });

  const member = fc.record({
    kind: fc.constantFrom('monitors', 'monitors', 'scenarios'),
    health: some<Health>(['up', 'degraded', 'down', 'unknown']),
    group: some(GROUPS),
    tags: fc.subarray(TAGS),
    pause: fc.option(fc.record({ until: fc.option(minutes) }), { freq: 3 }),
  });

  const window = fc.record({
    startsIn: minutes,
    durationMinutes: minutes,
    mode: fc.constantFrom('mute', 'pause'),
    target: fc.oneof(
      fc.subarray(TAGS, { minLength: 1 }).map((tags) => ({ tags })),
      fc.subarray(GROUPS, { minLength: 1 }).map((groups) => ({ groups })),
      fc.uniqueArray(fc.nat(FLEET - 1), { minLength: 1, maxLength: 9 }).map((of) => ({ of })),
      fc.constant({ all: true }),
    ),
  });

  const query = fc.record({
    kind: fc.constantFrom('monitors', 'scenarios'),
    status: fc.shuffledSubarray(STATUSES, { minLength: 1 }),
    health: some(['up', 'down', 'pending']),
    state: some(['active', 'paused']),
    group: some(['shop', 'shop/eu']),
    tag: some(TAGS),
    limit: fc.integer({ min: 2, max: FLEET }),
  });

  type Member = typeof member extends fc.Arbitrary<infer Value> ? Value : never;
  type Window = typeof window extends fc.Arbitrary<infer Value> ? Value : never;
  type Query = typeof query extends fc.Arbitrary<infer Value> ? Value : never;

  function as({ key }: TestAccount) {
    return request.agent(service.app).set('Authorization', `Bearer ${key}`);
  }

  async function post(account: TestAccount, path: string, body: object): Promise<string> {
    const answer = await as(account).post(`/v1/${path}`).send(body);
    expect(answer.body).toMatchObject({ id: expect.any(String) });
    service.clock.nowMs += 1;
    return answer.body.id;
  }

  function later(inMinutes: number): string {
    return new Date(service.clock.nowMs + inMinutes * MINUTE_MS).toISOString();
  }

  async function create(account: TestAccount, { kind, group, tags, pause, health }: Member) {
    const url = 'https://shop.example.com/';
    const body = kind === 'monitors' ? { url } : { steps: [{ name: 'a', url }] };
    const id = await post(account, kind, { ...body, name: 'One', group, tags });
    const slot = { accountId: account.id, slotMs: service.clock.nowMs };
    if (health !== null && kind === 'monitors')
      await service.recorder.recordMonitorCheck(monitorRecord({ ...slot, monitorId: id, health }));
    if (health !== null && kind === 'scenarios')
      await service.recorder.recordScenarioSlot(
        scenarioRecord({ ...slot, scenarioId: id, health }),
      );
    if (pause !== null) {
      const until = pause.until === null ? {} : { until: later(pause.until) };
      await post(account, `${kind}/${id}/pause`, until);
    }
    return id;
  }

  async function plan(account: TestAccount, window: Window, ids: readonly string[]) {
    const { startsIn, target, ...rest } = window;
    const chosen = 'of' in target ? { ids: target.of.map((index) => ids[index]) } : target;
    const body = { ...rest, name: 'Move', startsAt: later(startsIn), timeZone: 'UTC' };
    await post(account, 'maintenance-windows', { ...body, target: chosen });
  }

  /** Returns all items of a list, page by page, starting at the path. */
  async function walk(account: TestAccount, path: string): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let next = path; next !== ''; ) {
      const answer = await as(account).get(next);
      expect(answer.status).toBe(200);
      items.push(...answer.body.data);
      next = /<(.*)>/.exec(answer.headers['link'] ?? '')?.[1] ?? '';
    }
    return items;
  }

  function selects(item: Item, { status, health, state, group, tag }: Query): boolean {
    const { groupKey } = item;
    return (
      status.includes(item.status) &&
      (health === null || item.health === health) &&
      (state === null || item.state === state) &&
      (group === null || groupKey === group || groupKey.startsWith(`${group}/`)) &&
      (tag === null || item.tags.includes(tag))
    );
  }

  function pathOf({ kind, status, limit, ...filters }: Query): string {
    const given = Object.entries(filters).filter(([, value]) => value !== null);
    const parts = [['status', status.join(',')], ['limit', limit], ...given];
    return `/v1/${kind}?${parts.map(([name, value]) => `${name}=${value}`).join('&')}`;
  }

  type Counts = Readonly<Record<string, number>>;

  function countsOf(items: readonly Item[]): Counts {
    const countOf = (status: string) => items.filter((item) => item.status === status).length;
    return Object.fromEntries(STATUSES.map((status) => [status, countOf(status)]));
  }

  function countsIn(overview: Record<'monitors' | 'scenarios', { readonly byStatus: Counts }>) {
    return [overview.monitors.byStatus, overview.scenarios.byStatus];
  }

  const fleets = fc.record({
    members: fc.array(member, { minLength: FLEET, maxLength: FLEET }),
    windows: fc.array(window, { maxLength: 3 }),
    queries: fc.array(query, { minLength: 20, maxLength: 20 }),
  });

  it('the status filter lists and counts exactly the items with one of the statuses', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, async ({ members, windows, queries }) => {
        const account = await service.newAccount();
        const ids: string[] = [];
        for (const one of members) ids.push(await create(account, one));
        for (const one of windows) await plan(account, one, ids);
        service.clock.nowMs += MINUTES_LATER * MINUTE_MS;
        const all = {
          monitors: await walk(account, '/v1/monitors?limit=500'),
          scenarios: await walk(account, '/v1/scenarios?limit=500'),
        };
        const overview = await as(account).get('/v1/overview');
        expect(countsIn(overview.body)).toEqual([countsOf(all.monitors), countsOf(all.scenarios)]);
        for (const one of queries) {
          const expected = all[one.kind].filter((item) => selects(item, one));
          expect(await walk(account, pathOf(one))).toEqual(expected);
        }
      }),
      { ...propertyOptions(1), endOnFailure: true },
    );
  });

  it('the status filter covers every status that an item can have', async () => {
    const account = await service.newAccount();
    const base: Member = { kind: 'monitors', health: null, group: null, tags: [], pause: null };
    const idOf = new Map([
      ['pending', await create(account, base)],
      ['paused', await create(account, { ...base, health: 'down', pause: { until: null } })],
      ['maintenance', await create(account, { ...base, health: 'up', tags: ['slow'] })],
    ]);
    for (const health of ['up', 'degraded', 'down', 'unknown'] as const)
      idOf.set(health, await create(account, { ...base, health }));
    const target = { tags: ['slow'] };
    await plan(account, { startsIn: 1, durationMinutes: 30, mode: 'mute', target }, []);
    service.clock.nowMs += MINUTES_LATER * MINUTE_MS;
    for (const status of STATUSES) {
      const found = await walk(account, `/v1/monitors?status=${status}`);
      expect(found.map(({ id }) => id)).toEqual([idOf.get(status)]);
    }
  });

  it('the status filter accepts statuses in any order, and refuses the cursor of other statuses', async () => {
    const account = await service.newAccount();
    for (const name of ['One', 'Two', 'Three'])
      await post(account, 'monitors', { name, url: 'https://shop.example.com/' });
    const list = (search: string) => as(account).get(`/v1/monitors?limit=1&${search}`);
    const { body } = await list('status=up,pending');
    const next = await list(`status=pending,up,up&cursor=${body.nextCursor}`);
    expect(next.body.data).toMatchObject([{ name: 'Two' }]);
    const other = await list(`status=pending&cursor=${body.nextCursor}`);
    expect(other.body).toMatchObject({ status: 400, code: 'invalid_cursor' });
  });

  it('the status filter refuses an unknown status', async () => {
    const account = await service.newAccount();
    for (const text of ['', 'fine', 'up,', ',up', 'up,,down', 'up down', 'UP', 'active'])
      for (const kind of ['monitors', 'scenarios']) {
        const answer = await as(account).get(`/v1/${kind}?status=${encodeURIComponent(text)}`);
        expect(answer.body).toMatchObject({ status: 400, code: 'invalid_query' });
      }
  });

  it('the status filter selects by status for bulk actions too', async () => {
    const account = await service.newAccount();
    const body = { url: 'https://shop.example.com/' };
    const paused = await post(account, 'monitors', { ...body, name: 'Rest', enabled: false });
    await post(account, 'monitors', { ...body, name: 'Work' });
    const answer = await as(account)
      .post('/v1/monitors/bulk')
      .send({ action: 'tag', add: ['asleep'], filter: { status: 'paused,down' } });
    expect(answer.body).toMatchObject({ succeeded: 1, data: [{ id: paused, ok: true }] });
  });
});
