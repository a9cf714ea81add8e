/**
 * Tests expensive requests: how many of them one caller and one account can run at once, and when each request ends.
 */
import { once } from 'node:events';
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { manyTimes } from '../../support/many-times';
import { outcomeOf } from '../../support/outcomes';
import { waitUntil } from '../../support/wait-until';
import { personOf } from '../people';
import { openTestService, PUBLIC_URL, type TestAccount, type TestService } from '../test-service';

const PER_CALLER = 10;
const PER_ACCOUNT = 20;
const UNSAVED = { name: 'unsaved', url: 'http://example.com', region: 'eu-west' };

let service: TestService;
let account: TestAccount;

beforeEach(async () => {
  service = await openTestService();
  account = await service.newAccount();
});
afterEach(() => service.close());

const tryOut = (headers: Record<string, string>) =>
  request(service.app).post('/v1/monitors/test').set(headers).send(UNSAVED);
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** Makes tests of monitors hang until `end` is called. `underWay` counts the tests that have begun. */
function holdTests() {
  let underWay = 0;
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  Object.assign(service.gateway, {
    test: async () => {
      underWay += 1;
      await held;
      return outcomeOf('up');
    },
  });
  return { end, underWay: () => underWay };
}

it('one key or person can run ten tests of definitions at a time', async () => {
  const tests = holdTests();
  const running = manyTimes(PER_CALLER, async () => tryOut(bearer(account.key)));
  await waitUntil('ten tests', () => tests.underWay() === PER_CALLER);
  const refused = await tryOut(bearer(account.key));
  expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  tests.end();
  expect((await running).map(({ status }) => status)).toEqual(Array(PER_CALLER).fill(200));
  await waitUntil('a turn', async () => (await tryOut(bearer(account.key))).status === 200);
});

it('an account can run twice as many tests of definitions at a time as one key, and delays no other account', async () => {
  const tests = holdTests();
  const { cookie: Cookie } = await personOf(service, account.id, 'editor');
  const callers = [
    bearer(account.key),
    { Cookie, Origin: PUBLIC_URL },
    bearer(await account.newKey()),
  ];
  const running: Promise<unknown>[] = [];
  for (const caller of callers.slice(0, 2)) {
    const before = tests.underWay();
    running.push(manyTimes(PER_CALLER, async () => tryOut(caller)));
    await waitUntil('its tests', () => tests.underWay() === before + PER_CALLER);
  }
  expect(tests.underWay()).toBe(PER_ACCOUNT);
  expect((await tryOut(callers[2] ?? {})).body).toMatchObject({
    status: 429,
    code: 'rate_limited',
  });
  const other = await service.newAccount();
  const theirs = manyTimes(1, async () => tryOut(bearer(other.key)));
  await waitUntil('the test of the other account', () => tests.underWay() === PER_ACCOUNT + 1);
  tests.end();
  await Promise.all([...running, theirs]);
});

it('when a client disconnects, its test of a definition counts against the limit until the work has ended', async () => {
  const tests = holdTests();
  const { port } = service.app.address() as AddressInfo;
  const sent = Array.from({ length: PER_CALLER }, () => {
    const headers = { ...bearer(account.key), 'content-type': 'application/json' };
    const options = { port, path: '/v1/monitors/test', method: 'POST', headers, agent: false };
    const asked = httpRequest(options).on('error', () => undefined);
    asked.end(JSON.stringify(UNSAVED));
    return asked;
  });
  await waitUntil('ten tests', () => tests.underWay() === PER_CALLER);
  for (const asked of sent) asked.destroy();
  expect((await tryOut(bearer(account.key))).status).toBe(429);
  tests.end();
  await waitUntil('a turn', async () => (await tryOut(bearer(account.key))).status === 200);
});

it.each([
  ['streams of events', 'GET', () => '/v1/events', null],
  ['exports', 'GET', () => '/v1/export', null],
  ['tests of definitions', 'POST', () => '/v1/monitors/test', UNSAVED],
  ['requests that wait', 'POST', (id: string) => `/v1/scenarios/${id}/runs?wait=1`, {}],
] as const)(
  '%s of clients that disconnect at once do not count against the limit',
  async (_words, method, pathOf, body) => {
    const headers = { ...bearer(account.key), 'content-type': 'application/json' };
    const steps = [{ name: 'a', url: 'http://shop.example.com' }];
    const scenario = await request(service.app)
      .post('/v1/scenarios')
      .set(headers)
      .send({ name: 'Way', steps });
    const path = pathOf(scenario.body.id);
    const { port } = service.app.address() as AddressInfo;
    const send = () => {
      const asked = httpRequest({ port, path, method, headers, agent: false });
      asked.on('error', () => undefined).end(body === null ? undefined : JSON.stringify(body));
      return asked;
    };
    for (let count = 0; count < 60; count += 1) {
      const arrived = once(service.app, 'request');
      const asked = send();
      const [, response] = await arrived;
      const closed = once(response, 'close');
      asked.destroy();
      await closed;
    }
    await waitUntil('a request that is not refused', async () => {
      const asked = send();
      const [response] = await once(asked, 'response');
      asked.destroy();
      return response.statusCode !== 429;
    });
  },
);

it('an export stops reading when its client has disconnected', async () => {
  const { alertChannels, monitors } = service.services.stores;
  const read: string[] = [];
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { list: listChannels } = alertChannels;
  const { list: listMonitors } = monitors;
  Object.assign(alertChannels, {
    list: async (...given: Parameters<typeof listChannels>) => {
      read.push('channels');
      await held;
      return listChannels(...given);
    },
  });
  Object.assign(monitors, {
    list: (...given: Parameters<typeof listMonitors>) => {
      read.push('monitors');
      return listMonitors(...given);
    },
  });
  const { port } = service.app.address() as AddressInfo;
  const asked = httpRequest({
    port,
    path: '/v1/export',
    headers: bearer(account.key),
    agent: false,
  });
  asked.on('error', () => undefined).end();
  await waitUntil('the export', () => read.length > 0);
  asked.destroy();
  await waitUntil('the connection is closed', () =>
    connections(service.app).then((open) => open === 0),
  );
  goOn();
  expect((await request(service.app).get('/v1/monitors').set(bearer(account.key))).status).toBe(
    200,
  );
  expect(read.filter((name) => name === 'monitors')).toHaveLength(1);
});

function connections(of: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    of.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
