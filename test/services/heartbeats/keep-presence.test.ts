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
  const end = keepPresence({ stores: { presence: { note } }, clock });
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
