/**
 * Tests how watches send results to the API. Results are encrypted, limited in size, and stored before they are
 * confirmed. Also tests the internal endpoint of the probes, with a token for each region and encrypted responses.
 *
 * Covers:
 * - services/results/record-delivery
 * - services/regions/regions
 * - services/resources/read-definition
 */
import request from 'supertest';
import {
  DELIVERY_BYTES_MAX,
  DELIVERY_RESULTS_MAX,
  definitionPath,
  deliveryContext,
  PROBE_HELLO_PATH,
  PROBE_RESULTS_PATH,
  PROBE_WATCHES_PATH,
} from '../../../src/contracts/probe-protocol';
import type { WatchedResult } from '../../../src/contracts/watches';
import { monitorRecord, newId, passingOutcome } from '../../models/example-records';
import { asLocalProbe } from '../../support/as-probe';
import { accountOfSuite, SECRET_KEY, suiteService } from '../test-service';

const MINUTE_MS = 60_000;
const REGION = 'eu-west';
const INSTANCE = 'host:7:1';

const service = suiteService();
const account = accountOfSuite(service);
let monitorId: string;
let slotMs: number;

beforeAll(async () => {
  const { body } = await request(service.app)
    .post('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`)
    .send({ name: 'm', url: 'http://example.com/', regions: [REGION] });
  monitorId = body.id;
  slotMs = Date.parse(body.createdAt);
  const record = monitorRecord({ accountId: account.id, monitorId });
  const outcomes = [{ region: REGION, outcome: passingOutcome() }];
  const regionsHealth = record.regionsHealth.filter(({ region }) => region === REGION);
  await service.recorder.recordMonitorCheck({ ...record, slotMs, outcomes, regionsHealth });
  // Moves the clock past all slots of the tests, because results in the future are refused.
  service.clock.nowMs += 5 * MINUTE_MS;
  await open(INSTANCE);
});

/** Opens the watch for a probe process. The process has the task token that Temporal gave it. */
async function open(instance: string): Promise<void> {
  const probe = asLocalProbe(SECRET_KEY, REGION);
  const watch = { accountId: account.id, monitorId, revision: 1, taskToken: 'dG9rZW4=' };
  const plain = Buffer.from(JSON.stringify({ region: REGION, instance, watches: [watch] }));
  const answer = await request(service.app)
    .post(PROBE_WATCHES_PATH)
    .set(probe.headers)
    .set('Content-Type', 'application/octet-stream')
    .send(probe.sealer('probe-delivery').seal(plain, deliveryContext('openings', REGION)));
  expect(answer.status).toBe(200);
}

function resultAt(atMs: number): WatchedResult {
  const times = {
    startedAt: new Date(atMs).toISOString(),
    finishedAt: new Date(atMs + 5).toISOString(),
  };
  const outcome = passingOutcome({ ...times, responseTimeMs: 5 });
  const ids = { accountId: account.id, monitorId, revision: 1 };
  return { ...ids, slotMs: atMs, nextSlotMs: atMs + MINUTE_MS, outcome, gap: null };
}

function gapBefore(atMs: number) {
  const missedMs = atMs - MINUTE_MS;
  return { reason: 'missed', fromSlotMs: missedMs, toSlotMs: missedMs, slots: 1 };
}

interface Sending {
  readonly as?: string;
  readonly sealedFor?: string;
  readonly purpose?: string;
}

function send(
  delivery: object,
  { as = REGION, sealedFor = as, purpose = 'probe-delivery' }: Sending = {},
) {
  const probe = asLocalProbe(SECRET_KEY, as);
  const plain = Buffer.from(JSON.stringify({ instance: INSTANCE, ...delivery }));
  return request(service.app)
    .post(PROBE_RESULTS_PATH)
    .set(probe.headers)
    .set('Content-Type', 'application/octet-stream')
    .responseType('blob')
    .send(probe.sealer(purpose).seal(plain, deliveryContext('results', sealedFor)));
}

function receiptsOf(body: Buffer, region = REGION): unknown {
  const opened = asLocalProbe(SECRET_KEY, region).open(body, deliveryContext('receipts', region));
  const { receipts, nowMs } = Object(opened);
  expect(nowMs).toBe(service.clock.nowMs);
  return receipts;
}

const problemOf = (body: Buffer): unknown => JSON.parse(body.toString());

async function readSlots(): Promise<string[]> {
  const { body } = await request(service.app)
    .get(`/v1/monitors/${monitorId}/results`)
    .set('Authorization', `Bearer ${account.key}`);
  return body.data.map((result: { slot: string }) => result.slot);
}

test('results can be read as soon as they are confirmed, and repeated results are stored once', async () => {
  const atMs = slotMs + MINUTE_MS;
  const delivery = { region: REGION, results: [resultAt(atMs), resultAt(atMs)] };
  for (const receipts of [1, 2].map(() => ['stored', 'stored'])) {
    const answer = await send(delivery);
    expect(answer.status).toBe(200);
    expect(receiptsOf(answer.body)).toEqual(receipts);
    expect(await readSlots()).toEqual([atMs, slotMs].map((ms) => new Date(ms).toISOString()));
  }
  const { body } = await request(service.app)
    .get(`/v1/monitors/${monitorId}`)
    .set('Authorization', `Bearer ${account.key}`);
  expect(body).toMatchObject({
    health: 'up',
    lastCheckedAt: new Date(atMs + 5).toISOString(),
    nextCheckAt: new Date(atMs + MINUTE_MS).toISOString(),
    regionsHealth: { [REGION]: { lastResponseTimeMs: 5 } },
  });
});

test('a delivery of results from another region, or with wrong encryption or credentials, is refused as a whole', async () => {
  const before = await readSlots();
  const delivery = { region: REGION, results: [resultAt(slotMs + 2 * MINUTE_MS)] };
  const refused = [
    send(delivery, { as: 'us-east' }),
    send(delivery, { sealedFor: 'us-east' }),
    send(delivery, { purpose: 'probe-response' }),
    send(delivery).unset('Authorization'),
    send(delivery).set('X-Keepwatch-Region', 'us-east'),
  ];
  for (const sending of refused) expect((await sending).status).toBe(401);
  expect(await readSlots()).toEqual(before);
});

test('a delivery of results with too many bytes or results, or an invalid field, is refused as a whole', async () => {
  const good = resultAt(slotMs + 3 * MINUTE_MS);
  const tooLong = { ...good, outcome: { ...good.outcome, note: 'x'.repeat(DELIVERY_BYTES_MAX) } };
  expect((await send({ region: REGION, results: [tooLong] })).status).toBe(413);
  for (const [results, path] of [
    [Array(DELIVERY_RESULTS_MAX + 1).fill(good), 'results'],
    [[good, { ...good, slotMs: -1 }], 'results[1].slotMs'],
    [[{ ...good, monitorId: 'mon_1' }], 'results[0].monitorId'],
    [[{ ...good, revision: 1.5 }], 'results[0].revision'],
    [[{ ...good, outcome: { status: 'fine' } }], 'results[0].outcome'],
    [[{ ...good, gap: gapBefore(good.slotMs + MINUTE_MS) }], 'results[0].gap'],
    [[{ ...good, gap: { ...gapBefore(good.slotMs), slots: 0 } }], 'results[0].gap.slots'],
    [[{ ...good, outcome: { ...good.outcome, finishedAt: 'soon' } }], 'results[0].outcome'],
  ] as const) {
    const { status, body } = await send({ region: REGION, results });
    expect([status, problemOf(body)]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ path })] }),
    ]);
  }
  const text = await send({ region: REGION, results: [good] }).set('Content-Type', 'text/plain');
  expect(text.status).toBe(415);
  expect(await readSlots()).not.toContain(new Date(good.slotMs).toISOString());
});

test('a result of a deleted monitor or of another account is not stored', async () => {
  const other = await service.newAccount();
  const good = resultAt(slotMs + 4 * MINUTE_MS);
  const results = [
    { ...good, accountId: other.id },
    { ...good, monitorId: newId('monitor') },
    good,
  ];
  const { body } = await send({ region: REGION, results });
  expect(receiptsOf(body)).toEqual(['gone', 'gone', 'stored']);
});

const as = (method: 'post' | 'patch', path: string, body: object = {}) =>
  request(service.app)
    [method](`/v1/monitors/${monitorId}${path}`)
    .set('Authorization', `Bearer ${account.key}`)
    .send(body);

test('a result of a paused monitor is reported as outdated until the pause ends', async () => {
  expect((await as('post', '/pause')).status).toBe(200);
  const result = resultAt(slotMs + 5 * MINUTE_MS);
  const before = await readSlots();
  const paused = await send({ region: REGION, results: [result] });
  expect(receiptsOf(paused.body)).toEqual(['outdated']);
  expect(await readSlots()).toEqual(before);
  expect((await as('post', '/resume')).status).toBe(200);
});

test('a result is reported as moved and not stored if another process has taken over the watch', async () => {
  const result = resultAt(slotMs + 5 * MINUTE_MS);
  const before = await readSlots();
  const other = await send({ region: REGION, instance: 'host:8:1', results: [result] });
  expect(receiptsOf(other.body)).toEqual(['moved']);
  await open('host:8:1');
  const former = await send({ region: REGION, results: [result] });
  expect(receiptsOf(former.body)).toEqual(['moved']);
  expect(await readSlots()).toEqual(before);
  await open(INSTANCE);
});

describe('results of a compromised probe', () => {
  const minutes = (count: number) => slotMs + count * MINUTE_MS;
  const atSlot = (count: number, changes: object = {}) => ({
    ...resultAt(minutes(count)),
    ...changes,
  });
  const gapOf = (from: number, to: number, slots = to - from + 1) => ({
    reason: 'missed',
    fromSlotMs: minutes(from),
    toSlotMs: minutes(to),
    slots,
  });
  const stateNow = async () => {
    const { body } = await request(service.app)
      .get(`/v1/monitors/${monitorId}`)
      .set('Authorization', `Bearer ${account.key}`);
    return [body, await readSlots()];
  };
  const measuredNow = () => resultAt(minutes(5)).outcome;
  /** Numbers of slots that are years ahead. */
  const far = [2 ** 20, 2 ** 30];

  test.each([
    [
      'a slot that is not due',
      () => [8, ...far].map((count) => atSlot(count, { outcome: measuredNow() })),
    ],
    ['a slot off the schedule', () => [resultAt(minutes(5) + 1), resultAt(minutes(5) - 30_000)]],
    [
      'a wrong next slot',
      () => [atSlot(5, { nextSlotMs: minutes(7) }), atSlot(5, { nextSlotMs: 0 })],
    ],
    ['another revision', () => [atSlot(5, { revision: 2 }), atSlot(5, { revision: 0 })]],
    [
      'a gap off the schedule, of the wrong slots, or over measured slots',
      () => [
        atSlot(6, { gap: { ...gapOf(5, 5), fromSlotMs: minutes(5) - 1 } }),
        atSlot(6, { gap: gapOf(5, 5, 1_000_000) }),
        atSlot(6, { gap: gapOf(1, 5) }),
        atSlot(6, { gap: gapOf(4, 5) }),
      ],
    ],
    [
      'times long before the slot',
      () => [atSlot(5, { outcome: resultAt(minutes(5) - 26 * 3_600_000).outcome })],
    ],
  ])('a result with %s is reported as outdated, and nothing changes', async (_, forged) => {
    const before = await stateNow();
    const { body } = await send({ region: REGION, results: forged() });
    expect(receiptsOf(body)).toEqual(forged().map(() => 'outdated'));
    expect(await stateNow()).toEqual(before);
  });

  test.each([
    ['times in the future', { finishedAt: '3902-01-01T00:00:00.000Z' }],
    ['an impossible status', { status: 'unknown' }],
    [
      'a failure with a passing status',
      { failure: { code: 'timeout', message: 'x', phase: null } },
    ],
    ['a field of another type of check', { responseTimeMs: '5' }],
    ['an unknown field', { html: '<script>' }],
    ['an endless text', { request: { method: 'GET', url: 'x'.repeat(600_000) } }],
  ])('a result with %s is refused with its path, and nothing changes', async (_, changes) => {
    const before = await stateNow();
    const good = atSlot(5);
    const results = [good, { ...good, outcome: { ...good.outcome, ...changes } }];
    const { status, body } = await send({ region: REGION, results });
    expect([status, problemOf(body)]).toEqual([
      400,
      expect.objectContaining({
        errors: [expect.objectContaining({ path: 'results[1].outcome' })],
      }),
    ]);
    expect(await stateNow()).toEqual(before);
  });

  test('a key serves at most 20 probes at a time, and a due slot is still stored after refused deliveries', async () => {
    const probe = asLocalProbe(SECRET_KEY, REGION);
    const hello = (identity: string) =>
      request(service.app)
        .post('/internal/probe/hello')
        .set(probe.headers)
        .send({ region: REGION, identity });
    for (let count = 0; count < 20; count += 1)
      expect((await hello(`probe-${count}`)).status).toBe(204);
    expect((await hello('one-more')).body).toMatchObject({ status: 403, code: 'limit_reached' });
    expect((await hello('probe-7')).status).toBe(204);
    service.clock.nowMs += 2 * MINUTE_MS;
    expect((await hello('one-more')).status).toBe(204);
    const { body } = await send({ region: REGION, results: [atSlot(5)] });
    expect(receiptsOf(body)).toEqual(['stored']);
  });

  test('deliveries beyond 200 per second with one key are refused and may be retried after a second', async () => {
    const empty = { region: REGION, results: [] };
    const answers = await Promise.all(Array.from({ length: 260 }, () => send(empty)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
    for (const { headers } of refused) expect(headers['retry-after']).toBe('1');
  });
});

describe('the API for probes', () => {
  // This service has its own clock, at the present time.
  const service = suiteService();
  const account = accountOfSuite(service);
  let path: string;
  let monitorId: string;

  beforeAll(async () => {
    const { body } = await request(service.app)
      .post('/v1/monitors')
      .set('Authorization', `Bearer ${account.key}`)
      .send({ name: 'm', url: 'http://example.com/{{v}}', variables: { v: '1' } });
    monitorId = body.id;
    path = definitionPath({ accountId: account.id, kind: 'monitor', id: monitorId, revision: 1 });
  });

  const probe = asLocalProbe(SECRET_KEY, 'eu-west');
  const asProbe = probe.headers;

  it('the API for probes returns a definition, encrypted for exactly the requested path', async () => {
    const answer = await request(service.app).get(path).set(asProbe).responseType('blob');
    expect(answer.status).toBe(200);
    expect(probe.open(answer.body, path)).toMatchObject({
      definition: {
        kind: 'monitor',
        id: monitorId,
        revision: 1,
        variables: [{ name: 'v', value: '1' }],
        steps: [{ url: 'http://example.com/{{v}}', method: 'GET' }],
      },
    });
    expect(() => probe.open(answer.body, `${path}0`)).toThrow();
  });

  it('the API for probes returns the definition of a monitor whose revision is missing after a crash', async () => {
    const { models } = service.database.database;
    await models.revisions.deleteMany({});
    const answer = await request(service.app).get(path).set(asProbe).responseType('blob');
    expect(answer.status).toBe(200);
    expect(probe.open(answer.body, path)).toMatchObject({
      definition: { kind: 'monitor', id: monitorId, revision: 1 },
    });
  });

  it('the API for probes refuses a missing token, a token of another region, and an API key', async () => {
    for (const [headers, code] of [
      [{}, 'missing_token'],
      [{ Authorization: asProbe.Authorization }, 'missing_token'],
      [{ ...asProbe, 'X-Keepwatch-Region': 'us-east' }, 'invalid_token'],
      [{ ...asProbe, 'X-Keepwatch-Region': 'EU west' }, 'invalid_token'],
      [{ ...asProbe, Authorization: `Bearer ${account.key}` }, 'invalid_token'],
    ] as const) {
      const answer = await request(service.app).get(path).set(headers);
      expect(answer.body).toMatchObject({ status: 401, code });
    }
  });

  it('the API for probes responds with 404 for unknown ids', async () => {
    for (const bad of [
      path.replace(/1$/, '2'),
      path.replace(/1$/, 'x'),
      path.replace('monitor', 'scenario'),
      path.replace('/monitor/', '/secret/'),
      path.replace(account.id, 'acc_none'),
    ]) {
      expect((await request(service.app).get(bad).set(asProbe)).status).toBe(404);
    }
  });

  it('the API for probes shows a region as online until its probes are silent for too long', async () => {
    const hello = (region: string, facts: object = {}) =>
      request(service.app)
        .post(PROBE_HELLO_PATH)
        .set(asProbe)
        .send({ region, identity: 'host:1', ...facts });
    const regions = async () => {
      const { body } = await request(service.app)
        .get('/v1/regions')
        .set('Authorization', `Bearer ${account.key}`);
      return body.data;
    };
    const unseen = {
      status: 'offline',
      workers: 0,
      lastSeenAt: null,
      releases: [],
      probes: [],
      networkSuspectSince: null,
    };
    expect(await regions()).toEqual([
      { id: 'eu-west', ...unseen },
      { id: 'us-east', ...unseen },
    ]);
    expect((await hello('eu-west')).status).toBe(204);
    const seen = new Date(service.clock.nowMs).toISOString();
    expect((await regions())[0]).toEqual({
      id: 'eu-west',
      status: 'online',
      workers: 1,
      lastSeenAt: seen,
      releases: [],
      probes: [{ keyId: null, release: null, lastSeenAt: seen }],
      networkSuspectSince: null,
    });
    await hello('eu-west', { release: '1.2.3' });
    await hello('eu-west', { identity: 'host:2', release: '1.3.0' });
    expect((await regions())[0]).toMatchObject({ workers: 2, releases: ['1.2.3', '1.3.0'] });
    expect((await hello('us-east')).status).toBe(401);
    service.clock.nowMs += 60_001;
    expect((await regions())[0]).toMatchObject({ status: 'offline', workers: 0, releases: [] });
  });
});
