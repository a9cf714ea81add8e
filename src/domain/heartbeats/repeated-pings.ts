/**
 * Recognises pings that are sent again because their response was lost. A repeated ping is not a second result. Only
 * pings of runs with an id are recognised. Pure.
 */
import type { EndedRun, HeartbeatProgress, HeartbeatRules, Ping } from '../../contracts/heartbeat';
import { type Judged, judgePing } from './heartbeat';

/** For how long a repeated end counts as the same end. The command line retries for this long by default. */
const END_AGAIN_MS = 10 * 60_000;
/** For how long a repeated start counts as the same start. A later start begins another run with the same id. */
const START_AGAIN_MS = 60_000;
/** How many ended runs are remembered. If there are more, the oldest is forgotten. */
const ENDED_MAX = 20;

/** The progress of a heartbeat, and its ended runs. */
export interface JobHistory {
  readonly progress: HeartbeatProgress;
  readonly ended: readonly EndedRun[];
}

/**
 * Returns the state after a ping. A repeated start does not shorten its run, and a repeated end causes no verdict. Both
 * move the due time, because the job is alive.
 */
export function applyPing(
  { progress: before, ended }: JobHistory,
  ping: Ping,
  rules: HeartbeatRules,
): JobHistory & Pick<Judged, 'verdict'> {
  const { progress, verdict } = judgePing(before, ping, rules);
  if (ping.runId === '' || ping.kind === 'log') return { progress, verdict, ended };
  const others = ended.filter(({ runId }) => runId !== ping.runId);
  if (ping.kind === 'start')
    return { progress: withFirstStart(before, progress, ping), verdict, ended: others };
  const { runId, atMs, kind, exitCode } = ping;
  const isAgain = ended.some((end) => isSameEnd(end, ping));
  // The time of the first end is kept. A job may repeat its end endlessly, so a repeated end counts as a new end after
  // `END_AGAIN_MS`.
  if (isAgain) return { progress, verdict: null, ended };
  const end: EndedRun = { runId, atMs, kind, exitCode };
  return { progress, verdict, ended: [...others, end].slice(-ENDED_MAX) };
}

function isSameEnd(end: EndedRun, { runId, atMs, kind, exitCode }: Ping): boolean {
  const isSame = end.runId === runId && end.kind === kind && end.exitCode === exitCode;
  return isSame && atMs - end.atMs <= END_AGAIN_MS;
}

function withFirstStart(
  { running: before }: HeartbeatProgress,
  progress: HeartbeatProgress,
  { runId, atMs }: Ping,
): HeartbeatProgress {
  const first = before.find((job) => job.runId === runId);
  if (first === undefined || atMs - first.startedAtMs > START_AGAIN_MS) return progress;
  const running = progress.running.map((job) => (job.runId === runId ? first : job));
  return { ...progress, running };
}
