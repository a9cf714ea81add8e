/**
 * Tests when a probe is considered lost. This happens if the probe is silent while this API could receive its reports.
 */
import type { ProbeInstance } from '../../../src/models/watches/watches';
import { createLostProbeCheck } from '../../../src/services/watches/notice-lost-probes';

const START_MS = 1_800_000_000_000;

/** Creates an API that polls every two seconds. It has its own clock. */
function api() {
  let passedMs = 0;
  const instances = new Map<string, ProbeInstance>();
  const withWatches = new Set<string>();
  const handedOver: string[] = [];
  const notices: string[] = [];
  const faults = { isDatabaseAway: false, isTemporalAway: false, readTakesMs: 0 };
  const look = createLostProbeCheck({
    clock: { now: () => START_MS + passedMs },
    steadyNow: () => passedMs,
    stores: {
      watches: {
        listInstances: async () => {
          if (faults.isDatabaseAway) throw new Error('the database is away');
          const read = [...instances.values()];
          passedMs += faults.readTakesMs;
          return read;
        },
        hasWatches: async ({ instance }) => withWatches.has(instance),
        forgetInstance: async ({ instance }, beforeMs) => {
          if ((instances.get(instance)?.lastSeenAtMs ?? beforeMs) < beforeMs)
            instances.delete(instance);
        },
      },
    },
    gateway: {
      handOver: async ({ instance }) => {
        if (faults.isTemporalAway) throw new Error('Temporal is away');
        handedOver.push(instance);
        withWatches.delete(instance);
      },
    },
    notifyOperator: ({ instance }) => notices.push(String(instance)),
  });
  const say = (instance: string): void => {
    const lastSeenAtMs = START_MS + passedMs;
    instances.set(instance, { instance, region: 'eu', lastSeenAtMs, heardSinceMs: lastSeenAtMs });
  };
  return {
    instances,
    handedOver,
    notices,
    faults,
    say,
    /** Registers a probe with a watch. */
    begin: (instance: string): void => {
      withWatches.add(instance);
      say(instance);
    },
    /** Moves the clock as if nothing ran in this process during this time. */
    standStill: (ms: number): void => {
      passedMs += ms;
    },
    /** Passes this many seconds of normal polling, in which the given probes report. */
    pass: async (seconds: number, ...alive: readonly string[]): Promise<void> => {
      for (let second = 0; second < seconds; second += 2) {
        passedMs += 2_000;
        for (const instance of alive) say(instance);
        await look();
      }
    },
  };
}

test('only watches of probes that have been silent for six seconds are handed over', async () => {
  const { begin, pass, handedOver, notices } = api();
  begin('silent');
  begin('alive');
  await pass(8, 'alive', 'silent');
  await pass(6, 'alive');
  expect(handedOver).toEqual([]);
  await pass(2, 'alive');
  expect([handedOver, notices]).toEqual([['silent'], ['silent']]);
  await pass(60, 'alive');
  expect(handedOver).toEqual(['silent']);
});

test('a silent probe without watches is not handed over, and is forgotten after ten minutes', async () => {
  const { say, pass, handedOver, instances } = api();
  say('idle');
  await pass(9 * 60);
  expect(instances.size).toBe(1);
  await pass(2 * 60);
  expect([handedOver, instances.size]).toEqual([[], 0]);
});

test("an API that has just started observes a probe for six seconds before it hands over the probe's watches", async () => {
  const { begin, pass, standStill, handedOver } = api();
  begin('probe');
  standStill(3_600_000);
  await pass(6);
  expect(handedOver).toEqual([]);
  await pass(2);
  expect(handedOver).toEqual(['probe']);
});

test.each(['its event loop stood still', 'the database was away'])(
  'after %s, an API counts the silence of probes from zero, and a live probe keeps its watches',
  async (why) => {
    const { begin, pass, standStill, faults, handedOver } = api();
    begin('probe');
    await pass(20, 'probe');
    if (why === 'the database was away') {
      faults.isDatabaseAway = true;
      await pass(60);
      faults.isDatabaseAway = false;
    } else standStill(60_000);
    await pass(6);
    expect(handedOver).toEqual([]);
    await pass(20, 'probe');
    expect(handedOver).toEqual([]);
  },
);

test('a database that takes seconds to respond does not make a probe silent', async () => {
  const { begin, pass, faults, handedOver } = api();
  begin('probe');
  await pass(20, 'probe');
  faults.readTakesMs = 8_000;
  await pass(20, 'probe');
  expect(handedOver).toEqual([]);
});

test('while Temporal is away, every pass tries the hand-over again, and the operator is notified once', async () => {
  const { begin, pass, faults, handedOver, notices } = api();
  begin('probe');
  faults.isTemporalAway = true;
  await pass(30);
  expect(handedOver).toEqual([]);
  faults.isTemporalAway = false;
  await pass(2);
  expect([handedOver, notices]).toEqual([['probe'], ['probe']]);
});
