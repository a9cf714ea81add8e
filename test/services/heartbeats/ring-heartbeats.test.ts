/** Workflows hear of pings: not too often, again while Temporal is away, and later what was forgotten. */
import { createBell, ringWaiting } from '../../../src/services/heartbeats/ring-heartbeats';
import { createFakeGateway } from '../fake-gateway';

/** Sleeps that end when the test says so. */
function stoppedClock() {
  const waiting: { readonly ms: number; readonly wake: () => void }[] = [];
  return {
    sleep: (ms: number) => new Promise<void>((wake) => waiting.push({ ms, wake })),
    /** Ends the next sleep; how long it would have been. */
    async next(): Promise<number | undefined> {
      await new Promise(setImmediate);
      const sleeping = waiting.shift();
      sleeping?.wake();
      await new Promise(setImmediate);
      return sleeping?.ms;
    },
  };
}

test('many pings within a second notify their workflow twice: at once, and once after it', async () => {
  const gateway = createFakeGateway();
  const { sleep, next } = stoppedClock();
  const { ring } = createBell({ gateway, sleep });
  ring('mon_a');
  await new Promise(setImmediate);
  for (let count = 0; count < 10; count += 1) ring('mon_a');
  ring('mon_b');
  await new Promise(setImmediate);
  expect(gateway.callsOf('mon_a')).toEqual(['ringHeartbeat']);
  expect(gateway.callsOf('mon_b')).toEqual(['ringHeartbeat']);
  expect(await next()).toBe(1_000);
  expect(gateway.callsOf('mon_a')).toEqual(['ringHeartbeat', 'ringHeartbeat']);
  await next();
  await next();
  expect(await next()).toBeUndefined();
  expect(gateway.calls).toHaveLength(3);
});

test('few are notified at a time, in the order of their pings, and each of them once', async () => {
  const gateway = createFakeGateway();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const slow = {
    ...gateway,
    ringHeartbeat: (monitorId: string) => {
      begun.push(monitorId);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
  };
  const { ring } = createBell({ gateway: slow, sleep: async () => undefined });
  const ids = Array.from({ length: 40 }, (_, index) => `mon_${index}`);
  for (const id of [...ids, ...ids.slice(20)]) ring(id);
  await new Promise(setImmediate);
  expect(begun).toEqual(ids.slice(0, 16));
  for (let count = 0; count < ids.length; count += 1) {
    ends[count]?.();
    await new Promise(setImmediate);
  }
  expect(begun).toEqual(ids);
});

test('while Temporal is away it tries again, and gives up after a minute', async () => {
  const gateway = createFakeGateway();
  const { sleep, next } = stoppedClock();
  const { ring } = createBell({ gateway, sleep });
  gateway.away = 'work';
  ring('mon_a');
  expect(await next()).toBe(2_000);
  gateway.away = null;
  await next();
  expect(gateway.callsOf('mon_a')).toEqual(['ringHeartbeat']);
  await next();
  gateway.away = 'work';
  ring('mon_b');
  let tries = 0;
  while ((await next()) !== undefined) tries += 1;
  expect(tries).toBe(30);
});

test('what is still pending after a minute is found and notified once', async () => {
  const gateway = createFakeGateway();
  const asked: number[] = [];
  const listOverdueMonitors = async (beforeMs: number) => {
    asked.push(beforeMs);
    return ['mon_a', 'mon_b'];
  };
  const count = await ringWaiting({
    gateway,
    clock: { now: () => 1_000_000 },
    stores: { pings: { listOverdueMonitors } },
  });
  expect(count).toBe(2);
  expect(asked).toEqual([940_000]);
  expect(gateway.calls.map(({ id }) => id)).toEqual(['mon_a', 'mon_b']);
});
