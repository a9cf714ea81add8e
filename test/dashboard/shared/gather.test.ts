/** Tests how changes are batched before pages reload data. */
import { createGatherer } from '../../../src/dashboard/shared/data/gather';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a delayed reload of data is combined with the next urgent reload', () => {
  const flushed: (readonly string[])[] = [];
  const gatherer = createGatherer((paths) => flushed.push(paths));
  gatherer.take(['/v1/monitors/mon_1'], 2_000);
  jest.advanceTimersByTime(1_000);
  gatherer.take(['/v1/monitors/mon_2'], 2_000);
  expect(flushed).toEqual([]);
  gatherer.take(['/v1/incidents'], 300);
  jest.advanceTimersByTime(300);
  expect(flushed).toEqual([['/v1/monitors/mon_1', '/v1/monitors/mon_2', '/v1/incidents']]);
  jest.advanceTimersByTime(10_000);
  expect(flushed).toHaveLength(1);
});

test('the dashboard reloads data every two seconds even if changes never stop', () => {
  let times = 0;
  const gatherer = createGatherer(() => {
    times += 1;
  });
  for (let at = 0; at < 100; at += 1) {
    gatherer.take([`/v1/monitors/mon_${at}`], 2_000);
    jest.advanceTimersByTime(100);
  }
  gatherer.stop();
  expect(times).toBe(5);
});
