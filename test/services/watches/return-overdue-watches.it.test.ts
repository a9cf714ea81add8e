/**
 * Tests the watchdog for watches on a real database. It decides from statuses, monitors and holders which watches must
 * be returned.
 *
 * Covers:
 * - models/watches/watches
 */
import request from 'supertest';
import { returnOverdueWatches } from '../../../src/services/watches/return-overdue-watches';
import { accountOfSuite, suiteService } from '../../api/test-service';
import { monitorRecord, passingOutcome } from '../../models/example-records';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const REGIONS = ['eu-west', 'us-east'];
const PROBE = 'host:7:1';

const service = suiteService();
const account = accountOfSuite(service);
const { signal } = new AbortController();
let notices: Readonly<Record<string, string>>[] = [];

beforeEach(async () => {
  const { models } = service.database.database;
  await Promise.all([
    models.monitors.deleteMany({}),
    models.statuses.deleteMany({}),
    models.watches.deleteMany({}),
    models.probeInstances.deleteMany({}),
  ]);
  service.gateway.calls.length = 0;
  service.gateway.away = null;
  notices = [];
});

const watchdog = () =>
  returnOverdueWatches(
    { ...service.services, notifyOperator: (facts) => notices.push(facts) },
    signal,
  );

/** Stores reports of the process, as if it had been reporting for `forMs`. */
async function hear(instance: string, forMs: number): Promise<void> {
  const { nowMs } = service.clock;
  const { watches } = service.services.stores;
  await watches.noteAlive({ instance, region: REGIONS[0] ?? '' }, nowMs - forMs, 0);
  await watches.noteAlive({ instance, region: REGIONS[0] ?? '' }, nowMs, forMs);
}

interface Given {
  /** The age of the last stored slot in each region, in milliseconds. */
  readonly storedAgo: readonly number[];
  readonly isWatched?: boolean;
  /** The process that holds the watch of each region. null if no process is known. */
  readonly holders?: readonly (string | null)[];
}

async function newMonitor({ storedAgo, isWatched = true, holders = [PROBE, PROBE] }: Given) {
  const { body, status } = await request(service.app)
    .post('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`)
    .send({ name: 'm', url: 'http://example.com/', regions: REGIONS, interval: 60 });
  expect(status).toBe(201);
  const monitorId: string = body.id;
  const slots = storedAgo.map((ms) => service.clock.nowMs - ms);
  const slotMs = Math.max(...slots);
  const outcomes = REGIONS.map((region) => ({ region, outcome: passingOutcome() }));
  await service.recorder.recordMonitorCheck({
    ...monitorRecord({ accountId: account.id, monitorId }),
    slotMs,
    nextSlotMs: slotMs + MINUTE,
    outcomes,
  });
  const stored = Object.fromEntries(slots.map((ms, index) => [`measured.${index}.slotMs`, ms]));
  const { models } = service.database.database;
  await models.statuses.updateOne(
    { _id: monitorId },
    { $set: { ...stored, isWatched, recordedSlotMs: Math.min(...slots) } },
  );
  await service.services.stores.watches.open(
    holders.flatMap((instance, index) => {
      const region = REGIONS[index] ?? '';
      const taskToken = `${monitorId} ${region}`;
      if (instance === null) return [];
      return [{ accountId: account.id, monitorId, region, instance, taskToken, openedAtMs: 1 }];
    }),
  );
  service.gateway.calls.length = 0;
  return monitorId;
}

const callsNow = () => service.gateway.calls.map(({ name, id }) => `${name} ${id}`).toSorted();
const LATE = 2 * MINUTE + 31 * SECOND;

test('a watch that is overdue in one region is ended there, and its workflow is notified', async () => {
  await hear(PROBE, MINUTE);
  await newMonitor({ storedAgo: [MINUTE, MINUTE] });
  const late = await newMonitor({ storedAgo: [MINUTE, LATE] });
  expect(await watchdog()).toBe(1);
  expect(callsNow()).toEqual([`endWatch ${late}`, `failWatch ${late} us-east`]);
  expect(notices).toEqual([{ region: 'us-east', count: '1', monitors: late }]);
  const { stores } = service.services;
  const left = await stores.watches.findHolders(
    REGIONS.map((region) => ({ monitorId: late, region })),
  );
  expect([...left.keys()]).toEqual([`${late} eu-west`]);
  expect(await stores.watches.readTotals()).toEqual([
    { region: 'us-east', handedOver: 0, returned: 1 },
  ]);
});

test('an overdue watch without a first result is ended, too', async () => {
  await hear(PROBE, MINUTE);
  const late = await newMonitor({ storedAgo: [LATE, LATE], isWatched: false });
  expect(await watchdog()).toBe(2);
  expect(callsNow()).toEqual([
    `endWatch ${late}`,
    `failWatch ${late} eu-west`,
    `failWatch ${late} us-east`,
  ]);
});

test('the workflow of a watch without a known probe is notified for ten minutes', async () => {
  await hear(PROBE, MINUTE);
  const late = await newMonitor({ storedAgo: [LATE, LATE], holders: [null, null] });
  await newMonitor({ storedAgo: [LATE, LATE].map((ms) => ms + 10 * MINUTE), holders: [] });
  expect(await watchdog()).toBe(2);
  expect(callsNow()).toEqual([
    `endWatch ${late}`,
    `failUnopenedWatch ${late} eu-west`,
    `failUnopenedWatch ${late} us-east`,
  ]);
});

test('a first watch that no probe has opened is ended, and a monitor without a watch is not changed', async () => {
  await hear(PROBE, MINUTE);
  const late = await newMonitor({ storedAgo: [LATE, LATE], isWatched: false, holders: [] });
  expect(await watchdog()).toBe(0);
  service.gateway.unopened.add(`${late} us-east`);
  expect(await watchdog()).toBe(1);
  expect(notices).toEqual([{ region: 'us-east', count: '1', monitors: late }]);
  expect(service.gateway.callsOf(late)).not.toContain('endWatch');
});

test('watches of a paused or deleted monitor are ignored', async () => {
  await hear(PROBE, MINUTE);
  const gone = await newMonitor({ storedAgo: [LATE, LATE] });
  await service.database.database.models.monitors.deleteOne({ _id: gone });
  const paused = await newMonitor({ storedAgo: [LATE, LATE] });
  await request(service.app)
    .post(`/v1/monitors/${paused}/pause`)
    .set('Authorization', `Bearer ${account.key}`);
  service.gateway.calls.length = 0;
  expect(await watchdog()).toBe(0);
  expect(callsNow()).toEqual([]);
});

test.each([
  ['no probe reports', async () => undefined],
  ['all probes have only just reported again', () => hear(PROBE, MINUTE - 1)],
  [
    'its holder has only just reported again',
    async () => {
      await hear('host:8:1', MINUTE);
      await hear(PROBE, MINUTE - 1);
    },
  ],
])(
  'an overdue watch is not ended while %s, since its result may be on its way',
  async (_, listen) => {
    await newMonitor({ storedAgo: [LATE, MINUTE] });
    await listen();
    expect(await watchdog()).toBe(0);
    expect(callsNow()).toEqual([]);
  },
);

test('an overdue watch found while Temporal is away is ended by the next pass', async () => {
  await hear(PROBE, MINUTE);
  const late = await newMonitor({ storedAgo: [MINUTE, LATE] });
  service.gateway.away = 'work';
  await expect(watchdog()).rejects.toThrow();
  service.gateway.away = null;
  expect(await watchdog()).toBe(1);
  expect(callsNow()).toEqual([`endWatch ${late}`, `failWatch ${late} us-east`]);
});

test('the watches of a process are listed in order of their next slots', async () => {
  const ids = [];
  for (const ago of [30 * SECOND, 50 * SECOND, 10 * SECOND])
    ids.push(await newMonitor({ storedAgo: [ago, ago], holders: [PROBE, 'host:8:1'] }));
  const held = await service.services.stores.watches.listHeldBy({
    instance: PROBE,
    region: 'eu-west',
  });
  expect(held.map(({ monitorId }) => monitorId)).toEqual([ids[1], ids[0], ids[2]]);
});
