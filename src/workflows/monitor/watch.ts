/**
 * Runs the workflow's part of a watch. One activity per region makes the checks of a steady monitor while the workflow
 * sleeps. When the workflow wakes or one activity ends, all activities end.
 */
import {
  ActivityFailure,
  type ActivityOptions,
  CancellationScope,
  CancelledFailure,
  condition,
  isCancellation,
  patched,
  proxyActivities,
  uuid4,
} from '@temporalio/workflow';
import type { WatchActivities } from '../../contracts/activities';
import { probeActivityId } from '../../contracts/probe-activity-ids';
import { WATCH_HANDED_OVER, type WatchEnd } from '../../contracts/watches';
import {
  type MonitorConfig,
  type MonitorState,
  type SteadyRegion,
  watchQueue,
} from '../../contracts/workflows';
import { findSlotAtOrBefore } from '../../domain/health/schedule';
import { readWatchEnd, UNCONFIRMED_END } from '../../domain/health/steady-outcome';
import { isTimeToContinue } from '../loop/continue';
import { FOLLOWS_CONFIG, type WorkflowContext } from '../loop/handlers';
import { formatTime, showWatch } from '../loop/show';
import { createUnknownOutcome, readLoss } from '../loop/step-loss';
import { isSameWatch } from './steady';

/** A region without a probe is noticed after this time or after one interval, whichever is shorter. */
const WAIT_FOR_PROBE_MAX_MS = 30_000;

/**
 * Maximum wait for probes after the monitor was removed. If the probe is alive, a check in progress and its result take
 * less time.
 */
const REMOVED_MS = 5_000;

type WatchContext = WorkflowContext<MonitorState>;

export interface RegionEnd extends WatchEnd {
  readonly region: string;
  /** True if the workflow ended the watch, and no outcome differed. */
  readonly isCancelled: boolean;
}

/** The limits of a watch: its configuration, its first slot and its end. */
export interface WatchTime {
  /** The configuration with which the watch began. */
  readonly config: MonitorConfig;
  /** The latest configuration that the running watch took over. Absent if there is none. */
  followed?: MonitorConfig;
  readonly firstSlotMs: number;
  /** When the watch ends. null if it runs until an outcome differs. */
  readonly untilMs: number | null;
}

/** Returns how long a region may be without a probe before its watch ends. */
function waitForProbeMs({ intervalMs }: MonitorConfig): number {
  return Math.min(WAIT_FOR_PROBE_MAX_MS, intervalMs);
}

/**
 * Runs one watch per region, and returns when all of them have ended. Returns null if the monitor was removed and its
 * probes did not confirm the end in time.
 */
export async function watchRegions(
  context: WatchContext,
  steady: readonly SteadyRegion[],
  time: WatchTime,
): Promise<readonly RegionEnd[] | null> {
  const { config, untilMs } = time;
  const ends: RegionEnd[] = [];
  const scope = new CancellationScope();
  const watching = scope.run(async () => {
    const each = steady
      .filter(({ region }) => config.regions.includes(region))
      .map(async (one) => {
        ends.push(await watchRegion(one, time));
      });
    await Promise.all(each);
  });
  // Errors of the watches are handled below, after the workflow has woken.
  let hasFailed = false;
  watching.catch(() => {
    hasFailed = true;
  });
  showWatch(context.state, time.firstSlotMs);
  context.followConfig = () => {
    const isFollowed = mayGoOn(context, time);
    if (isFollowed) {
      time.followed = context.state.config;
      showWatch(context.state, time.firstSlotMs);
    }
    return isFollowed;
  };
  const isOver = (): boolean => context.woken || ends.length > 0 || hasFailed;
  if (untilMs === null) await condition(isOver);
  else
    await condition(isOver, Math.max(1, untilMs - Date.now()), {
      summary: `steady until ${formatTime(untilMs)}`,
    });
  context.followConfig = null;
  scope.cancel();
  const isDone = (): boolean => ends.length === config.regions.length;
  await condition(() => context.removed || isDone() || hasFailed);
  if (hasFailed) await watching;
  // Once the workflow has ended, the server might not cancel its activities. The workflow therefore waits for the
  // probes, but at most `REMOVED_MS`, because a probe may be lost.
  if (!isDone())
    await condition(isDone, REMOVED_MS, { summary: 'until probes have left what is deleted' });
  return isDone() ? ends : null;
}

/** Returns true if the running watch continues under the configuration that the workflow has just taken over. */
function mayGoOn({ state, mustMoveOn, removed }: WatchContext, time: WatchTime): boolean {
  if (mustMoveOn || removed || isTimeToContinue(state.config.id)) return false;
  return isSameWatch(state, time, Date.now()) && patched(FOLLOWS_CONFIG);
}

async function watchRegion(
  { region, expected }: SteadyRegion,
  time: WatchTime,
): Promise<RegionEnd> {
  const { config, firstSlotMs, untilMs } = time;
  const { accountId, id, revision, intervalMs } = config;
  const options: ActivityOptions = {
    taskQueue: watchQueue(region),
    activityId: probeActivityId(region, uuid4()),
    startToCloseTimeout: '30 days',
    // The timeout is only a fallback, because the watches of a lost probe are handed over long before it ends.
    heartbeatTimeout: '15 minutes',
    scheduleToStartTimeout: waitForProbeMs(config),
    // The activity ends only when the probe has reported how far it came.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    priority: { fairnessKey: accountId },
    retry: { initialInterval: '1 second', backoffCoefficient: 1 },
    summary: `checks from ${region} since ${formatTime(firstSlotMs)}`,
  };
  const { watchMonitor } = proxyActivities<WatchActivities>(options);
  const bounds = () => ({
    firstSlotMs,
    intervalMs,
    nowMs: Date.now(),
    ...(time.followed !== undefined && { later: time.followed }),
  });
  const watch = { accountId, id, revision, region, intervalMs, firstSlotMs, untilMs, expected };
  try {
    const reported: unknown = await watchMonitor(watch);
    return { region, isCancelled: false, ...readWatchEnd(reported, bounds()) };
  } catch (error) {
    return { region, ...readEnd(error, bounds) };
  }
}

type Bounds = Parameters<typeof readWatchEnd>[1];

function readEnd(error: unknown, bounds: () => Bounds): Omit<RegionEnd, 'region'> {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (isCancellation(error)) {
    const details: unknown = cause instanceof CancelledFailure ? cause.details[0] : null;
    const end = readWatchEnd(details, bounds());
    return { ...end, isCancelled: end.found === null };
  }
  // Temporal does not retry the activity, because its probe was lost after the workflow had cancelled the watch.
  const isCancelled = CancellationScope.current().consideredCancelled;
  if (isCancelled && isHandedOver(cause)) return { ...UNCONFIRMED_END, isCancelled };
  // A probe may report any error, so an error proves nothing about the stored slots.
  const { firstSlotMs, intervalMs, nowMs, later } = bounds();
  const slotMs = findSlotAtOrBefore(later ?? { anchorMs: firstSlotMs, intervalMs }, nowMs);
  const outcome = createUnknownOutcome(readLoss(error), slotMs, nowMs);
  return { ...UNCONFIRMED_END, found: { slotMs, outcome }, isCancelled: false };
}

function isHandedOver(cause: unknown): boolean {
  if (typeof cause !== 'object' || cause === null || !('type' in cause)) return false;
  return cause.type === WATCH_HANDED_OVER;
}
