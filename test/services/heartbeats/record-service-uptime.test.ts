/**
 * Tests that a process records the times in which it can receive pings. From these times, outage windows are known
 * afterwards.
 */
import { recordServiceUptime } from '../../../src/services/heartbeats/record-service-uptime';

const HOUR_MS = 3_600_000;
const ANY_PAUSE = Number.POSITIVE_INFINITY;
const steadyNow = () => Date.now();

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('an API process records its uptime every two seconds until it ends', async () => {
  const noted: (readonly [number, number])[] = [];
  let isAway = false;
  const note = async (atMs: number, pauseMsMax: number) => {
    if (isAway) throw new Error('the database is away');
    noted.push([atMs, pauseMsMax]);
  };
  const startMs = Date.now();
  let shiftedMs = 0;
  const clock = { now: () => Date.now() + shiftedMs };
  const monitors = { hasHeartbeats: async () => true };
  const end = recordServiceUptime({
    stores: { monitors, serviceUptime: { note } },
    clock,
    steadyNow,
  });
  await jest.advanceTimersByTimeAsync(4_000);
  isAway = true;
  await jest.advanceTimersByTimeAsync(10_000);
  isAway = false;
  await jest.advanceTimersByTimeAsync(2_000);
  shiftedMs = HOUR_MS;
  await jest.advanceTimersByTimeAsync(2_000);
  end();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(noted.map(([atMs, pauseMsMax]) => [atMs - startMs, pauseMsMax])).toEqual([
    [0, 3_000],
    [2_000, ANY_PAUSE],
    [4_000, ANY_PAUSE],
    // This call follows a time without the database.
    [16_000, 10_000],
    // The clock was changed before this call. A change of the clock is not an outage.
    [HOUR_MS + 18_000, ANY_PAUSE],
  ]);
});

test('an API process records no uptime before a heartbeat exists', async () => {
  let hasHeartbeats = false;
  const noted: (readonly [number, number])[] = [];
  const note = async (atMs: number, pauseMsMax: number): Promise<void> => {
    noted.push([atMs, pauseMsMax]);
  };
  const monitors = { hasHeartbeats: async () => hasHeartbeats };
  const end = recordServiceUptime({
    stores: { monitors, serviceUptime: { note } },
    clock: { now: () => Date.now() },
    steadyNow,
  });
  await jest.advanceTimersByTimeAsync(6_000);
  expect(noted).toEqual([]);
  hasHeartbeats = true;
  const fromMs = Date.now();
  await jest.advanceTimersByTimeAsync(4_000);
  end();
  expect(noted).toEqual([
    [fromMs + 2_000, 3_000],
    [fromMs + 4_000, ANY_PAUSE],
  ]);
});
