/**
 * Filters of the lists of monitors and scenarios, on the real application and database.
 *
 * Covers:
 * - services/lists/cursor
 * - services/resources/list-resources
 * - services/resources/pause
 */
import type { Health } from '../../../src/contracts/records';
import { monitorRecord } from '../../models/example-records';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

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
])('%s selects exactly what it says, newest first', async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

it('shows nothing of another account', async () => {
  const other = await service.newAccount();
  for (const query of ['health=up', 'q=shop', 'group=shop', 'tag=gold', 'state=active'])
    expect(await names(query, other.key)).toEqual([]);
});

it('counts a pause that is over by itself as active', async () => {
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

it('pages through a filtered list without a gap or a double', async () => {
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

it('refuses a cursor of other filters', async () => {
  const { body } = await as().get('/v1/monitors?limit=1&q=shop');
  for (const filters of ['', '&q=cart', '&q=shop&state=active', '&tag=shop']) {
    const answer = await as().get(`/v1/monitors?limit=1&cursor=${body.nextCursor}${filters}`);
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_cursor' });
  }
});

it('refuses filters that it does not know, and values out of bounds', async () => {
  const bad = ['health=fine', 'state=', 'q=', 'group=', 'group=/', `q=${'x'.repeat(101)}`];
  for (const query of [...bad, 'q=a&q=b', 'q[$regex]=a', 'q=a%00b', 'owner=x', 'tag=']) {
    const answer = await as().get(`/v1/monitors?${query}`);
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_query' });
  }
});

it('filters scenarios in the same way, and keeps both kinds apart', async () => {
  const body = { name: 'Buy', steps: [{ name: 'a', url: target.url }], group: 'shop' };
  await as().post('/v1/scenarios').send(body);
  for (const query of ['group=shop', 'q=buy', 'q=shop.example', 'health=pending', 'state=active']) {
    const { body: list } = await as().get(`/v1/scenarios?${query}`);
    expect(list.data.map(({ name }: { name: string }) => name)).toEqual(['Buy']);
  }
  expect((await as().get('/v1/scenarios?health=up')).body.data).toEqual([]);
  expect(await names('health=pending')).toEqual([ODD_NAME, 'Odd']);
});
