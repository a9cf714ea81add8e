/**
 * What pings and silence say of a job, without a clock and without an engine.
 *
 * Covers:
 * - domain/health/instant-words
 */
import type {
  Absence,
  HeartbeatProgress,
  HeartbeatRules,
  Ping,
} from '../../../src/contracts/heartbeat';
import {
  afterPing,
  afterSilence,
  freshDueMs,
  NO_PROGRESS,
  nextDeadlineMs,
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

test('a ping moves the due time by the schedule, a log moves nothing', () => {
  expect(afterPing(NO_PROGRESS, ping(), HOURLY).progress).toEqual(pinged);
  expect(afterPing(NO_PROGRESS, ping({ nextDueMs: 7 }), CRON).progress.dueAtMs).toBe(7);
  expect(afterPing(pinged, ping({ kind: 'log', atMs: 9 }), HOURLY)).toEqual({
    progress: pinged,
    verdict: null,
  });
});

test('at most twenty runs are under way; the oldest is forgotten', () => {
  let progress = NO_PROGRESS;
  for (let run = 0; run < 21; run += 1)
    progress = afterPing(
      progress,
      ping({ kind: 'start', runId: `${run}`, atMs: run }),
      HOURLY,
    ).progress;
  expect(progress.running.map(({ runId }) => runId)).toHaveLength(20);
  expect(progress.running[0]?.runId).toBe('1');
});

test('silence says late once, then missed, and misses that passed meanwhile are one', () => {
  const at = (nowMs: number) => ({ nowMs, rules: HOURLY, isDown: false, read: NOTHING });
  expect(afterSilence(pinged, at(HOUR - 1)).verdict).toBeNull();
  const late = afterSilence(pinged, at(HOUR));
  expect(late.verdict).toMatchObject({ atMs: HOUR, outcome: { status: 'degraded' } });
  expect(afterSilence(late.progress, at(HOUR + 1)).verdict).toBeNull();
  const missed = afterSilence(pinged, at(3 * HOUR + 6 * MINUTE));
  expect(missed.verdict).toMatchObject({ outcome: { failure: { code: 'heartbeat_missed' } } });
  expect(missed.progress.dueAtMs).toBe(4 * HOUR);
});

test('messages write times as alerts do, with the zone', () => {
  const at = (nowMs: number, absences: readonly Absence[] = []) => {
    const silence = { nowMs, rules: HOURLY, isDown: false, read: { absences, nextDueMs: null } };
    return afterSilence(pinged, silence).verdict?.outcome.failure?.message;
  };
  expect([at(HOUR), at(2 * HOUR), at(2 * HOUR, [{ fromMs: HOUR, toMs: HOUR + MINUTE }])]).toEqual([
    'No ping came when it was due, at 1970-01-01 01:00:00 UTC.',
    'No ping came within 5 min after it was due, at 1970-01-01 01:00:00 UTC.',
    'Keepwatch could take no pings from 1970-01-01 01:00:00 UTC to 1970-01-01 01:01:00 UTC; one may have been lost.',
  ]);
});

test('an absence begins a schedule anew, and passes over a due time of cron', () => {
  const absences = [{ fromMs: HOUR - 1, toMs: HOUR + MINUTE }];
  const silence = { nowMs: HOUR + 6 * MINUTE, isDown: false };
  const every = afterSilence(pinged, {
    ...silence,
    rules: HOURLY,
    read: { absences, nextDueMs: null },
  });
  expect(every.progress.dueAtMs).toBe(2 * HOUR + MINUTE);
  const cron = afterSilence(pinged, {
    ...silence,
    rules: CRON,
    read: { absences, nextDueMs: 2 * HOUR },
  });
  expect(cron.progress.dueAtMs).toBe(2 * HOUR);
  for (const { verdict } of [every, cron]) expect(verdict?.outcome.status).toBe('unknown');
});

test('a run whose end we may have lost is forgotten, any other one that is too long is down once', () => {
  const rules = { ...HOURLY, maxRunMs: 10 * MINUTE };
  const running = [{ runId: '', startedAtMs: 0, isOverdue: false }];
  const silence = { nowMs: 11 * MINUTE, rules, isDown: false };
  const absences = [{ fromMs: 9 * MINUTE, toMs: 9 * MINUTE + 1 }];
  const lost = afterSilence(
    { ...pinged, running },
    { ...silence, read: { absences, nextDueMs: null } },
  );
  expect(lost).toEqual({ progress: pinged, verdict: null });
  const long = afterSilence({ ...pinged, running }, { ...silence, read: NOTHING });
  expect(long.verdict).toMatchObject({ atMs: 10 * MINUTE, outcome: { status: 'down' } });
  expect(afterSilence(long.progress, { ...silence, read: NOTHING }).verdict).toBeNull();
});

test('the next deadline is the due time, then the end of the grace, or the end of the longest run', () => {
  expect(nextDeadlineMs(NO_PROGRESS, HOURLY, false)).toBeNull();
  expect(nextDeadlineMs(pinged, HOURLY, false)).toBe(HOUR);
  expect(nextDeadlineMs({ ...pinged, isLate: true }, HOURLY, false)).toBe(HOUR + 5 * MINUTE);
  const running = [{ runId: '', startedAtMs: 0, isOverdue: false }];
  expect(nextDeadlineMs({ ...pinged, running }, { ...HOURLY, maxRunMs: MINUTE }, false)).toBe(
    MINUTE,
  );
});

test('what is due anew counts from now, and only after a first ping', () => {
  const now = { nowMs: 5, nextDueMs: 9 };
  expect(freshDueMs(NO_PROGRESS, HOURLY, now)).toBe(NO_PROGRESS);
  expect(freshDueMs({ ...pinged, dueAtMs: null }, HOURLY, now).dueAtMs).toBe(5 + HOUR);
  expect(freshDueMs({ ...pinged, dueAtMs: null }, CRON, now).dueAtMs).toBe(9);
});
