/**
 * Tests how pings and missing pings change the state of a job, without a clock and without Temporal.
 *
 * Covers:
 * - domain/health/instant-words
 */
import type {
  HeartbeatProgress,
  HeartbeatRules,
  OutageWindow,
  Ping,
} from '../../../src/contracts/heartbeat';
import {
  computeFreshDueMs,
  judgePing,
  judgeSilence,
  NO_PROGRESS,
  nextDeadlineMs,
  type Silence,
} from '../../../src/domain/heartbeats/heartbeat';
import { HOURLY } from '../../support/outcomes';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CRON: HeartbeatRules = { ...HOURLY, schedule: { cron: '0 * * * *', timeZone: 'UTC' } };
const NOTHING = { absences: [], nextDueMs: null };

function ping(change: Partial<Ping> = {}): Ping {
  const quiet = { exitCode: null, runId: '', failedOn: null, text: null, nextDueMs: null };
  return { id: 'png_1', atMs: 0, kind: 'success', ...quiet, ...change };
}

const pinged: HeartbeatProgress = { ...NO_PROGRESS, lastPingAtMs: 0, dueAtMs: HOUR };

test('a ping moves the due time by the schedule, but a log message does not', () => {
  expect(judgePing(NO_PROGRESS, ping(), HOURLY).progress).toEqual(pinged);
  expect(judgePing(NO_PROGRESS, ping({ nextDueMs: 7 }), CRON).progress.dueAtMs).toBe(7);
  expect(judgePing(pinged, ping({ kind: 'log', atMs: 9 }), HOURLY)).toEqual({
    progress: pinged,
    verdict: null,
  });
});

test('at most twenty runs of a heartbeat are in progress, and another start drops the oldest run', () => {
  let progress = NO_PROGRESS;
  for (let run = 0; run < 21; run += 1)
    progress = judgePing(
      progress,
      ping({ kind: 'start', runId: `${run}`, atMs: run }),
      HOURLY,
    ).progress;
  expect(progress.running.map(({ runId }) => runId)).toHaveLength(20);
  expect(progress.running[0]?.runId).toBe('1');
});

test('a missing ping is late first and missed later, and several missed pings give one result', () => {
  const at = (nowMs: number) => ({ nowMs, rules: HOURLY, isDown: false, read: NOTHING });
  expect(judgeSilence(pinged, at(HOUR - 1)).verdict).toBeNull();
  const late = judgeSilence(pinged, at(HOUR));
  expect(late.verdict).toMatchObject({ atMs: HOUR, outcome: { status: 'degraded' } });
  expect(judgeSilence(late.progress, at(HOUR + 1)).verdict).toBeNull();
  const missed = judgeSilence(pinged, at(3 * HOUR + 6 * MINUTE));
  expect(missed.verdict).toMatchObject({ outcome: { failure: { code: 'heartbeat_missed' } } });
  expect(missed.progress.dueAtMs).toBe(4 * HOUR);
});

test('times in heartbeat messages name their zone, as in alerts', () => {
  const at = (nowMs: number, absences: readonly OutageWindow[] = []) => {
    const silence = { nowMs, rules: HOURLY, isDown: false, read: { absences, nextDueMs: null } };
    return judgeSilence(pinged, silence).verdict?.outcome.failure?.message;
  };
  expect([at(HOUR), at(2 * HOUR), at(2 * HOUR, [{ fromMs: HOUR, toMs: HOUR + MINUTE }])]).toEqual([
    'No ping yet; it was due at 1970-01-01 01:00:00 UTC.',
    'No ping; it was due at 1970-01-01 01:00:00 UTC, with 5 min of grace.',
    'Keepwatch could not receive pings from 1970-01-01 01:00:00 UTC to 1970-01-01 01:01:00 UTC. One may have been lost.',
  ]);
});

test('an outage window of the API restarts an interval schedule, and skips a due time of a cron schedule', () => {
  const absences = [{ fromMs: HOUR - 1, toMs: HOUR + MINUTE }];
  const silence = { nowMs: HOUR + 6 * MINUTE, isDown: false };
  const every = judgeSilence(pinged, {
    ...silence,
    rules: HOURLY,
    read: { absences, nextDueMs: null },
  });
  expect(every.progress.dueAtMs).toBe(2 * HOUR + MINUTE);
  const cron = judgeSilence(pinged, {
    ...silence,
    rules: CRON,
    read: { absences, nextDueMs: 2 * HOUR },
  });
  expect(cron.progress.dueAtMs).toBe(2 * HOUR);
  for (const { verdict } of [every, cron]) expect(verdict?.outcome.status).toBe('unknown');
});

test('a run that takes too long gives the result down once, or no result if its end may have been reported and lost', () => {
  const rules = { ...HOURLY, maxRunMs: 10 * MINUTE };
  const running = [{ runId: '', startedAtMs: 0, isOverdue: false }];
  const silence = { nowMs: 11 * MINUTE, rules, isDown: false };
  const absences = [{ fromMs: 9 * MINUTE, toMs: 9 * MINUTE + 1 }];
  const lost = judgeSilence(
    { ...pinged, running },
    { ...silence, read: { absences, nextDueMs: null } },
  );
  expect(lost).toEqual({ progress: pinged, verdict: null });
  const long = judgeSilence({ ...pinged, running }, { ...silence, read: NOTHING });
  expect(long.verdict).toMatchObject({ atMs: 10 * MINUTE, outcome: { status: 'down' } });
  expect(judgeSilence(long.progress, { ...silence, read: NOTHING }).verdict).toBeNull();
});

test('the next deadline of a heartbeat is the due time, the end of grace, or a time limit of a run', () => {
  expect(nextDeadlineMs(NO_PROGRESS, HOURLY, false)).toBeNull();
  expect(nextDeadlineMs(pinged, HOURLY, false)).toBe(HOUR);
  expect(nextDeadlineMs({ ...pinged, isLate: true }, HOURLY, false)).toBe(HOUR + 5 * MINUTE);
  const running = [{ runId: '', startedAtMs: 0, isOverdue: false }];
  expect(nextDeadlineMs({ ...pinged, running }, { ...HOURLY, maxRunMs: MINUTE }, false)).toBe(
    MINUTE,
  );
});

test('a new due time of a heartbeat counts from now, and a heartbeat without a ping has no due time', () => {
  const now = { nowMs: 5, nextDueMs: 9 };
  expect(computeFreshDueMs(NO_PROGRESS, HOURLY, now)).toBe(NO_PROGRESS);
  expect(computeFreshDueMs({ ...pinged, dueAtMs: null }, HOURLY, now).dueAtMs).toBe(5 + HOUR);
  expect(computeFreshDueMs({ ...pinged, dueAtMs: null }, CRON, now).dueAtMs).toBe(9);
});

describe('the end of a run', () => {
  const RUN = { runId: 'a' };
  const begun = (atMs = 0) =>
    judgePing(NO_PROGRESS, ping({ ...RUN, kind: 'start', atMs }), HOURLY).progress;
  const ended = (change: Partial<Ping>, rules = HOURLY, startedAtMs = 0) =>
    judgePing(begun(startedAtMs), ping({ ...RUN, atMs: 90_000, ...change }), rules).verdict;

  test('the end of a run gives a result with the time and duration of the run', () => {
    const verdict = ended({ exitCode: 0, text: 'done' });
    expect(verdict).toMatchObject({
      atMs: 90_000,
      outcome: {
        status: 'up',
        failure: null,
        responseTimeMs: 90_000,
        startedAt: '1970-01-01T00:00:00.000Z',
        finishedAt: '1970-01-01T00:01:30.000Z',
        job: { exitCode: 0, text: null },
      },
    });
    expect(judgePing(begun(), ping({ ...RUN, kind: 'start', atMs: 9 }), HOURLY).verdict).toBeNull();
  });

  test('the end of a run without a start has no duration', () => {
    const alone = judgePing(NO_PROGRESS, ping({ ...RUN, atMs: 7 }), HOURLY).verdict;
    expect(alone?.outcome).toMatchObject({
      responseTimeMs: null,
      startedAt: '1970-01-01T00:00:00.007Z',
      finishedAt: '1970-01-01T00:00:00.007Z',
    });
    expect(ended({ atMs: 5 }, HOURLY, 9)?.outcome.responseTimeMs).toBe(0);
  });

  test.each<[string, Partial<Ping>, string]>([
    ['an exit code', { exitCode: 3 }, 'Job failed with exit code 3.'],
    ['an exit code and a text', { exitCode: 3, text: 'oh' }, 'Job failed with exit code 3: oh'],
    ['a failure', { kind: 'fail', text: 'no disk' }, 'Job failed: no disk'],
    ['a failure without text', { kind: 'fail', text: '' }, 'Job failed.'],
    [
      'a text of many lines',
      { exitCode: 3, text: `${'line\n'.repeat(20)}no disk\n` },
      `Job failed with exit code 3: …\n${'line\n'.repeat(9)}no disk`,
    ],
    [
      'a failure word in its output',
      { failedOn: 'contains “ERROR”', text: 'ERROR 7' },
      'Job output contains “ERROR”: ERROR 7',
    ],
  ])(
    'the end of a run with %s gives the result down, with this reason and the text of the job',
    (_what, change, message) => {
      expect(ended(change)).toMatchObject({
        outcome: {
          status: 'down',
          failure: { code: 'job_failed', message, phase: null },
          job: { exitCode: change.exitCode ?? null, text: change.text ?? null },
        },
      });
    },
  );

  test('the end of a run gives the result down if the run was longer or shorter than allowed', () => {
    const atMost = { ...HOURLY, maxRunMs: 90_000 };
    expect(ended({}, atMost)?.outcome.status).toBe('up');
    expect(ended({ atMs: 90_001 }, atMost)?.outcome.failure).toMatchObject({
      code: 'run_too_long',
      message: 'The run took longer than 90 s.',
    });
    const atLeast = { ...HOURLY, minRunMs: 90_000 };
    expect(ended({}, atLeast)?.outcome.status).toBe('up');
    expect(ended({ atMs: 89_999 }, atLeast)?.outcome.failure).toMatchObject({
      code: 'run_too_short',
      message: 'The run was over in less than 90 s.',
    });
    const unknown = judgePing(NO_PROGRESS, ping({ ...RUN, atMs: 1 }), atLeast);
    expect(unknown.verdict?.outcome.status).toBe('up');
  });

  test.each([
    [60_000, '1 min'],
    [61_000, '61 s'],
    [7_200_000, '2 h'],
    [5_400_000, '90 min'],
    [0, '0 s'],
  ])('the end of a run shows a duration of %d ms as %s', (maxRunMs, words) => {
    const { failure } = ended({ atMs: 8_000_000 }, { ...HOURLY, maxRunMs })?.outcome ?? {};
    expect(failure?.message).toBe(`The run took longer than ${words}.`);
  });

  test('the end of a run ends only that run, and an older ping changes no times', () => {
    const two = judgePing(begun(), ping({ kind: 'start', runId: 'b', atMs: 5 }), HOURLY).progress;
    const { progress } = judgePing(two, ping({ ...RUN, atMs: 4 }), HOURLY);
    expect(progress.running).toEqual([{ runId: 'b', startedAtMs: 5, isOverdue: false }]);
    expect(progress.lastPingAtMs).toBe(5);
  });
});

describe('a missing ping', () => {
  const at = (nowMs: number, change: Partial<Silence> = {}): Silence => {
    return { nowMs, rules: HOURLY, isDown: false, read: NOTHING, ...change };
  };

  test('a ping is not missing if the job has never been due', () => {
    expect(judgeSilence(NO_PROGRESS, at(10 * HOUR))).toEqual({
      progress: NO_PROGRESS,
      verdict: null,
    });
  });

  test('a missing ping is late from the due time, and missed from the end of the grace period', () => {
    const late = judgeSilence(pinged, at(HOUR));
    expect(late.progress).toEqual({ ...pinged, isLate: true });
    expect(late.verdict?.outcome).toMatchObject({
      failure: { code: 'heartbeat_late' },
      startedAt: '1970-01-01T01:00:00.000Z',
      job: { exitCode: null, text: null },
    });
    expect(judgeSilence(pinged, at(HOUR, { isDown: true })).verdict).toBeNull();
    const end = HOUR + 5 * MINUTE;
    expect(judgeSilence(late.progress, at(end - 1)).verdict).toBeNull();
    const missed = judgeSilence(late.progress, at(end, { isDown: true }));
    expect(missed.verdict).toMatchObject({ atMs: end, outcome: { status: 'down' } });
    expect(missed.progress).toEqual({ ...pinged, dueAtMs: 2 * HOUR, isLate: false });
  });

  test('after missing pings, the next due time is the first whose grace period has not ended', () => {
    const dueAfter = (nowMs: number) => judgeSilence(pinged, at(nowMs)).progress.dueAtMs;
    expect(dueAfter(2 * HOUR + 5 * MINUTE - 1)).toBe(2 * HOUR);
    expect(dueAfter(2 * HOUR + 5 * MINUTE)).toBe(3 * HOUR);
    const read = { absences: [], nextDueMs: 7 * HOUR };
    const cron = judgeSilence(pinged, at(2 * HOUR, { rules: CRON, read }));
    expect(cron.progress.dueAtMs).toBe(7 * HOUR);
  });

  test('a missing ping is excused only by an outage window of the API in which the ping may have been lost', () => {
    const statusWith = (absence: OutageWindow, rules = HOURLY) => {
      const read = { absences: [absence], nextDueMs: 2 * HOUR };
      return judgeSilence(pinged, at(2 * HOUR, { rules, read })).verdict?.outcome.status;
    };
    expect(statusWith({ fromMs: MINUTE, toMs: 2 * MINUTE })).toBe('unknown');
    expect(statusWith({ fromMs: -9, toMs: 0 })).toBe('down');
    const graceEndsMs = HOUR + 5 * MINUTE;
    expect(statusWith({ fromMs: graceEndsMs, toMs: graceEndsMs + 1 })).toBe('unknown');
    expect(statusWith({ fromMs: graceEndsMs + 1, toMs: graceEndsMs + 2 })).toBe('down');
    // For a cron schedule, a slightly early ping counts. So an outage that ends up to a minute before the due time also
    // excuses a missing ping.
    expect(statusWith({ fromMs: 0, toMs: HOUR - MINUTE }, CRON)).toBe('down');
    expect(statusWith({ fromMs: 0, toMs: HOUR - MINUTE + 1 }, CRON)).toBe('unknown');
  });

  test('of several outage windows, the one that ends last excuses a missing ping and sets the new due time', () => {
    const absences = [
      { fromMs: 10, toMs: 20 * MINUTE },
      { fromMs: 20, toMs: 40 * MINUTE },
      { fromMs: 30, toMs: 30 * MINUTE },
    ];
    const read = { absences, nextDueMs: null };
    expect(judgeSilence(pinged, at(2 * HOUR, { read })).progress.dueAtMs).toBe(HOUR + 40 * MINUTE);
  });

  const OUTAGES = [{ fromMs: HOUR - 9, toMs: HOUR }];

  test('a due time that an outage window has excused is not excused again', () => {
    const read = { absences: OUTAGES, nextDueMs: HOUR };
    const again = judgeSilence(pinged, at(2 * HOUR, { rules: CRON, read }));
    expect(again.verdict?.outcome.status).toBe('down');
  });

  test('a missing ping is excused by an outage window if the cron schedule has no further due time', () => {
    const never = { absences: OUTAGES, nextDueMs: null };
    const excused = judgeSilence(pinged, at(2 * HOUR, { rules: CRON, read: never }));
    expect(excused).toMatchObject({
      progress: { dueAtMs: null, isLate: false },
      verdict: { atMs: 2 * HOUR, outcome: { failure: { code: 'pings_unavailable' } } },
    });
  });

  test('if no pings come, a run fails only when its maximum time has ended', () => {
    const rules = { ...HOURLY, maxRunMs: 10 * MINUTE };
    const [old, young] = [
      { runId: 'a', startedAtMs: 0, isOverdue: false },
      { runId: 'b', startedAtMs: MINUTE, isOverdue: false },
    ];
    const running = { ...pinged, running: [young, old] };
    expect(judgeSilence(running, at(10 * MINUTE - 1, { rules })).verdict).toBeNull();
    const judged = judgeSilence(running, at(10 * MINUTE, { rules }));
    expect(judged.progress.running).toEqual([young, { ...old, isOverdue: true }]);
    expect(judged.verdict).toMatchObject({
      atMs: 10 * MINUTE,
      outcome: {
        failure: { code: 'run_too_long', message: 'The run has not ended after 10 min.' },
        startedAt: '1970-01-01T00:00:00.000Z',
        finishedAt: '1970-01-01T00:10:00.000Z',
      },
    });
    const absences = [{ fromMs: 0, toMs: MINUTE }];
    const lost = judgeSilence(running, at(10 * MINUTE, { rules, read: { ...NOTHING, absences } }));
    expect(lost).toEqual({ progress: { ...pinged, running: [young] }, verdict: null });
    expect(judgeSilence(running, at(10 * MINUTE)).verdict).toBeNull();
  });
});

test('the next deadline of a heartbeat is its nearest deadline, and an overdue run has no deadline', () => {
  const rules = { ...HOURLY, maxRunMs: 10 * MINUTE };
  const run = (startedAtMs: number, isOverdue = false) => ({ runId: '', startedAtMs, isOverdue });
  const withRuns = (...running: HeartbeatProgress['running']) => ({ ...pinged, running });
  expect(nextDeadlineMs(withRuns(run(5), run(2)), rules, false)).toBe(10 * MINUTE + 2);
  expect(nextDeadlineMs(withRuns(run(2, true)), rules, false)).toBe(HOUR);
  expect(nextDeadlineMs({ ...NO_PROGRESS, running: [run(2, true)] }, rules, false)).toBeNull();
  expect(nextDeadlineMs({ ...NO_PROGRESS, running: [run(2)] }, HOURLY, false)).toBeNull();
  expect(nextDeadlineMs(withRuns(run(59 * MINUTE)), rules, false)).toBe(HOUR);
  expect(nextDeadlineMs(pinged, HOURLY, true)).toBe(HOUR + 5 * MINUTE);
});

test('a new configuration keeps an existing due time, and a heartbeat with a new due time is not late', () => {
  const now = { nowMs: 5, nextDueMs: 9 };
  expect(computeFreshDueMs(pinged, HOURLY, now)).toBe(pinged);
  const late = { ...pinged, dueAtMs: null, isLate: true };
  expect(computeFreshDueMs(late, HOURLY, now)).toEqual({
    ...pinged,
    dueAtMs: 5 + HOUR,
    isLate: false,
  });
});
