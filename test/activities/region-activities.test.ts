import { createRegionActivities } from '../../src/activities/region-activities';

const NOW_MS = 1_800_000_000_000;

function regions(lastPollMs: number | null) {
  let nowMs = NOW_MS;
  let asked = 0;
  const activities = createRegionActivities({
    readLastPollMs: async () => {
      asked += 1;
      return lastPollMs;
    },
    nowMs: () => nowMs,
  });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { ...activities, asked: () => asked, pass };
}

describe('a region', () => {
  it.each([
    ['is served when a probe asked for work just now', 0, true],
    ['is served when a probe asked five seconds ago', -5_000, true],
    ['is not served when nobody asked since', -5_001, false],
    ['is not called served where clocks differ', 5_001, false],
  ])('%s', async (_name, agoMs, isServed) => {
    await expect(regions(NOW_MS + agoMs).isRegionServed('eu')).resolves.toBe(isServed);
  });

  it('is not served when nobody ever asked', async () => {
    await expect(regions(null).isRegionServed('eu')).resolves.toBe(false);
  });

  it('is asked for once a second, however many want to know', async () => {
    const { isRegionServed, asked, pass } = regions(NOW_MS);
    await Promise.all([isRegionServed('eu'), isRegionServed('eu')]);
    pass(999);
    await isRegionServed('eu');
    expect(asked()).toBe(1);
    await isRegionServed('us');
    pass(1);
    await isRegionServed('eu');
    expect(asked()).toBe(3);
  });
});
