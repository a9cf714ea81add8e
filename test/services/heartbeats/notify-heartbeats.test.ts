/**
 * Tests how workflows are notified of pings. Notifications are batched, retried while Temporal is unavailable, and
 * repeated later if they were lost.
 */
import {
  createHeartbeatNotifier,
  notifyOverdueHeartbeats,
} from '../../../src/services/heartbeats/notify-heartbeats';
import { createFakeGateway } from '../fake-gateway';

const success = (monitorId: string) => ({ monitorId, isFailure: false });

/** Creates a clock with sleeps that the test ends. The time moves with each ended sleep. */
function stoppedClock() {
  let nowMs = 0;
  const waiting: { readonly ms: number; readonly wake: () => void }[] = [];
  return {
    clock: { now: () => nowMs },
    sleep: (ms: number) => new Promise<void>((wake) => waiting.push({ ms, wake })),
    /** Ends the next sleep. Returns its length in milliseconds. */
    async next(): Promise<number | undefined> {
      await new Promise(setImmediate);
      const sleeping = waiting.shift();
      nowMs += sleeping?.ms ?? 0;
      sleeping?.wake();
      await new Promise(setImmediate);
      return sleeping?.ms;
    },
  };
}

test('many pings within a second notify their workflow twice: at once and after the second', async () => {
  const gateway = createFakeGateway();
  const { sleep, next, clock } = stoppedClock();
  const { notify } = createHeartbeatNotifier({ gateway, sleep, clock });
  notify(success('mon_a'));
  await new Promise(setImmediate);
  for (let count = 0; count < 10; count += 1) notify(success('mon_a'));
  notify(success('mon_b'));
  await new Promise(setImmediate);
  expect(gateway.callsOf('mon_a')).toEqual(['notifyHeartbeat']);
  expect(gateway.callsOf('mon_b')).toEqual(['notifyHeartbeat']);
  expect(await next()).toBe(1_000);
  expect(gateway.callsOf('mon_a')).toEqual(['notifyHeartbeat', 'notifyHeartbeat']);
  await next();
  await next();
  expect(await next()).toBeUndefined();
  expect(gateway.calls).toHaveLength(3);
});

test('only a few workflows are notified at a time, once each and in the order of their pings', async () => {
  const gateway = createFakeGateway();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const slow = {
    ...gateway,
    notifyHeartbeat: (monitorId: string) => {
      begun.push(monitorId);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
  };
  const { notify } = createHeartbeatNotifier({
    gateway: slow,
    sleep: async () => undefined,
    clock: { now: () => 0 },
  });
  const ids = Array.from({ length: 40 }, (_, index) => `mon_${index}`);
  for (const id of [...ids, ...ids.slice(20)]) notify(success(id));
  await new Promise(setImmediate);
  expect(begun).toEqual(ids.slice(0, 16));
  for (let count = 0; count < ids.length; count += 1) {
    ends[count]?.();
    await new Promise(setImmediate);
  }
  expect(begun).toEqual(ids);
});

test('a notification of pings is retried while Temporal is away, and given up after a minute', async () => {
  const gateway = createFakeGateway();
  const { sleep, next, clock } = stoppedClock();
  const { notify } = createHeartbeatNotifier({ gateway, sleep, clock });
  gateway.away = 'work';
  notify(success('mon_a'));
  expect(await next()).toBe(2_000);
  gateway.away = null;
  await next();
  expect(gateway.callsOf('mon_a')).toEqual(['notifyHeartbeat']);
  await next();
  gateway.away = 'work';
  notify(success('mon_b'));
  let tries = 0;
  while ((await next()) !== undefined) tries += 1;
  expect(tries).toBe(30);
});

/** Creates a notifier with a flood of pings. The flood lasts for as many seconds as the test passes with `flood`. */
function floodNotifier() {
  const gateway = createFakeGateway();
  let nowMs = 0;
  let sleeping: (() => void)[] = [];
  const { notify } = createHeartbeatNotifier({
    gateway,
    clock: { now: () => nowMs },
    sleep: () => new Promise<void>((wake) => sleeping.push(wake)),
  });
  /** Moves the time by a second. Carries out `happens` before the sleepers wake up. */
  const passSecond = async (happens: () => Promise<void> = async () => undefined) => {
    nowMs += 1_000;
    await happens();
    const waking = sleeping;
    sleeping = [];
    for (const wake of waking) wake();
    await new Promise(setImmediate);
  };
  const flood = async () => {
    for (let count = 0; count < 250; count += 1) notify(success(`mon_${count}`));
    await new Promise(setImmediate);
  };
  return { gateway, notify, passSecond, flood };
}

test('in a flood of pings, workflows are notified of failures within a second', async () => {
  const { gateway, notify, passSecond, flood } = floodNotifier();
  await flood();
  notify({ monitorId: 'mon_248', isFailure: true });
  notify({ monitorId: 'mon_other', isFailure: true });
  // The notifier continues in the next second.
  await passSecond(flood);
  expect(gateway.callsOf('mon_248')).toEqual(['notifyHeartbeat']);
  expect(gateway.callsOf('mon_other')).toEqual(['notifyHeartbeat']);
  expect(gateway.callsOf('mon_249')).toEqual([]);
  await passSecond();
  expect(gateway.callsOf('mon_249')).toEqual(['notifyHeartbeat']);
});

test('a continuous flood of pings delays the notification of other pings by at most two minutes', async () => {
  const { gateway, passSecond, flood } = floodNotifier();
  await flood();
  let seconds = 0;
  while (gateway.callsOf('mon_249').length === 0 && seconds < 1_000) {
    await passSecond(flood);
    seconds += 1;
  }
  expect(seconds).toBe(120);
});

test('workflows of pings that are still pending after three minutes are found and notified once', async () => {
  const gateway = createFakeGateway();
  const asked: number[] = [];
  const listOverdueMonitors = async (beforeMs: number) => {
    asked.push(beforeMs);
    return ['mon_a', 'mon_b'];
  };
  const count = await notifyOverdueHeartbeats({
    gateway,
    clock: { now: () => 1_000_000 },
    stores: { pings: { listOverdueMonitors } },
  });
  expect(count).toBe(2);
  expect(asked).toEqual([820_000]);
  expect(gateway.calls.map(({ id }) => id)).toEqual(['mon_a', 'mon_b']);
});
