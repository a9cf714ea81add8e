/** What a process says of itself while it can take pings, so that an absence is known afterwards. */
import { keepPresence } from '../../../src/services/heartbeats/keep-presence';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('it is noted every two seconds, strictly at first, until the process ends', async () => {
  const noted: (readonly [number, number])[] = [];
  let isAway = false;
  const note = async (atMs: number, pauseMsMax: number) => {
    if (isAway) throw new Error('the database is away');
    noted.push([atMs, pauseMsMax]);
  };
  const clock = { now: () => Date.now() };
  const startMs = clock.now();
  const monitors = { hasHeartbeats: async () => true };
  const end = keepPresence({ stores: { monitors, presence: { note } }, clock });
  await jest.advanceTimersByTimeAsync(4_000);
  isAway = true;
  await jest.advanceTimersByTimeAsync(2_000);
  isAway = false;
  await jest.advanceTimersByTimeAsync(2_000);
  end();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(noted.map(([atMs, pauseMsMax]) => [atMs - startMs, pauseMsMax])).toEqual([
    [0, 3_000],
    [2_000, 10_000],
    [4_000, 10_000],
    [8_000, 10_000],
  ]);
});

test('nothing is noted before there is a heartbeat', async () => {
  let hasHeartbeats = false;
  const noted: (readonly [number, number])[] = [];
  const note = async (atMs: number, pauseMsMax: number): Promise<void> => {
    noted.push([atMs, pauseMsMax]);
  };
  const monitors = { hasHeartbeats: async () => hasHeartbeats };
  const end = keepPresence({
    stores: { monitors, presence: { note } },
    clock: { now: () => Date.now() },
  });
  await jest.advanceTimersByTimeAsync(6_000);
  expect(noted).toEqual([]);
  hasHeartbeats = true;
  const fromMs = Date.now();
  await jest.advanceTimersByTimeAsync(4_000);
  end();
  expect(noted).toEqual([
    [fromMs + 2_000, 3_000],
    [fromMs + 4_000, 10_000],
  ]);
});
