/**
 * Quiet checks seen from the workflow: one activity per region makes them, one attempt per slot, while
 * the workflow sleeps. Whatever wakes it, or ends one of the activities, ends all of them.
 */
import {
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  TimeoutFailure,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { QuietActivities } from '../../contracts/activities';
import { QUIET_SLOT_DONE } from '../../contracts/activities';
import { probeActivityId } from '../../contracts/probe-activity-ids';
import type { WatchEnd, QuietMark } from '../../contracts/watches';
import { type MonitorConfig, type MonitorState, probeQueue } from '../../contracts/workflows';
import {
  dueSlotMs,
  type QuietBounds,
  readQuietEnding,
  readQuietMark,
} from '../../domain/health/steady-outcome';
import type { WorkflowContext } from '../loop/handlers';
import { timeoutsOf, UNWATCHED_MAX_MS } from '../loop/probe-timeouts';
import { formatTime, showQuiet } from '../loop/show';
import { lossOf, unknownOutcome } from '../loop/step-loss';
import { local, tryOnce } from '../loop/store-record';
import { type Calm, quietEndMs } from './steady';
import { tryBudgetMs } from './check-regions';

const WAIT_FOR_PROBE_MAX_MS = 60_000;

/** Of an attempt that has waited in vain behind others, instead of one. */
const PATIENT_INTERVALS = 5;

/** Time for the API to store the result. */
const DELIVERY_SLACK_MS = 7_000;

/**
 * A probe that is lost with an attempt ends the quiet, as it ends a check: one that hangs still holds
 * polls, and would be handed each repetition, too. The server's names of these time-outs.
 */
const PROBE_LOST = ['TemporalTimeout:StartToClose', 'TemporalTimeout:Heartbeat'];

/** How the quiet of one region ended. */
export interface RegionEnding extends WatchEnd {
  readonly region: string;
  /** The last slot whose attempt waited for a probe in vain; null: none did. */
  readonly waitedFromMs: number | null;
}

/** A time of quiet checks: under this configuration, from this slot on. */
export interface QuietTime {
  readonly config: MonitorConfig;
  readonly firstSlotMs: number;
}

/**
 * So long after its slot, at most, an attempt has stored a result, ended the quiet, or waited in vain; late ones too,
 * but for those that follow one which has waited in vain.
 */
export function missedAfterMs(config: MonitorConfig): number {
  const { startToCloseTimeout } = attemptTimeouts(config);
  return config.intervalMs / 2 + waitForProbeMs(config) + startToCloseTimeout;
}

/**
 * Longer than a check of the full path may wait: attempts that give up go on by the costlier path, so that a
 * service with too much to do would have still more.
 */
function waitForProbeMs({ intervalMs }: MonitorConfig): number {
  return Math.min(WAIT_FOR_PROBE_MAX_MS, intervalMs);
}

/**
 * An attempt makes one try. It is given heartbeats only where it may last longer than they take to miss a probe:
 * with each check that has some, the server keeps a timer, which costs a durable write when it fires.
 */
function attemptTimeouts(config: MonitorConfig): ReturnType<typeof timeoutsOf> {
  const tryMs = tryBudgetMs(config);
  return timeoutsOf(tryMs <= UNWATCHED_MAX_MS ? UNWATCHED_MAX_MS : tryMs + DELIVERY_SLACK_MS);
}

/** Returns when no region is at a quiet check any more; null when the monitor was removed first. */
export async function checkQuietly(
  context: WorkflowContext<MonitorState>,
  calm: Calm,
  time: QuietTime,
): Promise<readonly RegionEnding[] | null> {
  const { regions } = time.config;
  const endings: RegionEnding[] = [];
  const scope = new CancellationScope();
  const running = scope.run(async () => {
    const each = regions.map(async (region) => {
      endings.push(await checkRegionQuietly(calm, time, region));
    });
    await Promise.all(each);
  });
  // An unexpected failure is met below; until then it must not count as unhandled.
  running.catch(() => undefined);
  showQuiet(context.state, time.firstSlotMs);
  const isOver = (): boolean => context.woken || endings.length > 0;
  const endMs = quietEndMs(context.state, calm, Date.now());
  if (endMs === null) await condition(isOver);
  else
    await condition(isOver, Math.max(1, endMs - Date.now()), {
      summary: `quiet until ${formatTime(endMs)}`,
    });
  scope.cancel();
  await condition(() => context.removed || endings.length === regions.length);
  return endings.length === regions.length ? endings : null;
}

async function checkRegionQuietly(
  { expected }: Calm,
  time: QuietTime,
  region: string,
): Promise<RegionEnding> {
  const { config, firstSlotMs } = time;
  const { accountId, id, revision, intervalMs, retries = 0 } = config;
  const expectation = expected.get(region);
  if (expectation === undefined) throw new Error(`nothing is known of ${region}`);
  const options: ActivityOptions = {
    taskQueue: probeQueue(region),
    activityId: probeActivityId(region, uuid4()),
    ...attemptTimeouts(config),
    // An attempt in flight ends by itself, so that what it sent is recorded.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    // Each check of the costlier path lets a monitor be quiet: it goes in turn with all quiet attempts of its account.
    priority: { fairnessKey: `${accountId}:quiet` },
    retry: {
      initialInterval: '1 second',
      backoffCoefficient: 1,
      nonRetryableErrorTypes: PROBE_LOST,
    },
    summary: `quiet checks from ${region} · an attempt per slot from ${formatTime(firstSlotMs)}`,
  };
  const given = { accountId, id, revision, region, intervalMs, expected: expectation };
  const check = retries === 0 ? given : { ...given, isFirstTryOnly: true };
  const quiet: QuietRegion = { time, region, mark: null, waitedFromMs: null };
  for (;;) {
    const { isPatient, scheduleToStartTimeout } = patienceOf(quiet);
    const { checkWhileQuiet } = proxyActivities<QuietActivities>({
      ...options,
      scheduleToStartTimeout,
    });
    try {
      const slot = { ...check, firstSlotMs: nextSlotOf(quiet), ...(isPatient && { isPatient }) };
      const reported: unknown = await checkWhileQuiet(slot);
      const ending = readQuietEnding(reported, boundsOf(quiet));
      quiet.mark = ending.mark ?? quiet.mark;
      if (ending.isStillQuiet !== true)
        return { ...quietEnding(quiet), ...ending, mark: quiet.mark };
      quiet.waitedFromMs = null;
    } catch (error) {
      noteTimeout(quiet, error);
      if (!(await goesOn(error, region))) return endingOf(error, quiet);
    }
  }
}

/** What is known of one region while its checks are quiet. */
interface QuietRegion {
  readonly time: QuietTime;
  readonly region: string;
  mark: QuietMark | null;
  waitedFromMs: number | null;
}

/**
 * How long each attempt may wait for a probe, from its slot on. To wait in vain costs more than a check does, so
 * that a line which is longer than an interval would not become shorter: who has done so once, in a region that has
 * a probe, waits longer, until the line is gone.
 */
function patienceOf({ time: { config }, waitedFromMs }: QuietRegion) {
  const isPatient = waitedFromMs !== null;
  const scheduleToStartTimeout = waitForProbeMs(config) * (isPatient ? PATIENT_INTERVALS : 1);
  return { isPatient, scheduleToStartTimeout };
}

function nextSlotOf({ time, mark }: QuietRegion): number {
  return dueSlotMs({ ...time, ...time.config }, mark);
}

/** What a probe may say of its slots at this moment. */
function boundsOf({ time: { config, firstSlotMs } }: QuietRegion): QuietBounds {
  return { firstSlotMs, intervalMs: config.intervalMs, nowMs: Date.now() };
}

/** The next activity knows nothing of what this one left. */
function noteTimeout(quiet: QuietRegion, error: unknown): void {
  const cause = causeOf(error);
  if (!(cause instanceof TimeoutFailure)) return;
  quiet.mark = readQuietMark(cause.lastHeartbeatDetails, boundsOf(quiet)) ?? quiet.mark;
  if (hasWaited(cause)) quiet.waitedFromMs = nextSlotOf(quiet);
}

function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

/** In vain, for a probe. */
function hasWaited(cause: unknown): boolean {
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START';
}

/**
 * Where a probe has too much to do, the costlier path would leave it still more: the check comes with the newest
 * slot, and names those that passed. A history that is long enough ends the quiet.
 */
async function goesOn(error: unknown, region: string): Promise<boolean> {
  if (!hasWaited(causeOf(error)) || workflowInfo().continueAsNewSuggested) return false;
  const asked = () => tryOnce(() => local.isRegionServed(region));
  const tried = await CancellationScope.nonCancellable(asked);
  return tried.kind === 'stored' && tried.result;
}

function quietEnding({ region, mark, waitedFromMs }: QuietRegion): RegionEnding {
  return { region, mark, waitedFromMs, found: null, isGone: false, isSure: false };
}

function endingOf(error: unknown, quiet: QuietRegion): RegionEnding {
  const unsure = quietEnding(quiet);
  if (isCancellation(error)) return unsure;
  const cause = causeOf(error);
  if (cause instanceof ApplicationFailure) {
    // In flight when it was cancelled: the server does not repeat it.
    const isDone = cause.type === QUIET_SLOT_DONE;
    const mark = readQuietMark(cause.details?.[0], boundsOf(quiet)) ?? quiet.mark;
    return isDone ? { ...unsure, mark, isSure: true } : unsure;
  }
  if (!(cause instanceof TimeoutFailure)) throw error;
  const slotMs = nextSlotOf(quiet);
  const outcome = unknownOutcome(lossOf(error), slotMs, Date.now());
  return { ...unsure, found: { slotMs, outcome } };
}
