/** Tests that the shop of the demo responds as the example scenario and the six monitors expect. */

import { z } from 'zod';
import { SHOP_PASSWORD } from '../../src/demo/account-pages';
import { isBroken, type ShopSite, startShopSite } from '../../src/demo/shop-site';
import { scenarioExample } from '../../src/schemas/scenario-example';

let shop: ShopSite;
let nowMs = 0;
const askedToWaitMs: number[] = [];
const breaks = { firstAfterMs: 10_000, forMs: 30_000, everyMs: 60_000 };

beforeAll(async () => {
  shop = await startShopSite({
    now: () => nowMs,
    sleep: async (ms) => askedToWaitMs.push(ms),
  });
});
afterAll(() => shop.close());

const orderShape = z.object({ id: z.string(), item: z.string(), quantity: z.number() });
const json = { 'content-type': 'application/json' };

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const init = { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) };
  return fetch(`${shop.url}${path}`, init);
}

async function logIn(): Promise<Record<string, string>> {
  const answer = await post('/login', { user: 'demo' });
  const { token } = z.object({ token: z.string() }).parse(await answer.json());
  return { authorization: `Bearer ${token}` };
}

test('a client that is logged in to the demo shop can create and read an order, and delete it once', async () => {
  const headers = await logIn();
  const created = await post('/orders', { item: 'coffee', quantity: 1 }, headers);
  const order = orderShape.parse(await created.json());
  expect([created.status, order.item, order.quantity]).toEqual([201, 'coffee', 1]);
  const url = `${shop.url}/orders/${order.id}`;
  expect(await (await fetch(url, { headers })).json()).toEqual(order);
  expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
  expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(404);
  expect((await fetch(url, { headers })).status).toBe(404);
});

test('a client that sends the login form, its token and its cookie sees the account in the demo shop', async () => {
  const open = await fetch(`${shop.url}/account/login`);
  const [, token = ''] = /name="csrf" value="([^"]+)"/.exec(await open.text()) ?? [];
  const send = (path: string, body: Record<string, string>, cookie: string) => {
    const form = new URLSearchParams(body);
    const init = { method: 'POST', headers: { cookie }, body: form, redirect: 'manual' as const };
    return fetch(`${shop.url}${path}`, init);
  };
  const mine = { csrf: token, user: 'demo', password: SHOP_PASSWORD };
  const wrong = await send('/account/login', { ...mine, csrf: 'made-up' }, 'csrf=made-up');
  expect(wrong.status).toBe(403);
  const signedIn = await send('/account/login', mine, `csrf=${token}`);
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/account']);
  const [session = ''] = (signedIn.headers.getSetCookie()[0] ?? '').split(';');
  const visit = (cookie: string) => fetch(`${shop.url}/account/orders`, { headers: { cookie } });
  expect((await visit(session)).status).toBe(200);
  expect((await visit('session=made-up')).status).toBe(401);
  expect((await send('/account/login', mine, `csrf=${token}`)).status).toBe(403);
  expect((await send('/account/logout', {}, session)).status).toBe(303);
  expect((await visit(session)).status).toBe(401);
});

test('the demo shop refuses orders without a login', async () => {
  expect((await post('/orders', { item: 'tea', quantity: 1 })).status).toBe(401);
  const headers = { authorization: 'Bearer made-up' };
  expect((await fetch(`${shop.url}/orders/order-1`, { headers })).status).toBe(401);
});

test('every step of the example scenario requests a page that the demo shop has', () => {
  const pages = scenarioExample.steps.map((step) => {
    const method = 'method' in step ? step.method : 'GET';
    return `${method} ${step.url.replace('{{baseUrl}}', '').replace('{{orderId}}', '{id}')}`;
  });
  expect(pages).toEqual(['POST /login', 'POST /orders', 'GET /orders/{id}', 'DELETE /orders/{id}']);
});

test('the checkout of the demo shop fails for thirty seconds of each period and works otherwise', async () => {
  expect((await fetch(`${shop.url}/checkout`)).status).toBe(200);
  shop.startBreaking(breaks);
  const statuses: number[] = [];
  for (const atMs of [0, 9_999, 10_000, 39_999, 40_000, 70_000]) {
    nowMs = atMs;
    statuses.push((await fetch(`${shop.url}/checkout`)).status);
  }
  expect(statuses).toEqual([200, 200, 503, 503, 200, 503]);
  expect(isBroken(breaks, 0)).toBe(false);
});

test('a demo shop with configured delays waits before it responds', async () => {
  const waits: number[] = [];
  const slow = await startShopSite({
    sleep: async (ms) => waits.push(ms),
    computeWait: (request) => (request === 'GET /health' ? 30 : 0),
  });
  for (const path of ['/health', '/catalogue']) await (await fetch(`${slow.url}${path}`)).text();
  await slow.close();
  expect(waits).toEqual([30]);
});

test('every third search of the demo shop is slow', async () => {
  for (let index = 0; index < 3; index += 1) await (await fetch(`${shop.url}/search?q=tea`)).text();
  expect(askedToWaitMs).toEqual([900]);
});

test.each([
  ['cut off', '{'],
  ['a text', '"text"'],
  ['null', 'null'],
  ['too long', `{"user":"${'x'.repeat(20_000)}"}`],
])(
  'the demo shop refuses a body that is not a JSON object or is too long: %s',
  async (_name, body) => {
    const answer = await fetch(`${shop.url}/login`, { method: 'POST', headers: json, body });
    expect(answer.status).toBe(400);
  },
);

test('unknown pages of the demo shop get a 404, and requests are counted by page', async () => {
  expect((await fetch(`${shop.url}/nowhere`)).status).toBe(404);
  const before = shop.requests.get('GET /catalogue') ?? 0;
  await fetch(`${shop.url}/catalogue`);
  expect(shop.requests.get('GET /catalogue')).toBe(before + 1);
  expect(shop.requests.has('GET /nowhere')).toBe(false);
});
