/**
 * Reads the pings of a heartbeat: first in a short local activity, then in an activity that waits for the database.
 * Each read marks the pings of the previous read as done. At that time the history contains these pings, so a crash
 * loses none.
 */
import { proxyActivities, proxyLocalActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { HeartbeatActivities, PingQuestion, PingsRead } from '../../contracts/heartbeat';
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import { tryOnce } from '../loop/store-record';
import { unlessRemoved } from '../loop/unless-removed';
import type { HeartbeatContext } from './context';

const local = proxyLocalActivities<HeartbeatActivities>({
  startToCloseTimeout: '3 seconds',
  scheduleToCloseTimeout: '4 seconds',
  retry: { maximumAttempts: 1 },
});

const durable = proxyActivities<HeartbeatActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '20 seconds' },
  summary: 'waits for the database',
});

/** Reads the new pings. Returns null if the monitor was removed in the meantime. */
export async function readPings(context: HeartbeatContext): Promise<PingsRead | null> {
  const { done } = context.state;
  if (done.length > 0 && context.readAtLength === workflowInfo().historyLength) await sleep(1);
  const question = buildQuestion(context.state, Date.now());
  const tried = context.isWaiting ? null : await tryOnce(() => local.readPings(question));
  const read =
    tried?.kind === 'stored'
      ? tried.result
      : await unlessRemoved(context, () => durable.readPings(question));
  context.readAtLength = workflowInfo().historyLength;
  return read;
}

function buildQuestion({ config, progress, done }: HeartbeatState, nowMs: number): PingQuestion {
  const { schedule, earlyMs, graceMs } = config.heartbeat;
  const { dueAtMs, lastPingAtMs, running } = progress;
  const begun = running.map(({ startedAtMs }) => startedAtMs);
  return {
    accountId: config.accountId,
    monitorId: config.id,
    done,
    schedule,
    earlyMs,
    dueAfterMs: dueAtMs === null ? nowMs : Math.max(dueAtMs, nowMs - graceMs),
    absentAfterMs: Math.min(lastPingAtMs ?? nowMs, (dueAtMs ?? nowMs) - earlyMs, ...begun),
  };
}
