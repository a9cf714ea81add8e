/** Tests the steps of a run on a time axis, and the columns of the history. */

import {
  computeAxis,
  computeTicks,
  listStepNames,
} from '../../../src/dashboard/features/scenarios/runs/waterfall';
import type { Run } from '../../../src/dashboard/shared/data/api-types';

type Step = Run['steps'][number];

const START = Date.parse('2026-01-31T12:00:00.000Z');

function at(ms: number | null): string | null {
  return ms === null ? null : new Date(START + ms).toISOString();
}

function stepOf(index: number, from: number | null, to: number | null): Step {
  return {
    index,
    name: `step ${index}`,
    method: 'GET',
    status: to === null ? 'running' : 'passed',
    startedAt: at(from),
    finishedAt: at(to),
    responseTimeMs: null,
    timings: null,
    request: null,
    response: null,
    tls: null,
    assertions: [],
    failure: null,
    attempts: [],
    tries: 1,
    waitingUntil: null,
    extracted: [],
    skippedReason: null,
    cookies: [],
    notes: [],
  };
}

function runOf(steps: Step[], finishedAt: string | null): Run {
  return {
    id: 'run_00000000000000000000000000',
    scenarioId: 'scn_00000000000000000000000000',
    environment: null,
    revision: 1,
    trigger: 'manual',
    label: null,
    source: null,
    region: 'eu-west',
    status: finishedAt === null ? 'running' : 'passed',
    slot: at(0) ?? '',
    queuedAt: at(0) ?? '',
    startedAt: at(0),
    finishedAt,
    durationMs: null,
    steps,
    failure: null,
    countedInUptime: false,
    links: { self: '', temporal: { workflowId: '', url: null } },
  };
}

describe('The axis of a run', () => {
  it('the axis of a run places every step at its time in the run', () => {
    const { totalMs, bars } = computeAxis(
      runOf([stepOf(0, 0, 100), stepOf(1, 100, 400)], at(400)),
      0,
    );
    expect(totalMs).toBe(400);
    expect(bars).toMatchObject([
      { index: 0, left: 0, width: 25, ms: 100 },
      { index: 1, left: 25, width: 75, ms: 300 },
    ]);
  });

  it('the axis of a run extends a running step to the present, and omits steps that were never sent', () => {
    const run = runOf([stepOf(0, 0, 500), stepOf(1, 500, null), stepOf(2, null, null)], null);
    const { totalMs, bars } = computeAxis(run, START + 1_000);
    expect(totalMs).toBe(1_000);
    expect(bars[1]).toMatchObject({ index: 1, left: 50, width: 50, ms: 500 });
    expect(bars[1]?.requests).toEqual([{ left: 50, width: 50 }]);
    expect(bars[2]?.left).toBeNull();
  });

  it('the axis of a run separates request time from waiting time for each attempt', () => {
    const attempt = (from: number, ms: number) => ({
      startedAt: at(from) ?? '',
      responseTimeMs: ms,
      status: 200,
      failure: null,
    });
    const once = { ...stepOf(0, 0, 200), responseTimeMs: 50 };
    const twice = { ...stepOf(1, 200, 400), attempts: [attempt(250, 40), attempt(300, 50)] };
    const { bars } = computeAxis(runOf([once, twice], at(400)), 0);
    expect(bars[0]?.requests).toEqual([{ left: 37.5, width: 12.5 }]);
    expect(bars[1]?.requests).toEqual([
      { left: 62.5, width: 10 },
      { left: 75, width: 12.5 },
    ]);
  });

  it.each([
    ['early', 148],
    ['late', -52],
    ['hours early', 3_600_000],
  ])(
    'the axis of a run shows requests in full length if the clock of their probe is %s',
    (_, from) => {
      const attempts = [from, from + 60].map((ms) => ({
        startedAt: at(ms) ?? '',
        responseTimeMs: 40,
        status: 200,
        failure: null,
      }));
      const { bars } = computeAxis(runOf([{ ...stepOf(0, 0, 200), attempts }], at(200)), 0);
      const [first, second] = bars[0]?.requests ?? [];
      expect([first?.width, second?.width]).toEqual([20, 20]);
      expect((second?.left ?? 0) - (first?.left ?? 0)).toBe(30);
      expect([(first?.left ?? -1) >= 0, (second?.left ?? 100) <= 80]).toEqual([true, true]);
    },
  );

  it('the axis of a run keeps every bar on the axis and wide enough to be seen', () => {
    const run = runOf([stepOf(0, 0, 0), stepOf(1, 100_000, 100_000)], at(100_000));
    for (const { left, width } of computeAxis(run, 0).bars) {
      expect(width).toBeGreaterThan(0);
      expect((left ?? 0) + width).toBeLessThanOrEqual(100);
    }
  });

  it('the axis of a run has three to six ticks at equal distances, and no room for another one', () => {
    for (const totalMs of [1, 3, 47, 624, 792, 1_199, 1_200, 5_000, 90_000, 604_800_000]) {
      const ticks = computeTicks(totalMs);
      const [first, second = 0] = ticks;
      expect(first).toBe(0);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks).toEqual(ticks.map((_, index) => index * second));
      expect(ticks.at(-1)).toBeLessThanOrEqual(totalMs);
      expect(ticks.length * second).toBeGreaterThan(totalMs);
    }
  });
});

test('the history of runs has a row for each step name, starting with the steps of the newest run', () => {
  const newest = runOf([stepOf(2, 0, 1), stepOf(0, 1, 2)], at(2));
  const older = runOf([stepOf(0, 0, 1), stepOf(1, 1, 2)], at(2));
  expect(listStepNames([newest, older])).toEqual(['step 2', 'step 0', 'step 1']);
});
