/**
 * Tests idempotency keys on every POST, on the real application and database.
 *
 * Covers:
 * - services/idempotency/execute-idempotently
 */
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import request from 'supertest';
import type { Route } from '../../../src/api/routing/route';
import { ROUTES } from '../../../src/api/v1/route-table';
import { createHousekeeping } from '../../../src/models';
import { AppError } from '../../../src/platform/errors';
import { waitUntil } from '../../support/wait-until';
import { openTestService, type TestAccount, type TestService } from '../test-service';

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await openTestService({ sleep: (ms) => delay(ms) });
  account = await service.newAccount();
});
afterAll(() => service.close());

const BODY = { name: 'Shop', url: 'https://shop.example.com/' };
const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
/**
 * Deadline of a request in milliseconds. A request waits almost this long for an unfinished request with the same key.
 */
const SHORT = { requestDeadlineMs: 1_500 };

function post(path: string, key: string, body: object = {}, apiKey = account.key) {
  return request(service.app)
    .post(path)
    .set('Authorization', `Bearer ${apiKey}`)
    .set('Idempotency-Key', key)
    .send(body);
}

async function monitorsOf(apiKey: string): Promise<number> {
  const list = await request(service.app)
    .get('/v1/monitors?limit=500')
    .set('Authorization', `Bearer ${apiKey}`);
  return list.body.data.length;
}

it('a repeated request with the same key and body runs once, and the first response is replayed', async () => {
  const { key } = await service.newAccount();
  const first = await post('/v1/monitors', 'order 1', BODY, key);
  const again = await post('/v1/monitors', 'order 1', { url: BODY.url, name: BODY.name }, key);
  expect(first.status).toBe(201);
  expect(first.headers).not.toHaveProperty('idempotency-replayed');
  expect(again.status).toBe(201);
  expect(again.body).toEqual(first.body);
  expect(again.headers).toMatchObject({
    location: first.headers['location'],
    etag: first.headers['etag'],
    'idempotency-replayed': 'true',
  });
  expect(await monitorsOf(key)).toBe(1);
});

it('the same idempotency key with another body is refused', async () => {
  await post('/v1/monitors', 'two bodies', BODY);
  const other = await post('/v1/monitors', 'two bodies', { ...BODY, name: 'Other' });
  expect(other.body).toMatchObject({ status: 409, code: 'idempotency_conflict' });
});

it('idempotency keys are separate for each account and path, and expire after 24 hours', async () => {
  const other = await service.newAccount();
  const first = await post('/v1/monitors', 'shared', BODY);
  const theirs = await post('/v1/monitors', 'shared', { ...BODY, name: 'Theirs' }, other.key);
  expect(theirs.status).toBe(201);
  const paused = await post(`/v1/monitors/${first.body.id}/pause`, 'shared', {});
  expect(paused.status).toBe(200);
  service.clock.nowMs += 24 * HOUR_MS - 1;
  expect((await post('/v1/monitors', 'shared', BODY)).body.id).toBe(first.body.id);
  service.clock.nowMs += 1;
  const later = await post('/v1/monitors', 'shared', BODY);
  expect(later.status).toBe(201);
  expect(later.body.id).not.toBe(first.body.id);
});

it('of ten parallel requests with one key, one runs and the others get its response', async () => {
  const { key } = await service.newAccount();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post('/v1/monitors', 'parallel', BODY, key)),
  );
  expect(await monitorsOf(key)).toBe(1);
  const carriedOut = answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined);
  const done = answers.filter(({ status }) => status === 201);
  expect(new Set(done.map(({ body }) => body.id)).size).toBe(1);
  expect(carriedOut.filter(({ status }) => status === 201)).toHaveLength(1);
  // On a busy machine, a caller may get a 503 after a long wait. The caller may retry.
  for (const { status } of answers) expect([201, 503]).toContain(status);
});

it('a request of another API key with the same idempotency key runs again and gets its own response', async () => {
  const { key, newKey } = await service.newAccount();
  const made = await post('/v1/api-keys', 'a key', { name: 'first' }, key);
  const other = await post('/v1/api-keys', 'a key', { name: 'first' }, await newKey());
  expect([made.status, other.status]).toEqual([201, 201]);
  expect(other.headers).not.toHaveProperty('idempotency-replayed');
  expect(other.body.key).not.toBe(made.body.key);
});

it('a refusal is stored and replayed with the request id of the new request', async () => {
  const body = { ...BODY, url: 'http://169.254.169.254/' };
  const first = await post('/v1/monitors', 'refused', body);
  const again = await post('/v1/monitors', 'refused', body).set('X-Request-Id', 'the-second');
  expect(again.body).toEqual({ ...first.body, requestId: 'the-second' });
  expect(again.body).toMatchObject({ status: 400, code: 'blocked_target' });
  expect(again.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(again.headers['idempotency-replayed']).toBe('true');
});

it('a server error is not stored for an idempotency key', async () => {
  service.gateway.away = 'ping';
  expect((await post('/v1/monitors', 'away', BODY)).status).toBe(503);
  service.gateway.away = null;
  const again = await post('/v1/monitors', 'away', BODY);
  expect(again.status).toBe(201);
  expect(again.headers).not.toHaveProperty('idempotency-replayed');
});

it('a creation that completes after its timeout is undone, and its key can be used again', async () => {
  const { stores } = service.services;
  let isStalled = true;
  let recover = (): void => undefined;
  const recovered = new Promise<void>((resolve) => {
    recover = resolve;
  });
  const late = async (): Promise<never> => {
    throw new AppError('unavailable', 'The database does not answer.');
  };
  // Simulates a stalled database: writes are stored, but their responses are lost.
  const monitors = {
    ...stores.monitors,
    create: async (...given: Parameters<typeof stores.monitors.create>) => {
      await stores.monitors.create(...given);
      if (isStalled) await late();
    },
    find: (...given: Parameters<typeof stores.monitors.find>) =>
      isStalled ? late() : stores.monitors.find(...given),
    remove: (...given: Parameters<typeof stores.monitors.remove>) =>
      isStalled ? late() : stores.monitors.remove(...given),
  };
  const idempotency = {
    ...stores.idempotency,
    release: (...given: Parameters<typeof stores.idempotency.release>) =>
      isStalled ? late() : stores.idempotency.release(...given),
  };
  const stalled = await openTestService(
    {
      stores: { ...stores, monitors, idempotency },
      clock: { now: () => service.clock.nowMs },
      sleep: async (ms) => {
        // Ends the stall before the last try to undo the creation.
        if (ms >= SECOND_MS) await recovered;
        await setImmediate();
      },
    },
    SHORT,
  );
  const { key } = await service.newAccount();
  const send = () =>
    request(stalled.app)
      .post('/v1/monitors')
      .set({ Authorization: `Bearer ${key}`, 'Idempotency-Key': 'stalled' })
      .send(BODY);
  try {
    expect((await send()).status).toBe(503);
    const unknown = await send();
    expect(unknown.body).toMatchObject({ status: 503, code: 'unavailable' });
    expect(Number(unknown.headers['retry-after'])).toBeGreaterThan(0);
    isStalled = false;
    recover();
    await waitUntil('the late creation is undone', async () => (await monitorsOf(key)) === 0);
    const again = await waitUntil('the key is free', async () => {
      const answer = await send();
      return answer.status === 201 && answer;
    });
    expect((await send()).body.id).toBe(again.body.id);
    expect(await monitorsOf(key)).toBe(1);
  } finally {
    await stalled.close();
  }
});

it("if the database's response to a claim is lost, the idempotency key can be used again within 30 seconds", async () => {
  const { stores } = service.services;
  let isLost = true;
  const idempotency = {
    ...stores.idempotency,
    claim: async (...given: Parameters<typeof stores.idempotency.claim>) => {
      const held = await stores.idempotency.claim(...given);
      if (!isLost) return held;
      throw new AppError('unavailable', 'The connection is gone.');
    },
  };
  const { key } = await service.newAccount();
  const app = service.appWith({ stores: { ...stores, idempotency } });
  const send = () =>
    request(app)
      .post('/v1/monitors')
      .set({ Authorization: `Bearer ${key}`, 'Idempotency-Key': 'unheard' })
      .send(BODY);
  const beganMs = service.clock.nowMs;
  expect((await send()).status).toBe(503);
  isLost = false;
  await waitUntil('the key is free', async () => (await send()).status === 201);
  expect(service.clock.nowMs - beganMs).toBeLessThan(30 * SECOND_MS);
  expect(await monitorsOf(key)).toBe(1);
});

it('a creation is reported as done if only the response of the database was lost', async () => {
  const { stores } = service.services;
  const monitors = {
    ...stores.monitors,
    create: async (...given: Parameters<typeof stores.monitors.create>) => {
      await stores.monitors.create(...given);
      throw new AppError('unavailable', 'The connection is gone.');
    },
  };
  const { key } = await service.newAccount();
  const made = await request(service.appWith({ stores: { ...stores, monitors } }))
    .post('/v1/monitors')
    .set({ Authorization: `Bearer ${key}` })
    .send(BODY);
  expect(made.status).toBe(201);
  expect(service.gateway.callsOf(made.body.id)).toEqual(['configureMonitor']);
  expect(await monitorsOf(key)).toBe(1);
});

it('the claim on an idempotency key expires if a crash left it behind', async () => {
  const { stores } = service.services;
  const crash = async (): Promise<void> => {
    throw new AppError('unavailable', 'crashed before the claim was released');
  };
  const idempotency = { ...stores.idempotency, keep: crash, release: crash };
  const crashed = await openTestService({ stores: { ...stores, idempotency } });
  crashed.clock.nowMs = service.clock.nowMs;
  try {
    const send = () =>
      request(crashed.app)
        .post('/v1/monitors')
        .set({ Authorization: `Bearer ${account.key}`, 'Idempotency-Key': 'crash' })
        .send(BODY);
    expect((await send()).status).toBe(503);
    const meanwhile = await request(service.appWith({}, SHORT))
      .post('/v1/monitors')
      .set({ Authorization: `Bearer ${account.key}`, 'Idempotency-Key': 'crash' })
      .send(BODY);
    expect(meanwhile.body).toMatchObject({ status: 503, code: 'unavailable' });
    service.clock.nowMs += HOUR_MS;
    expect((await post('/v1/monitors', 'crash', BODY)).status).toBe(201);
  } finally {
    await crashed.close();
  }
});

it('idempotency keys that are empty, too long or not printable are refused', async () => {
  for (const key of ['', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
    const answer = await post('/v1/monitors', key, BODY);
    expect(answer.body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'Idempotency-Key' })]);
  }
  expect((await post('/v1/monitors', 'x'.repeat(255), BODY)).status).toBe(201);
});

it('responses stored for idempotency keys are encrypted, and deleted when they expire', async () => {
  const { idempotency } = service.database.database.models;
  await post('/v1/monitors', 'sealed', { ...BODY, name: 'needle-in-clear' });
  expect(JSON.stringify(await idempotency.find().lean())).not.toContain('needle');
  service.clock.nowMs += 48 * HOUR_MS;
  await post('/v1/monitors', 'after', BODY);
  const clock = { now: () => service.clock.nowMs };
  await createHousekeeping(service.database.database, clock).sweepExpired(5_000);
  expect(await idempotency.countDocuments({})).toBe(1);
});

const routes = ROUTES;
/** Leaves out operator routes. Operators act only in sessions, and this test sends API keys. */
const isForKeys = ({ scope }: Route) => scope !== 'public' && scope !== 'operator';
const posts = routes.filter((route) => route.method === 'POST' && isForKeys(route));

describe('every POST', () => {
  const made: Record<string, string> = {};
  beforeAll(async () => {
    const monitor = await post('/v1/monitors', 'm', BODY);
    const steps = [{ name: 'a', url: BODY.url }];
    const scenario = await post('/v1/scenarios', 's', { name: 's', steps });
    const emails = ['a@example.com'];
    const channel = await post('/v1/alert-channels', 'c', { name: 'c', type: 'email', emails });
    Object.assign(made, {
      monitorId: monitor.body.id,
      scenarioId: scenario.body.id,
      channelId: channel.body.id,
    });
  });

  it.each(posts.map((entry): [string, Route] => [entry.path, entry]))(
    'a repeated POST %s gets the stored response',
    async (_path, entry) => {
      const path = entry.path
        .replaceAll(/:(\w+)/g, (whole, name: string) => made[name] ?? whole)
        .replace(':runId', service.services.newId('run'))
        .replace(':policyId', service.services.newId('alertPolicy'))
        .replace(':incidentId', service.services.newId('incident'))
        .replace(':windowId', service.services.newId('maintenance'));
      const key = `matrix ${entry.path}`;
      const first = await post(path, key);
      const again = await post(path, key);
      expect(again.status).toBe(first.status);
      expect({ ...again.body, requestId: null }).toEqual({ ...first.body, requestId: null });
      expect(again.headers['idempotency-replayed']).toBe('true');
    },
  );
});

it('a repeated request with a malformed id gets the stored 404 again', async () => {
  const named = posts.filter(({ path }) => path.includes(':'));
  for (const { path } of named) {
    const malformed = path.replaceAll(/:\w+/g, 'nonsense');
    const key = `malformed ${path}`;
    const first = await post(malformed, key);
    expect({ path, status: first.status }).toEqual({ path, status: 404 });
    const again = await post(malformed, key);
    expect({ path, code: again.body.code }).toEqual({ path, code: 'not_found' });
    expect(again.headers['idempotency-replayed']).toBe('true');
  }
});
