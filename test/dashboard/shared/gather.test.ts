/** How changes are put together before pages read again. */
import { createGatherer } from '../../../src/dashboard/shared/data/gather';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('single checks wait for each other, and news does not wait for them', () => {
  const flushed: (readonly string[])[] = [];
  const gatherer = createGatherer((paths) => flushed.push(paths));
  gatherer.take({ kind: 'monitor', id: 'mon_1' });
  jest.advanceTimersByTime(1_000);
  gatherer.take({ kind: 'monitor', id: 'mon_2' });
  expect(flushed).toEqual([]);
  gatherer.take({ kind: 'incident', id: 'inc_1' });
  jest.advanceTimersByTime(300);
  expect(flushed).toHaveLength(1);
  expect(flushed[0]).toEqual(expect.arrayContaining(['/v1/monitors/mon_1', '/v1/incidents']));
  jest.advanceTimersByTime(10_000);
  expect(flushed).toHaveLength(1);
});

test('checks that never end are read every two seconds all the same', () => {
  let times = 0;
  const gatherer = createGatherer(() => {
    times += 1;
  });
  for (let at = 0; at < 100; at += 1) {
    gatherer.take({ kind: 'monitor', id: `mon_${at}` });
    jest.advanceTimersByTime(100);
  }
  gatherer.stop();
  expect(times).toBe(5);
});
