/**
 * The loop of one heartbeat. It sleeps until a ping arrives or is overdue, judges the job, and records the result.
 * Before a missing ping counts as a failure, it reads the pings that have arrived.
 */
import {
  CancellationScope,
  defineSignal,
  isCancellation,
  patched,
  setHandler,
} from '@temporalio/workflow';
import { PING_SIGNAL, type PingsRead } from '../../contracts/heartbeat';
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import { isSilent } from '../../domain/alerting/alert-policy';
import { nextFlappingNewsMs } from '../../domain/alerting/flapping';
import { isMutedAt, nextEdgeMs } from '../../domain/health/maintenance';
import { computeFreshDueMs, judgeSilence, nextDeadlineMs } from '../../domain/heartbeats/heartbeat';
import { applyPing } from '../../domain/heartbeats/repeated-pings';
import { createContext, handleLifecycle } from '../loop/handlers';
import { isResting } from '../loop/keep-time';
import { migrate } from '../loop/migrate';
import { handleHealthQuestions } from '../loop/report-health';
import { type LiveStrategy, runLoop, sleepUntil } from '../loop/run-loop';
import { awaitStored, resumeStoring } from '../loop/store-record';
import type { HeartbeatContext } from './context';
import { readPings } from './read-pings';
import { recordVerdict, remind } from './record-verdict';
import { showHeartbeat } from './show-heartbeat';

/** How long to wait after a deadline. Only then is it known whether pings could be received until the deadline. */
const ARRIVAL_MS = 3_000;
/**
 * Shortest wait before the workflow checks again whether pings can be received. During an outage of the service, the
 * wait grows with the length of the outage.
 */
const REREAD_MS_MIN = 5_000;
const REREAD_MS_MAX = 5 * 60_000;
/** Marks histories in which a flapping heartbeat also wakes at the time of its next notice. */
const FLAPPING_NEWS = 'flapping-news';
/** Marks histories in which people are notified at the end of maintenance without alerts. */
const MUTE_OPENS = 'mute-opens';
const RETRY_NEWS_MS = 60_000;
/** Maximum number of verdicts that one silence (a time without pings) can cause at once. */
const VERDICTS_MAX = 25;

/** Runs until the monitor is removed. Continues as new with its whole state. */
export async function heartbeatWorkflow(given: HeartbeatState): Promise<void> {
  const context: HeartbeatContext = Object.assign(createContext(migrate(given)), {
    isReadDue: true,
    readAtLength: -1,
    rereadAtMs: 0,
    remindedAtMs: 0,
    wasMuted: given.maintenance.current?.mode === 'mute',
  });
  handleLifecycle(context);
  handleHealthQuestions(context, { kind: 'monitor', canCheck: false });
  setHandler(defineSignal(PING_SIGNAL), () => {
    context.isReadDue = true;
    context.woken = true;
  });
  resumeStoring(context);
  try {
    await runLoop(context, strategy);
  } catch (error) {
    // An operator cancelled the workflow, but pending records are still stored.
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => awaitStored(context));
    throw error;
  }
}

const strategy: LiveStrategy<HeartbeatContext> = {
  kind: 'monitor',
  show: ({ state }) => showHeartbeat(state),
  isBetweenActs: () => true,
  actOnRequests: async (context) => {
    noteEndOfMute(context);
    return false;
  },
  actOnClock,
};

async function actOnClock(context: HeartbeatContext, nowMs: number): Promise<void> {
  forgetDueTime(context);
  if (context.isReadDue) return listen(context);
  const wakeMs = nextWakeMs(context, nowMs);
  if (wakeMs === null || wakeMs > nowMs) return sleepUntil(context, wakeMs, 'next ping due');
  const remindMs = nextReminderMs(context, nowMs);
  if (remindMs !== null && remindMs <= nowMs) return remind(context, nowMs);
  await listen(context);
}

/**
 * Notes that maintenance without alerts has ended. A heartbeat makes no check at that moment, so people are notified of
 * the last known state.
 */
function noteEndOfMute(context: HeartbeatContext): void {
  const { maintenance } = context.state;
  const hasEnded = context.wasMuted && maintenance.current === null;
  context.wasMuted = maintenance.current?.mode === 'mute';
  if (!hasEnded || !patched(MUTE_OPENS)) return;
  context.state = { ...context.state, maintenance: { ...maintenance, isOpening: true } };
}

function isIdle({ state }: HeartbeatContext): boolean {
  return state.config.paused || isResting(state);
}

/** Clears a due time that comes from another schedule, or from before a pause or maintenance. */
function forgetDueTime(context: HeartbeatContext): void {
  const { state } = context;
  const scheduledBy = JSON.stringify(state.config.heartbeat.schedule);
  if (!isIdle(context) && scheduledBy === state.scheduledBy) return;
  const progress = { ...state.progress, dueAtMs: null, isLate: false };
  context.state = { ...state, progress, scheduledBy };
}

/** Returns when the workflow must wake. null if only a signal can wake it. */
function nextWakeMs(context: HeartbeatContext, nowMs: number): number | null {
  const { config, maintenance, progress } = context.state;
  if (config.paused) return config.pausedUntilMs;
  const edgeMs = nextEdgeMs(maintenance);
  const all = edgeMs === null ? [] : [edgeMs];
  if (!isIdle(context)) {
    const isUnscheduled = progress.lastPingAtMs !== null && progress.dueAtMs === null;
    const deadlineMs = isUnscheduled ? nowMs - ARRIVAL_MS : findDeadline(context);
    if (deadlineMs !== null) all.push(Math.max(deadlineMs + ARRIVAL_MS, context.rereadAtMs));
    const remindMs = nextReminderMs(context, nowMs);
    if (remindMs !== null) all.push(remindMs);
  }
  return all.length === 0 ? null : Math.min(...all);
}

function findDeadline({ state }: HeartbeatContext): number | null {
  const { progress, config, health } = state;
  return nextDeadlineMs(progress, config.heartbeat, health.lastKnown === 'down');
}

/** Returns when the next reminder is due, or null if none is. Reminders are also due while no pings arrive. */
function nextReminderMs(context: HeartbeatContext, nowMs: number): number | null {
  const { alerts, config } = context.state;
  const { remindEveryMinutes } = config.alerts;
  const isMuted = isMutedAt(context.state.maintenance, nowMs);
  if (alerts.incident === null || isSilent(alerts) || isMuted) return null;
  if (alerts.flappingSinceMs !== null) {
    const newsMs = patched(FLAPPING_NEWS) ? nextFlappingNewsMs(alerts, config.alerts) : null;
    return newsMs === null ? null : Math.max(newsMs, context.remindedAtMs + RETRY_NEWS_MS);
  }
  if (remindEveryMinutes === null) return null;
  const sinceMs = Math.max(alerts.remindedAtMs ?? nowMs, context.remindedAtMs);
  return sinceMs + remindEveryMinutes * 60_000;
}

/** Reads and judges the new pings, and only then judges silence. */
async function listen(context: HeartbeatContext): Promise<void> {
  context.isReadDue = false;
  const read = await readPings(context);
  if (read === null) return;
  await CancellationScope.nonCancellable(() => judge(context, read));
}

async function judge(context: HeartbeatContext, read: PingsRead): Promise<void> {
  let isRecorded = false;
  for (const ping of read.pings) {
    const { state } = context;
    const { progress, ended, verdict } = applyPing(state, ping, state.config.heartbeat);
    context.state = { ...state, progress, ended };
    if (verdict === null || isIdle(context)) continue;
    await recordVerdict(context, verdict);
    isRecorded = true;
  }
  context.state = { ...context.state, done: read.pings.map(({ id }) => id) };
  if (read.hasMore) context.isReadDue = true;
  else if (await judgeMissingPings(context, read)) isRecorded = true;
  if (read.pings.length > 0 && !isRecorded) await recordVerdict(context, null);
}

/** Judges whether a ping is missing. Returns true if something was recorded. */
async function judgeMissingPings(context: HeartbeatContext, read: PingsRead): Promise<boolean> {
  if (isIdle(context)) return false;
  const nowMs = Date.now();
  const { nextDueMs } = read;
  const { state } = context;
  const rules = state.config.heartbeat;
  const progress = computeFreshDueMs(state.progress, rules, { nowMs, nextDueMs });
  context.state = { ...state, progress };
  const receivableMs = Math.min(nowMs, read.presentAtMs);
  const waitMs = Math.min(REREAD_MS_MAX, Math.max(REREAD_MS_MIN, (nowMs - receivableMs) / 4));
  context.rereadAtMs = nowMs + Math.round(waitMs);
  const deadlineMs = findDeadline(context);
  if (deadlineMs === null || deadlineMs > nowMs || receivableMs >= deadlineMs)
    context.rereadAtMs = 0;
  let isRecorded = false;
  for (let count = 0; count < VERDICTS_MAX; count += 1) {
    const before = context.state;
    const isDown = before.health.lastKnown === 'down';
    const judged = judgeSilence(before.progress, { nowMs: receivableMs, rules, isDown, read });
    if (judged.progress === before.progress) break;
    context.state = { ...before, progress: judged.progress };
    if (judged.verdict === null) continue;
    // A missing ping has counted as a failure. The list of ended runs is cleared, so that every later ping counts as
    // new.
    context.state = { ...context.state, ended: [] };
    await recordVerdict(context, judged.verdict);
    isRecorded = true;
  }
  if (isRecorded || context.state.progress === state.progress) return isRecorded;
  // People see only recorded due times and runs in progress. These are therefore recorded without a verdict.
  await recordVerdict(context, null);
  return true;
}
