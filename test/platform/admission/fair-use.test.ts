/** Tests when a group is slowed down in favour of other groups, with a clock that the test moves. */
import { createAdmission } from '../../../src/platform/admission/admission';
import { createFairUse } from '../../../src/platform/admission/fair-use';
import { createRandom } from '../../support/random';

const BOUNDS = {
  share: 0.5,
  crowdShare: 0.25,
  crowd: 4,
  burstMs: 1_000,
  expectedMs: 50,
  presentMs: 2_000,
};
/** Numbers of jobs in progress. CROWD is a flood. ONE is a group that sends one job after the other. */
const [CROWD, ONE] = [BOUNDS.crowd + 1, 1];

function fairUseAt() {
  const clock = { nowMs: 0, busyMs: 0 };
  const clocks = { steadyNow: () => clock.nowMs, busyMs: () => clock.busyMs };
  const use = createFairUse(BOUNDS, clocks);
  /** Runs a job that keeps the process busy for this time. */
  const run = (group: string, ms: number): void => {
    const end = use.begin(group);
    clock.nowMs += ms;
    clock.busyMs += ms;
    end();
  };
  return { clock, use, run };
}

test('a group is never slowed down while it is alone', () => {
  const { use, run } = fairUseAt();
  for (let index = 0; index < 100; index += 1) {
    expect(use.mayBegin('flood')).toBe(true);
    run('flood', 1_000);
  }
});

test('a group that has used up its saved time waits only while another group is present', () => {
  const { clock, use, run } = fairUseAt();
  run('flood', 1_100);
  expect(use.mayBegin('flood')).toBe(true);
  run('other', 1);
  expect(use.mayBegin('flood')).toBe(false);
  expect(use.mayBegin('other')).toBe(true);
  clock.nowMs += 2_001;
  expect(use.mayBegin('flood')).toBe(true);
});

test('a group that used much time while it was alone waits less than a second after other groups appear', () => {
  const { clock, use, run } = fairUseAt();
  run('flood', 600_000);
  run('other', 1);
  const deferredAtMs: number[] = [];
  for (let ms = 0; ms < 2_000; ms += 10) {
    use.noteJobs('flood', CROWD);
    if (!use.mayBegin('flood')) deferredAtMs.push(ms);
    run('other', 1);
    clock.nowMs += 9;
  }
  expect(deferredAtMs.length).toBeGreaterThan(50);
  expect(Math.max(...deferredAtMs)).toBeLessThan(1_000);
});

test.each([
  ['many jobs at once', 1, CROWD, BOUNDS.crowdShare],
  ['many jobs at once', 2, CROWD, BOUNDS.crowdShare],
  ['one job after the other', 3, ONE, BOUNDS.share],
  ['one job after the other', 4, ONE, BOUNDS.share],
])(
  'while another group is present, a group with %s uses only its share and its saved time (seed %i)',
  (_, seed, jobs, share) => {
    const random = createRandom(seed);
    const { clock, use, run } = fairUseAt();
    let usedMs = 0;
    while (clock.nowMs < 60_000) {
      run('other', 1);
      use.noteJobs('flood', jobs);
      if (!use.mayBegin('flood')) {
        clock.nowMs += 5;
        continue;
      }
      const ms = 1 + Math.floor(random() * 200);
      run('flood', ms);
      usedMs += ms;
    }
    const allowedMs = share * clock.nowMs + BOUNDS.burstMs;
    expect(usedMs).toBeLessThanOrEqual(allowedMs + 200);
    expect(usedMs).toBeGreaterThanOrEqual(allowedMs - 400);
  },
);

test('a long job does not keep the other jobs of its group waiting', () => {
  const { use, run } = fairUseAt();
  use.begin('long');
  for (let ms = 0; ms < 60_000; ms += 100) run('other', 100);
  expect(use.mayBegin('long')).toBe(true);
});

test('a group that has used most of its saved time begins jobs only while no other group runs a job', () => {
  const { use, run } = fairUseAt();
  run('flood', 700);
  const end = use.begin('other');
  expect(use.mayBegin('flood')).toBe(false);
  end();
  expect(use.mayBegin('flood')).toBe(true);
});

test('two groups with running jobs are charged the same time, however many jobs each group runs', () => {
  const { clock, use } = fairUseAt();
  use.begin('flood');
  for (let index = 0; index < 5; index += 1) use.begin('quiet');
  clock.nowMs += 800;
  clock.busyMs += 800;
  use.begin('flood');
  expect(use.mayBegin('quiet')).toBe(true);
});

test('jobs during which the process is idle do not use up the share of their group', () => {
  const { clock, use } = fairUseAt();
  use.begin('other');
  for (let index = 0; index < 15; index += 1) use.begin('waiting');
  clock.nowMs += 60_000;
  use.begin('other');
  expect(use.mayBegin('waiting')).toBe(true);
});

test('running jobs count with an expected time, so that a group cannot begin many jobs at the same moment', () => {
  const { use } = fairUseAt();
  use.begin('other');
  let begun = 0;
  for (; use.mayBegin('flood'); begun += 1) use.begin('flood');
  expect(begun).toBe(BOUNDS.burstMs / BOUNDS.expectedMs);
});

describe('fair use with a limited number of jobs at once', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test("a job that waits for its group's share begins by itself after a time, and blocks no other group", async () => {
    const bounds = { atOnce: 8, waitingMax: 8, waitMaxMs: 5_000 };
    const steadyNow = () => Date.now();
    const fairUse = createFairUse(BOUNDS, { steadyNow, busyMs: steadyNow });
    const admit = createAdmission(bounds, steadyNow, fairUse);
    const flood = await admit('flood');
    jest.advanceTimersByTime(1_100);
    flood?.();
    const other = await admit('other');
    const outcomes: string[] = [];
    void admit('flood').then(() => outcomes.push('flood'));
    const second = await admit('other');
    expect([second === null, outcomes]).toEqual([false, []]);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(outcomes).toEqual(['flood']);
    other?.();
    second?.();
  });
});
