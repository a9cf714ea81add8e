/**
 * The rules for pings, and for the time without pings. Pure. Pings that Keepwatch could not receive never make a job
 * fail.
 */

import type {
  HeartbeatProgress,
  HeartbeatRules,
  OutageWindow,
  Ping,
  PingsRead,
  RunningJob,
} from '../../contracts/heartbeat';
import type { Failure, StepOutcome } from '../../contracts/outcome';
import { formatInstant } from '../health/instant-words';
import { createUnmeasuredOutcome } from '../health/unmeasured';
import { takeLastLines } from '../text/last-lines';

/** Maximum number of simultaneous runs. If there are more, the oldest run is forgotten. */
const RUNNING_MAX = 20;

export const NO_PROGRESS: HeartbeatProgress = {
  lastPingAtMs: null,
  dueAtMs: null,
  isLate: false,
  running: [],
};

/** A result of the heartbeat, at an instant. */
export interface Verdict {
  readonly atMs: number;
  readonly outcome: StepOutcome;
}

export interface Judged {
  readonly progress: HeartbeatProgress;
  /** The result. null means that nothing new is known about the job. */
  readonly verdict: Verdict | null;
}

/** Returns the state after a ping. Every ping except a `log` moves the due time. */
export function judgePing(before: HeartbeatProgress, ping: Ping, rules: HeartbeatRules): Judged {
  if (ping.kind === 'log') return { progress: before, verdict: null };
  const { atMs, runId } = ping;
  const begun = before.running.find((job) => job.runId === runId) ?? null;
  const others = before.running.filter((job) => job.runId !== runId);
  const started: RunningJob[] =
    ping.kind === 'start' ? [{ runId, startedAtMs: atMs, isOverdue: false }] : [];
  const progress: HeartbeatProgress = {
    lastPingAtMs: Math.max(before.lastPingAtMs ?? atMs, atMs),
    dueAtMs: dueAfterPing(ping, rules),
    isLate: false,
    running: [...others, ...started].slice(-RUNNING_MAX),
  };
  return { progress, verdict: ping.kind === 'start' ? null : runVerdict(ping, begun, rules) };
}

function dueAfterPing({ atMs, nextDueMs }: Ping, { schedule }: HeartbeatRules): number | null {
  return 'everySeconds' in schedule ? atMs + schedule.everySeconds * 1_000 : nextDueMs;
}

function runVerdict(ping: Ping, begun: RunningJob | null, rules: HeartbeatRules): Verdict {
  const { atMs, exitCode, text } = ping;
  const lengthMs = begun === null ? null : Math.max(0, atMs - begun.startedAtMs);
  const failure = runFailure(ping, lengthMs, rules);
  const outcome: StepOutcome = {
    ...outcomeAt(failure === null ? 'up' : 'down', failure, [begun?.startedAtMs ?? atMs, atMs]),
    responseTimeMs: lengthMs,
    job: { exitCode, text: failure === null ? null : text },
  };
  return { atMs, outcome };
}

function runFailure(ping: Ping, lengthMs: number | null, rules: HeartbeatRules): Failure | null {
  const { kind, exitCode, failedOn, text } = ping;
  const lines = takeLastLines(text ?? '');
  const quoted = lines === '' ? '.' : `: ${lines}`;
  if (exitCode !== null && exitCode !== 0)
    return buildFailure('job_failed', `Job failed with exit code ${exitCode}${quoted}`);
  if (kind === 'fail') return buildFailure('job_failed', `Job failed${quoted}`);
  if (failedOn !== null) return buildFailure('job_failed', `Job output ${failedOn}${quoted}`);
  if (lengthMs === null) return null;
  const { maxRunMs, minRunMs } = rules;
  if (maxRunMs !== null && lengthMs > maxRunMs)
    return buildFailure('run_too_long', `The run took longer than ${formatSpan(maxRunMs)}.`);
  if (minRunMs !== null && lengthMs < minRunMs)
    return buildFailure('run_too_short', `The run was over in less than ${formatSpan(minRunMs)}.`);
  return null;
}

/** A time in which no ping has arrived. */
export interface Silence {
  /** The end of this time. All pings that arrived before it are known. */
  readonly nowMs: number;
  readonly rules: HeartbeatRules;
  readonly isDown: boolean;
  readonly read: Pick<PingsRead, 'absences' | 'nextDueMs'>;
}

/** Returns the first change that follows from the passed time. Call it again until nothing changes. */
export function judgeSilence(before: HeartbeatProgress, silence: Silence): Judged {
  return overlongRun(before, silence) ?? passedDue(before, silence) ?? unchanged(before);
}

function unchanged(progress: HeartbeatProgress): Judged {
  return { progress, verdict: null };
}

/**
 * Reports a run that exceeds `maxRunMs`. If the API was unavailable during that time, the end of the run may have been
 * lost. The run is then dropped without a verdict.
 */
function overlongRun(
  before: HeartbeatProgress,
  { nowMs, rules: { maxRunMs }, read }: Silence,
): Judged | null {
  if (maxRunMs === null) return null;
  const late = before.running.find(
    ({ startedAtMs, isOverdue }) => !isOverdue && startedAtMs + maxRunMs <= nowMs,
  );
  if (late === undefined) return null;
  const { startedAtMs } = late;
  const outage = lastOverlapping(read.absences, startedAtMs, startedAtMs + maxRunMs);
  const others = before.running.filter((job) => job !== late);
  if (outage !== null) return unchanged({ ...before, running: others });
  const running = before.running.map((job) => (job === late ? { ...job, isOverdue: true } : job));
  const message = `The run has not ended after ${formatSpan(maxRunMs)}.`;
  const outcome = outcomeAt('down', buildFailure('run_too_long', message), [startedAtMs, nowMs]);
  return { progress: { ...before, running }, verdict: { atMs: startedAtMs + maxRunMs, outcome } };
}

function passedDue(before: HeartbeatProgress, silence: Silence): Judged | null {
  const { nowMs, rules, isDown, read } = silence;
  const { dueAtMs, isLate, lastPingAtMs } = before;
  if (dueAtMs === null || dueAtMs > nowMs) return null;
  const { schedule, graceMs, earlyMs } = rules;
  const deadlineMs = dueAtMs + graceMs;
  const isEvery = 'everySeconds' in schedule;
  const fromMs = isEvery ? (lastPingAtMs ?? dueAtMs) : dueAtMs - earlyMs;
  const outage = lastOverlapping(read.absences, fromMs, Math.min(nowMs, deadlineMs));
  if (outage !== null) {
    const moved = isEvery ? outage.toMs + schedule.everySeconds * 1_000 : read.nextDueMs;
    if (moved === null || moved > dueAtMs)
      return buildExcused({ ...before, dueAtMs: moved, isLate: false }, outage, nowMs);
  }
  if (nowMs >= deadlineMs) return missed(before, dueAtMs, silence);
  if (isLate || isDown) return null;
  const message = `No ping yet; it was due at ${formatInstant(dueAtMs)}.`;
  const outcome = outcomeAt('degraded', buildFailure('heartbeat_late', message), [dueAtMs, nowMs]);
  return { progress: { ...before, isLate: true }, verdict: { atMs: dueAtMs, outcome } };
}

/**
 * Returns the progress with an unknown result: the expected ping may have been sent while the API could not receive it.
 * The caller must have moved the due time.
 */
function buildExcused(progress: HeartbeatProgress, outage: OutageWindow, nowMs: number): Judged {
  const from = formatInstant(outage.fromMs);
  const to = formatInstant(outage.toMs);
  const message = `Keepwatch could not receive pings from ${from} to ${to}. One may have been lost.`;
  const failure = buildFailure('pings_unavailable', message);
  const outcome = outcomeAt('unknown', failure, [outage.fromMs, nowMs]);
  return { progress, verdict: { atMs: nowMs, outcome } };
}

function missed(before: HeartbeatProgress, dueAtMs: number, silence: Silence): Judged {
  const { nowMs, rules, read } = silence;
  const grace = rules.graceMs === 0 ? '' : `, with ${formatSpan(rules.graceMs)} of grace`;
  const message = `No ping; it was due at ${formatInstant(dueAtMs)}${grace}.`;
  const outcome = outcomeAt('down', buildFailure('heartbeat_missed', message), [dueAtMs, nowMs]);
  const next = dueAfterMiss(dueAtMs, rules, silence) ?? read.nextDueMs;
  return {
    progress: { ...before, dueAtMs: next, isLate: false },
    verdict: { atMs: dueAtMs + rules.graceMs, outcome },
  };
}

/**
 * Returns the first due time that has not been missed yet, for schedules without cron. All due times before it count as
 * one miss.
 */
function dueAfterMiss(
  dueAtMs: number,
  { schedule, graceMs }: HeartbeatRules,
  { nowMs }: Silence,
): number | null {
  if (!('everySeconds' in schedule)) return null;
  const everyMs = schedule.everySeconds * 1_000;
  const passed = Math.floor(Math.max(0, nowMs - graceMs - dueAtMs) / everyMs);
  return dueAtMs + (passed + 1) * everyMs;
}

/** Returns the next time at which missing pings change the state. null if there is no such time. */
export function nextDeadlineMs(
  { dueAtMs, isLate, running }: HeartbeatProgress,
  { graceMs, maxRunMs }: HeartbeatRules,
  isDown: boolean,
): number | null {
  const due = dueAtMs === null ? [] : [isLate || isDown ? dueAtMs + graceMs : dueAtMs];
  const ends =
    maxRunMs === null
      ? []
      : running
          .filter(({ isOverdue }) => !isOverdue)
          .map(({ startedAtMs }) => startedAtMs + maxRunMs);
  const all = [...due, ...ends];
  return all.length === 0 ? null : Math.min(...all);
}

/** Sets the due time of a heartbeat that starts again after an edit, a pause or maintenance. */
export function computeFreshDueMs(
  progress: HeartbeatProgress,
  { schedule }: HeartbeatRules,
  { nowMs, nextDueMs }: { readonly nowMs: number; readonly nextDueMs: number | null },
): HeartbeatProgress {
  if (progress.lastPingAtMs === null || progress.dueAtMs !== null) return progress;
  const dueAtMs = 'everySeconds' in schedule ? nowMs + schedule.everySeconds * 1_000 : nextDueMs;
  return { ...progress, dueAtMs, isLate: false };
}

function lastOverlapping(
  outages: readonly OutageWindow[],
  fromMs: number,
  toMs: number,
): OutageWindow | null {
  const overlapping = outages.filter((outage) => outage.toMs > fromMs && outage.fromMs <= toMs);
  return overlapping.reduce<OutageWindow | null>(
    (last, outage) => (last === null || outage.toMs > last.toMs ? outage : last),
    null,
  );
}

function buildFailure(code: Failure['code'], message: string): Failure {
  return { code, message, phase: null };
}

function outcomeAt(
  status: StepOutcome['status'],
  failure: Failure | null,
  [fromMs, toMs]: readonly [number, number],
): StepOutcome {
  const times = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()] as const;
  return {
    ...createUnmeasuredOutcome(status, failure, times),
    job: { exitCode: null, text: null },
  };
}

/** Formats a duration, for example `90 s`, `5 min` or `2 h`. */
function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds % 3_600 === 0 && seconds > 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 && seconds > 0 ? `${seconds / 60} min` : `${seconds} s`;
}
