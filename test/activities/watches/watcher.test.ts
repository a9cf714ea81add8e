/** Tests the watches of one probe, under a clock that only the tests move. */
import { ApplicationFailure } from '@temporalio/common';
import { pause } from '../../../src/activities/watches/pause';
import type { WatchAttempt } from '../../../src/activities/watches/running-watch';
import { createWatcher } from '../../../src/activities/watches/watcher';
import type { StepOutcome } from '../../../src/contracts/outcome';
import type {
  OpenedWatch,
  Watch,
  WatchedResult,
  WatchOpening,
  WatchReceipt,
} from '../../../src/contracts/watches';
import { readSteadyOutcome } from '../../../src/domain/health/steady-outcome';
import { outcomeOf } from '../../support/outcomes';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BEGIN = Date.UTC(2027, 0, 4, 9);

beforeEach(() => void jest.useFakeTimers({ now: BEGIN }));
afterEach(() => void jest.useRealTimers());

const UP = outcomeOf('up');

function watchOf(change: Partial<Watch> = {}): Watch {
  const expected = readSteadyOutcome(UP);
  if (expected === null) throw new Error('it is steady');
  return {
    accountId: 'acc_1',
    id: 'mon_1',
    revision: 1,
    region: 'eu-west',
    intervalMs: MINUTE,
    firstSlotMs: BEGIN + MINUTE,
    untilMs: null,
    expected,
    ...change,
  };
}

/** A probe with an API and targets whose responses the test sets. */
function probe() {
  const needs = {
    skewMs: 0,
    sent: [] as number[],
    beats: [] as string[],
    openings: [] as string[],
    open: async (_opening: WatchOpening): Promise<OpenedWatch> => ({
      isOpen: true,
      lastStoredMs: null,
    }),
    receive: async (_result: WatchedResult): Promise<WatchReceipt> => 'stored',
    answer: async (_slotMs: number): Promise<StepOutcome> => UP,
  };
  const watcher = createWatcher({
    runHttpStep: async ({ slotMs }) => {
      needs.sent.push(slotMs);
      return needs.answer(slotMs);
    },
    internalApi: {
      openWatches: async (watches) => {
        const opened = await Promise.all(watches.map((opening) => needs.open(opening)));
        for (const { taskToken } of watches) needs.openings.push(taskToken);
        return opened;
      },
      deliverResults: async (results) => Promise.all(results.map((one) => needs.receive(one))),
    },
    clock: { nowMs: () => Date.now() + needs.skewMs },
    isEnabled: true,
  });
  const begin = (watch = watchOf(), taskToken = 'token 1') => {
    const cancelling = new AbortController();
    const attempt: WatchAttempt = {
      taskToken,
      signal: cancelling.signal,
      beat: (words) => void needs.beats.push(words),
    };
    return { cancel: () => cancelling.abort(), ended: watcher.watch(watch, attempt) };
  };
  return Object.assign(needs, { watcher, begin });
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test.each([
  ['a check each day', DAY],
  ['a check every eleven minutes', 11 * MINUTE],
])(
  'with %s, Temporal gets a heartbeat of the watch at least every 15 minutes',
  async (_, intervalMs) => {
    const { begin, beats } = probe();
    const { cancel, ended } = begin(watchOf({ intervalMs, firstSlotMs: BEGIN + intervalMs }));
    for (let heard = 1; heard <= 4; heard += 1) {
      await pass(14 * MINUTE);
      expect(beats.length).toBeGreaterThanOrEqual(heard);
    }
    cancel();
    await pass(2_000);
    await ended;
    const { length } = beats;
    await pass(30 * MINUTE);
    expect(beats).toHaveLength(length);
  },
);

test('Temporal gets heartbeats of a watch even before the API has responded', async () => {
  const service = probe();
  service.open = () => Promise.reject(new Error('the API is away'));
  const { cancel } = service.begin();
  await pass(14 * MINUTE);
  expect(service.beats).toHaveLength(1);
  // Checks run although the API has not responded, because the workflow gave the watch its last slot.
  expect(service.sent.length).toBeGreaterThan(0);
  cancel();
  await pass(2_000);
});

test('a watch that is cancelled before the API responds is not opened later', async () => {
  const service = probe();
  service.open = () => Promise.reject(new Error('the API is away'));
  const { cancel, ended } = service.begin();
  await pass(10 * MINUTE);
  cancel();
  await pass(2_000);
  expect(await ended).toMatchObject({ kind: 'cancelled', end: { isConfirmed: false } });
  service.open = async () => ({ isOpen: true, lastStoredMs: null });
  service.begin(watchOf({ id: 'mon_2' }), 'token 2');
  await pass(5_000);
  expect(service.openings).toEqual(['token 2']);
});

test('a watch that the API refuses to open ends unconfirmed and sends no results', async () => {
  const service = probe();
  service.open = async () => ({ isOpen: false, lastStoredMs: null });
  const { ended } = service.begin();
  await pass(5_000);
  expect(await ended).toMatchObject({ kind: 'ended', end: { isConfirmed: false } });
  expect(service.sent).toEqual([]);
});

test('a watch ends unconfirmed after a refused result', async () => {
  const service = probe();
  service.receive = async () => 'outdated';
  const { ended } = service.begin();
  await pass(MINUTE + 5_000);
  expect(await ended).toMatchObject({ kind: 'ended', end: { found: null, isConfirmed: false } });
});

test('a process that was suspended past the end of its watch runs no further check', async () => {
  const service = probe();
  const { ended } = service.begin(watchOf({ untilMs: BEGIN + 3 * MINUTE }));
  await pass(MINUTE + 5_000);
  service.skewMs = 2 * MINUTE;
  await pass(2 * MINUTE);
  expect(service.sent).toEqual([BEGIN + MINUTE]);
  const lastStoredMs = BEGIN + MINUTE;
  expect(await ended).toMatchObject({ kind: 'ended', end: { lastStoredMs, isConfirmed: true } });
});

test('a watcher notices within a minute that the clock was set forward', async () => {
  const service = probe();
  service.begin(watchOf({ intervalMs: DAY, firstSlotMs: BEGIN + DAY }));
  await pass(5_000);
  service.skewMs = DAY - 2 * MINUTE;
  await pass(3 * MINUTE);
  expect(service.sent).toEqual([BEGIN + DAY]);
});

test('a new attempt of a watch continues after its previous attempt was cancelled', async () => {
  const service = probe();
  service.answer = () =>
    service.sent.length === 1 ? new Promise(() => undefined) : Promise.resolve(UP);
  const first = service.begin();
  await pass(MINUTE + 100);
  // A check is in flight. The cancelled watch gives it one more second.
  first.cancel();
  const second = service.begin(watchOf(), 'token 2');
  await pass(10 * MINUTE);
  expect(await first.ended).toEqual({ kind: 'replaced' });
  expect(await Promise.race([second.ended, Promise.resolve('goes on')])).toBe('goes on');
  expect(service.sent).toContain(BEGIN + 10 * MINUTE);
});

test.each([
  ['is invalid for the API', { ...UP, finishedAt: 'never' }],
  ['is too large for a delivery', { ...UP, assertions: tooMuch() }],
])(
  'an outcome that %s ends its own watch, and the results of other watches are still delivered',
  async (_, bad) => {
    const service = probe();
    const delivered: string[] = [];
    service.receive = async ({ monitorId, outcome }) => {
      if (outcome === bad) throw new Error('the API refuses the delivery');
      delivered.push(monitorId);
      return 'stored';
    };
    service.answer = async () => (service.sent.length === 1 ? bad : UP);
    const expected = readSteadyOutcome(bad);
    if (expected === null) throw new Error('it is steady');
    const odd = service.begin(
      watchOf({ id: 'mon_odd', expected, firstSlotMs: BEGIN + MINUTE - 1 }),
    );
    service.begin(watchOf({ id: 'mon_other' }), 'token 2');
    await pass(2 * MINUTE + 5_000);
    expect(await odd.ended).toMatchObject({ kind: 'ended', end: { found: null } });
    expect(delivered).toEqual(['mon_other', 'mon_other']);
  },
);

const HALF = 30_000;
/** The grid of a monitor whose interval was halved ten seconds after the start. */
const MOVED = {
  id: 'mon_1',
  revision: 1,
  version: 2,
  anchorMs: BEGIN + 10_000,
  intervalMs: HALF,
} as const;

test('after a change of the interval, a watch continues on the new schedule at once and delivers each slot once', async () => {
  const service = probe();
  const delivered: WatchedResult[] = [];
  service.receive = async (result) => {
    delivered.push(result);
    return 'stored';
  };
  const { cancel, ended } = service.begin();
  await pass(10_500);
  service.watcher.moveGrids([MOVED]);
  await pass(2 * HALF);
  service.watcher.moveGrids([MOVED]);
  await pass(HALF);
  const slots = [0, 1, 2, 3].map((index) => MOVED.anchorMs + index * HALF);
  expect(service.sent).toEqual(slots);
  cancel();
  await pass(2_000);
  expect(delivered.map(({ slotMs, nextSlotMs, gap }) => [slotMs, nextSlotMs, gap])).toEqual(
    slots.map((slotMs) => [slotMs, slotMs + HALF, null]),
  );
  const end = { lastStoredMs: slots.at(-1), found: null, isConfirmed: true };
  expect(await ended).toMatchObject({ kind: 'cancelled', end });
});

test('a watch ignores schedules with an older version, another revision or an unknown monitor', async () => {
  const service = probe();
  const grid = { version: 3, anchorMs: BEGIN, intervalMs: MINUTE };
  service.open = async () => ({ isOpen: true, lastStoredMs: null, grid });
  service.begin();
  await pass(1_000);
  service.watcher.moveGrids([
    MOVED,
    { ...MOVED, version: 4, revision: 2 },
    { ...MOVED, version: 4, id: 'mon_2' },
  ]);
  await pass(2 * MINUTE);
  expect(service.sent).toEqual([BEGIN + MINUTE, BEGIN + 2 * MINUTE]);
});

test('a watch continues after a refused result if the API knows a newer schedule', async () => {
  const service = probe();
  const anchorMs = BEGIN + MINUTE - 5_000;
  const stored: number[] = [];
  service.receive = async ({ slotMs, gap }) => {
    if ((slotMs - anchorMs) % HALF !== 0) return 'outdated';
    expect(gap).toBeNull();
    stored.push(slotMs);
    return 'stored';
  };
  const { ended } = service.begin();
  await pass(1_000);
  const grid = { version: 2, anchorMs, intervalMs: HALF };
  service.open = async () => ({ isOpen: true, lastStoredMs: null, grid });
  await pass(2 * MINUTE);
  expect(await Promise.race([ended, Promise.resolve('goes on')])).toBe('goes on');
  expect(stored).toEqual([0, 1, 2].map((index) => anchorMs + index * HALF));
});

test('a late refusal of a result from the former schedule does not end the watch', async () => {
  const service = probe();
  let answerLate = (_receipt: WatchReceipt): void => undefined;
  service.receive = () =>
    new Promise((resolve) => {
      answerLate = resolve;
    });
  const { ended } = service.begin();
  await pass(MINUTE + 2_000);
  service.watcher.moveGrids([{ ...MOVED, anchorMs: BEGIN + MINUTE + 1_500 }]);
  const stored: number[] = [];
  service.receive = async ({ slotMs }) => {
    stored.push(slotMs);
    return 'stored';
  };
  answerLate('outdated');
  await pass(HALF + 5_000);
  expect(await Promise.race([ended, Promise.resolve('goes on')])).toBe('goes on');
  expect(stored).toEqual([BEGIN + MINUTE + 1_500, BEGIN + MINUTE + 1_500 + HALF]);
});

test.each([
  ['is in flight', 100],
  ['waits for its delivery', 900],
])('a result that %s is kept when the interval changes after its slot', async (_, elapsedMs) => {
  const service = probe();
  const delivered: WatchedResult[] = [];
  service.receive = async (result) => {
    delivered.push(result);
    return 'stored';
  };
  service.answer = async () => {
    await pause(500);
    return UP;
  };
  service.begin();
  await pass(MINUTE + elapsedMs);
  const anchorMs = BEGIN + MINUTE + 14;
  service.watcher.moveGrids([{ ...MOVED, anchorMs }]);
  await pass(HALF + 5_000);
  expect(delivered.map(({ slotMs, nextSlotMs, gap }) => [slotMs, nextSlotMs, gap])).toEqual([
    [BEGIN + MINUTE, BEGIN + 2 * MINUTE, null],
    [anchorMs, anchorMs + HALF, null],
    [anchorMs + HALF, anchorMs + 2 * HALF, null],
  ]);
});

test('a failure at the slot before a change of the interval ends the watch', async () => {
  const service = probe();
  service.answer = async () => {
    await pause(500);
    return outcomeOf('down');
  };
  const { ended } = service.begin();
  await pass(MINUTE + 100);
  service.watcher.moveGrids([{ ...MOVED, anchorMs: BEGIN + MINUTE + 14 }]);
  await pass(5_000);
  expect(await ended).toMatchObject({ kind: 'ended', end: { found: { slotMs: BEGIN + MINUTE } } });
});

test('results that wait during a change of the interval report the slots missed before the change', async () => {
  const service = probe();
  const delivered: WatchedResult[] = [];
  let isAway = true;
  service.receive = async (result) => {
    if (isAway) throw new Error('the API does not respond');
    delivered.push(result);
    return 'stored';
  };
  service.answer = async (slotMs) => {
    if (slotMs === BEGIN + 2 * MINUTE)
      throw ApplicationFailure.create({ type: 'definition_unreadable' });
    return UP;
  };
  service.begin();
  await pass(3 * MINUTE + 20_000);
  const anchorMs = BEGIN + 3 * MINUTE + 10_000;
  service.watcher.moveGrids([{ ...MOVED, anchorMs }]);
  isAway = false;
  await pass(5_000);
  const missed = BEGIN + 2 * MINUTE;
  expect(delivered.map(({ slotMs, gap }) => [slotMs, gap])).toEqual([
    [BEGIN + MINUTE, null],
    [BEGIN + 3 * MINUTE, { reason: 'missed', fromSlotMs: missed, toSlotMs: missed, slots: 1 }],
    [anchorMs, null],
  ]);
});

test('a watch that opens after a change of the interval reports the unchecked slots before the change as missed', async () => {
  const service = probe();
  const delivered: WatchedResult[] = [];
  service.receive = async (result) => {
    delivered.push(result);
    return 'stored';
  };
  const anchorMs = BEGIN - 10_000;
  const grid = { version: 2, anchorMs, intervalMs: HALF };
  service.open = async () => ({ isOpen: true, lastStoredMs: BEGIN - 3 * MINUTE, grid });
  service.begin(watchOf({ firstSlotMs: BEGIN - 2 * MINUTE }));
  await pass(HALF);
  const span = { fromSlotMs: BEGIN - 2 * MINUTE, toSlotMs: BEGIN - MINUTE };
  expect(delivered.map(({ slotMs, gap }) => [slotMs, gap])).toEqual([
    [anchorMs, { ...span, reason: 'missed', slots: 2 }],
    [anchorMs + HALF, null],
  ]);
});

test('a probe reports no missed slots if the last stored slot is not on its schedule', async () => {
  const service = probe();
  const gaps: WatchedResult['gap'][] = [];
  service.receive = async ({ gap }) => {
    gaps.push(gap);
    return 'stored';
  };
  const grid = { version: 3, anchorMs: BEGIN - 10_000, intervalMs: HALF };
  service.open = async () => ({ isOpen: true, lastStoredMs: BEGIN - 2 * MINUTE - 500, grid });
  service.begin(watchOf({ firstSlotMs: BEGIN - 5 * MINUTE }));
  await pass(2_000);
  expect(gaps).toEqual([null]);
});

test('a probe that takes over a watch checks on the current schedule', async () => {
  const service = probe();
  const { version, anchorMs, intervalMs } = MOVED;
  const grid = { version, anchorMs, intervalMs };
  service.open = async () => ({ isOpen: true, lastStoredMs: anchorMs, grid });
  service.begin();
  await pass(MINUTE + 20_000);
  expect(service.sent).toEqual([anchorMs + HALF, anchorMs + 2 * HALF]);
});

function tooMuch(): StepOutcome['assertions'] {
  const found = { expected: 'x', actual: 'x'.repeat(60_000), ok: true, message: '' } as const;
  const how = { type: 'body', operator: 'contains', target: null, severity: 'fail' } as const;
  return Array.from({ length: 20 }, () => ({ ...how, ...found }));
}

test('results that wait for the API use at most 64 MiB', async () => {
  const service = probe();
  let isAway = true;
  const delivered: number[] = [];
  service.receive = async ({ slotMs }) => {
    if (isAway) throw new Error('the API is away');
    delivered.push(slotMs);
    return 'stored';
  };
  const large = { ...UP, assertions: tooMuch().slice(0, 10) };
  service.answer = async () => large;
  const expected = readSteadyOutcome(large);
  if (expected === null) throw new Error('it is steady');
  service.begin(watchOf({ intervalMs: 1_000, firstSlotMs: BEGIN + 1_000, expected }));
  await pass(200_000);
  isAway = false;
  await pass(100);
  await pass(20_000);
  const late = delivered.filter((slotMs) => slotMs <= BEGIN + 200_000).length;
  expect(late).toBeGreaterThan(80);
  expect(late).toBeLessThan(115);
});
