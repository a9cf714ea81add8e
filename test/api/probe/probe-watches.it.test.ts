/**
 * Tests how probes open watches and report that they are alive. Requests are encrypted, limited in size, and accepted
 * only for watches of their region.
 *
 * Covers:
 * - services/watches/open-watches
 * - services/watches/note-alive
 * - services/watches/list-moved-grids
 */
import request from 'supertest';
import {
  alivePath,
  deliveryContext,
  PROBE_ALIVE_PATH,
  PROBE_WATCHES_PATH,
  WATCHES_OPENED_MAX,
} from '../../../src/contracts/probe-protocol';
import { monitorRecord, newId, passingOutcome } from '../../models/example-records';
import { asLocalProbe } from '../../support/as-probe';
import { accountOfSuite, SECRET_KEY, suiteService } from '../test-service';

const REGION = 'eu-west';
const INSTANCE = 'host:7:1';
const NINTH = { instance: 'host:9:1', region: REGION };
const CLOSED = { isOpen: false, lastStoredMs: null };

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
});

const opening = (changes: object = {}) => ({
  accountId: account.id,
  monitorId,
  revision: 1,
  taskToken: 'dG9rZW4=',
  ...changes,
});

interface Sending {
  readonly as?: string;
  readonly part?: 'openings' | 'results';
}

function send(body: object, { as = REGION, part = 'openings' }: Sending = {}) {
  const probe = asLocalProbe(SECRET_KEY, as);
  const plain = Buffer.from(JSON.stringify({ region: REGION, instance: INSTANCE, ...body }));
  return request(service.app)
    .post(PROBE_WATCHES_PATH)
    .set(probe.headers)
    .set('Content-Type', 'application/octet-stream')
    .responseType('blob')
    .send(probe.sealer('probe-delivery').seal(plain, deliveryContext(part, as)));
}

async function open(watches: readonly object[], instance = INSTANCE): Promise<unknown> {
  const { status, body } = await send({ instance, watches });
  expect(status).toBe(200);
  const probe = asLocalProbe(SECRET_KEY, REGION);
  const answer = Object(probe.open(body, deliveryContext('opened', REGION)));
  expect(answer.nowMs).toBe(service.clock.nowMs);
  return answer.watches;
}

const grid = () => ({ version: 1, anchorMs: slotMs, intervalMs: 60_000 });

const rowsNow = () => service.database.database.models.watches.find({}).lean();

test('a probe that opens a watch gets the last stored slot of its region', async () => {
  expect(await open([opening()])).toEqual([{ isOpen: true, lastStoredMs: null, grid: grid() }]);
  const record = monitorRecord({ accountId: account.id, monitorId });
  const outcomes = [{ region: REGION, outcome: passingOutcome() }];
  const regionsHealth = record.regionsHealth.filter(({ region }) => region === REGION);
  await service.recorder.recordMonitorCheck({ ...record, slotMs, outcomes, regionsHealth });
  const again = opening({ taskToken: 'bmV4dA==' });
  expect(await open([again], 'host:8:1')).toEqual([
    { isOpen: true, lastStoredMs: slotMs, grid: grid() },
  ]);
  expect(await rowsNow()).toEqual([
    {
      _id: `${monitorId} ${REGION}`,
      accountId: account.id,
      monitorId,
      region: REGION,
      instance: 'host:8:1',
      taskToken: 'bmV4dA==',
      openedAtMs: service.clock.nowMs,
    },
  ]);
});

test('a watch that is not valid for the region is refused and stores nothing', async () => {
  const before = await rowsNow();
  const elsewhere = await request(service.app)
    .post('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`)
    .send({ name: 'n', url: 'http://example.com/', regions: ['us-east'] });
  const other = await service.newAccount();
  const closed = [
    opening({ accountId: other.id }),
    opening({ revision: 2 }),
    opening({ monitorId: newId('monitor') }),
    opening({ monitorId: elsewhere.body.id }),
  ];
  expect(await open(closed)).toEqual(closed.map(() => CLOSED));
  expect(await rowsNow()).toEqual(before);
});

test('a watch of a paused monitor is not opened', async () => {
  const as = (path: string) =>
    request(service.app)
      .post(`/v1/monitors/${monitorId}/${path}`)
      .set('Authorization', `Bearer ${account.key}`);
  await as('pause');
  expect(await open([opening()])).toEqual([CLOSED]);
  await as('resume');
  expect(await open([opening()])).toMatchObject([{ isOpen: true, lastStoredMs: slotMs }]);
});

test('a request encrypted by another region or for another purpose is refused as a whole', async () => {
  const before = await rowsNow();
  const watches = [opening({ taskToken: 'Zm9yZ2Vk' })];
  for (const refused of [
    send({ watches }, { as: 'us-east' }),
    send({ watches, region: 'us-east' }),
    send({ watches }, { part: 'results' }),
    send({ watches }).unset('Authorization'),
  ])
    expect((await refused).status).toBe(401);
  expect(await rowsNow()).toEqual(before);
});

test('a list of watches that is too long or invalid is refused with the path', async () => {
  for (const [body, path] of [
    [{ watches: Array(WATCHES_OPENED_MAX + 1).fill(opening()) }, 'watches'],
    [{ watches: [opening({ taskToken: '' })] }, 'watches[0].taskToken'],
    [{ watches: [opening({ taskToken: 'not base64' })] }, 'watches[0].taskToken'],
    [{ watches: [opening({ monitorId: 'mon_1' })] }, 'watches[0].monitorId'],
    [{ watches: [], instance: 'a b' }, 'instance'],
  ] as const) {
    const { status, body: problem } = await send(body);
    expect([status, JSON.parse(problem.toString()).errors?.[0]?.path]).toEqual([400, path]);
  }
});

test('the uptime of a probe starts again after more than six seconds without a report', async () => {
  const alive = (body: object = {}, as = REGION) =>
    request(service.app)
      .post(PROBE_ALIVE_PATH)
      .set(asLocalProbe(SECRET_KEY, as).headers)
      .send({ ...NINTH, ...body });
  const seen = () => service.services.stores.watches.findInstance(NINTH);
  expect((await alive({}, 'us-east')).status).toBe(401);
  expect((await alive({ instance: '' })).status).toBe(400);
  expect(await seen()).toBeNull();
  const firstMs = service.clock.nowMs;
  expect((await alive()).status).toBe(204);
  service.clock.nowMs += 2_000;
  expect((await alive()).status).toBe(204);
  expect(await seen()).toEqual({ ...NINTH, lastSeenAtMs: firstMs + 2_000, heardSinceMs: firstMs });
  service.clock.nowMs += 6_001;
  const againMs = service.clock.nowMs;
  expect((await alive()).status).toBe(204);
  expect(await seen()).toEqual({ ...NINTH, lastSeenAtMs: againMs, heardSinceMs: againMs });
  service.clock.nowMs += 2_000;
  // A report for another region does not change the last report of this watch.
  expect((await alive({ region: 'us-east' }, 'us-east')).status).toBe(204);
  expect(await seen()).toMatchObject({ lastSeenAtMs: againMs });
});

async function readMoved(changedSinceMs: number) {
  const probe = asLocalProbe(SECRET_KEY, REGION);
  const { status, body } = await request(service.app)
    .post(alivePath(changedSinceMs))
    .set(probe.headers)
    .responseType('blob')
    .send(NINTH);
  expect(status).toBe(200);
  return Object(probe.open(body, deliveryContext('moved', REGION)));
}

test('a live probe learns of changed schedules in its region, except those of monitors with several regions', async () => {
  service.clock.nowMs += 60_000;
  const first = await readMoved(0);
  expect(first.moved).toEqual([]);
  const edit = (id: string, body: object) =>
    request(service.app)
      .patch(`/v1/monitors/${id}`)
      .set('Authorization', `Bearer ${account.key}`)
      .send(body);
  const added = async (regions: readonly string[]): Promise<string> => {
    const { body } = await request(service.app)
      .post('/v1/monitors')
      .set('Authorization', `Bearer ${account.key}`)
      .send({ name: 'g', url: 'http://example.com/', regions });
    return body.id;
  };
  await added([REGION, 'us-east']);
  await added(['us-east']);
  const { body } = await edit(monitorId, { interval: 30 });
  const anchorMs = service.clock.nowMs;
  const moved = [
    { id: monitorId, version: body.version, revision: 1, anchorMs, intervalMs: 30_000 },
  ];
  const second = await readMoved(first.changedSinceMs);
  expect(second.moved).toEqual(moved);
  // The API repeats each change for ten seconds, because a change may be stored late.
  service.clock.nowMs += 9_000;
  const third = await readMoved(second.changedSinceMs);
  expect(third.moved).toEqual(moved);
  service.clock.nowMs += 9_000;
  const fourth = await readMoved((await readMoved(third.changedSinceMs)).changedSinceMs);
  expect(fourth.moved).toEqual([]);
});

test('deleting a monitor deletes its watches', async () => {
  expect(await rowsNow()).toHaveLength(1);
  await request(service.app)
    .delete(`/v1/monitors/${monitorId}`)
    .set('Authorization', `Bearer ${account.key}`);
  expect(await rowsNow()).toEqual([]);
  expect(await open([opening()])).toEqual([CLOSED]);
});
