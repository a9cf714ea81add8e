/**
 * What hangs or is away ends a request by a deadline, and what is too much is refused at once: as 503 with the
 * time to try again, and nothing else.
 */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import request from 'supertest';
import { createStores } from '../../../src/models';
import type { Database } from '../../../src/models/store/database';
import { type FaultyLink, openFaultyLink } from '../../models/faulty-link';
import { connectTo } from '../../models/test-database';
import { outcomeOf } from '../../support/outcomes';
import { waitUntil } from '../../support/wait-until';
import { accountOfSuite, suiteService } from '../test-service';

const DEADLINES = { callMs: 300, connectMs: 200 };
const MONITOR = { name: 'Shop', url: 'http://shop.example.com/' };
const REFUSED = { status: 503, code: 'unavailable', retryAfter: expect.any(String) };

const service = suiteService();
const account = accountOfSuite(service);

/** How the application answers a request of the account. */
async function call(app: Express, method: 'get' | 'post', path: string, body?: object) {
  const sent = request(app)[method](path).set('Authorization', `Bearer ${account.key}`);
  const { status, body: answer, headers } = await sent.send(body);
  return { status, code: answer.code, retryAfter: headers['retry-after'] };
}

describe('while the database is away', () => {
  let link: FaultyLink;
  let linked: Database;
  let app: Express;

  beforeAll(async () => {
    link = await openFaultyLink(service.database.uri);
    linked = await connectTo(link.uri, service.database.name, DEADLINES);
    app = service.appWith({ stores: createStores(linked, service.services.clock) });
  });
  afterEach(() => link.heal());
  afterAll(async () => {
    await linked.close();
    await link.close();
  });

  it.each(['cut', 'freeze'] as const)(
    'every request is refused (%s), the process stays alive, and all works again by itself',
    async (fault) => {
      const { monitors } = service.services.stores;
      const before = await monitors.count(account.id);
      link[fault]();
      const refusals = await Promise.all([
        call(app, 'get', '/v1/monitors'),
        call(app, 'get', '/v1/account'),
        call(app, 'post', '/v1/monitors', MONITOR),
        call(app, 'post', '/v1/session', { email: 'owner@example.com', password: 'x' }),
        call(app, 'post', '/v1/api-keys', { name: 'x' }),
        call(app, 'post', '/ping/a-token-of-some-job'),
      ]);
      for (const refusal of refusals) expect(refusal).toEqual(REFUSED);
      expect((await request(app).get('/healthz')).status).toBe(200);
      link.heal();
      await waitUntil('reads are answered again', async () => {
        return (await call(app, 'get', '/v1/monitors')).status === 200;
      });
      expect(await monitors.count(account.id)).toBe(before);
    },
  );
});

describe('a request whose work hangs', () => {
  it('is refused by the deadline of requests, while routes with a deadline of their own go on', async () => {
    let finishTest = (): void => undefined;
    const gateway = {
      ...service.gateway,
      configureMonitor: () => new Promise<void>(() => undefined),
      testMonitor: async () => {
        await new Promise<void>((resolve) => {
          finishTest = resolve;
        });
        return outcomeOf('up');
      },
    };
    const app = service.appWith({ gateway }, { requestDeadlineMs: 300 });
    const testing = call(app, 'post', '/v1/monitors/test', { ...MONITOR, region: 'eu-west' });
    expect(await call(app, 'post', '/v1/monitors', MONITOR)).toEqual(REFUSED);
    expect(await call(app, 'post', '/v1/monitors', MONITOR)).toEqual(REFUSED);
    finishTest();
    expect((await testing).status).toBe(200);
  });
});

describe('more than the process can serve', () => {
  const ONE = { atOnce: 1, waitingMax: 1, waitMaxMs: 60_000 };

  /** An application whose database holds what it is asked until it is let go. */
  function heldApp() {
    const { stores } = service.services;
    const begun: (() => void)[] = [];
    const held = async (): Promise<null> => {
      await new Promise<void>((resolve) => {
        begun.push(resolve);
      });
      return null;
    };
    const app = service.appWith(
      {
        stores: {
          ...stores,
          monitors: { ...stores.monitors, findByPing: held },
          apiKeys: { ...stores.apiKeys, findByHash: held },
        },
      },
      { loadBounds: { pings: ONE, requests: ONE } },
    );
    return { app, begun };
  }

  it.each([
    ['pings', 'post', '/ping/a-token-of-some-job', 404],
    ['requests', 'get', '/v1/monitors', 401],
  ] as const)(
    'of %s is refused at once, while health checks and others go on',
    async (...given) => {
      const [, method, path, statusWhenServed] = given;
      const { app, begun } = heldApp();
      const calls = [1, 2, 3].map(() => call(app, method, path));
      expect(await Promise.race(calls)).toEqual(REFUSED);
      expect((await request(app).get('/healthz')).body).toEqual({ status: 'ok' });
      expect((await request(app).get('/readyz')).status).toBe(200);
      expect((await request(app).get('/docs')).status).toBe(200);
      for (const index of [0, 1]) {
        await waitUntil('the next is at work', () => begun.length > index);
        begun[index]?.();
      }
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([statusWhenServed, statusWhenServed, 503]);
    },
  );

  it('is no ping whose text comes slowly, and none of an unknown token is waited for', async () => {
    const body = { type: 'heartbeat', name: 'job', schedule: { everySeconds: 60 } };
    const sent = request(service.app).post('/v1/monitors').send(body);
    const made = await sent.set('Authorization', `Bearer ${account.key}`).expect(201);
    const { pathname } = new URL(made.body.pingUrl);
    const { stores } = service.services;
    let known = 0;
    const findByPing: typeof stores.monitors.findByPing = async (...given) => {
      const found = await stores.monitors.findByPing(...given);
      if (found !== null) known += 1;
      return found;
    };
    const bounds = { ...ONE, waitingMax: 0 };
    const overrides = { stores: { ...stores, monitors: { ...stores.monitors, findByPing } } };
    const app = service.appWith(overrides, { loadBounds: { pings: bounds, requests: ONE } });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const begin = (path: string) => {
      const headers = { 'content-length': '5' };
      const asked = httpRequest({ port, path, method: 'POST', headers });
      asked.write('slo');
      const answered = once(asked, 'response').then(([{ statusCode }]) => statusCode);
      return { asked, answered };
    };
    const slow = begin(pathname);
    await waitUntil('its token is known', () => known === 1);
    expect((await fetch(`http://127.0.0.1:${port}${pathname}`)).status).toBe(200);
    const unknown = begin('/ping/a-token-of-nobody');
    expect(await unknown.answered).toBe(404);
    unknown.asked.destroy();
    slow.asked.end('ow');
    expect(await slow.answered).toBe(200);
    server.close();
    server.closeAllConnections();
  });
});
