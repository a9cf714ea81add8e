/**
 * A ping that is sent again because its response was lost: the same run says the same once more. It is
 * no second result. Pure; it remembers runs that have a name, and nothing of those without.
 */
import type { EndedRun, HeartbeatProgress, HeartbeatRules, Ping } from '../../contracts/heartbeat';
import { afterPing, type Judged } from './heartbeat';

/** So long an end may be sent again: as long as the command line tries by default. */
const END_AGAIN_MS = 10 * 60_000;
/** So long a start may be; later it is the beginning of another run of the same name. */
const START_AGAIN_MS = 60_000;
/** The oldest is forgotten. */
const ENDED_MAX = 20;

/** How far a heartbeat has come. */
export interface JobHistory {
  readonly progress: HeartbeatProgress;
  readonly ended: readonly EndedRun[];
}

/**
 * As `afterPing`, except that a start sent again does not make its run shorter, and an end sent again is
 * no verdict. Both move the due time on, since a job that pings is never held to be silent.
 */
export function hearPing(
  { progress: before, ended }: JobHistory,
  ping: Ping,
  rules: HeartbeatRules,
): JobHistory & Pick<Judged, 'verdict'> {
  const { progress, verdict } = afterPing(before, ping, rules);
  if (ping.runId === '' || ping.kind === 'log') return { progress, verdict, ended };
  const others = ended.filter(({ runId }) => runId !== ping.runId);
  if (ping.kind === 'start')
    return { progress: withFirstStart(before, progress, ping), verdict, ended: others };
  const { runId, atMs, kind, exitCode } = ping;
  const isAgain = ended.some((end) => isSameEnd(end, ping));
  // The first one stays: whoever sends the same for ever is heard again after a while.
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
