/** Tests how a probe with a wrong clock uses the clock of the API. */
import { createApiClock } from '../../../src/activities/watches/api-clock';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const DAY_MS = 24 * 3_600_000;

test('a probe with a wrong clock uses the clock of the API', () => {
  const clock = createApiClock();
  expect(clock.nowMs()).toBe(Date.now());
  clock.note(Date.now() + DAY_MS);
  jest.advanceTimersByTime(5_000);
  expect(clock.nowMs()).toBe(Date.now() + DAY_MS);
});

test('slow responses of the API never set the clock of a probe back', () => {
  const clock = createApiClock();
  clock.note(Date.now());
  const saidMs = Date.now();
  jest.advanceTimersByTime(800);
  clock.note(saidMs);
  expect(clock.nowMs()).toBe(Date.now());
});

test('if the clock of the API is set back, the clock of the probe follows within twenty minutes', () => {
  const clock = createApiClock();
  clock.note(Date.now());
  for (let minutes = 0; minutes < 21; minutes += 1) {
    jest.advanceTimersByTime(60_000);
    clock.note(Date.now() - 3_600_000);
  }
  expect(clock.nowMs()).toBe(Date.now() - 3_600_000);
});
