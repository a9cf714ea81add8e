/**
 * Runs the watchdog. At each interval, it sends a canary (a test through the path of every check) to the probes of each
 * region, the database and the sender of alerts. It reports the result to an external URL.
 */
import {
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  condition,
  defineSignal,
  isCancellation,
  log,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  TimeoutFailure,
  uuid4,
} from '@temporalio/workflow';
import { ALERT_QUEUE } from '../../contracts/alerts';
import {
  type CanaryActivities,
  WATCHDOG_PLAN_SIGNAL,
  WATCHDOG_WORKFLOW_ID,
  type WatchdogActivities,
  type WatchdogPlan,
  type WatchdogState,
} from '../../contracts/operations/watchdog';
import { probeActivityId } from '../../contracts/probe-activity-ids';
import { probeQueue, SIGNALS } from '../../contracts/workflows';
import { computeCanaryTimeoutMs, nextCanaryMs } from '../../domain/operations/watchdog';
import { isTimeToContinue, startOver } from '../loop/continue';
import { formatInstant, formatTime } from '../loop/show';

const { reportCanary } = proxyActivities<WatchdogActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { maximumAttempts: 2 },
});

interface Watchdog {
  state: WatchdogState;
  /** The newest plan, which may differ from the plan in the state. null if the plan was removed. */
  plan: WatchdogPlan | null;
  /** True if the workflow must continue as new on another build of the service. */
  mustMoveOn: boolean;
}

/** Runs until its plan is removed. Continues as new between two canaries. */
export async function watchdogWorkflow(given: WatchdogState): Promise<void> {
  if (given.v !== 1) throw new Error(`a newer release wrote this state (v ${String(given.v)})`);
  const watchdog: Watchdog = { state: given, plan: given.plan, mustMoveOn: false };
  setHandler(defineSignal<[WatchdogPlan | null]>(WATCHDOG_PLAN_SIGNAL), (plan) => {
    watchdog.plan = plan;
  });
  setHandler(defineSignal(SIGNALS.moveOn), () => {
    watchdog.mustMoveOn = true;
  });
  for (;;) {
    const { plan, state } = watchdog;
    if (plan === null) return;
    watchdog.state = { ...state, plan };
    const slotMs = nextCanaryMs(plan.everyMs, state.lastSlotMs, Date.now());
    const isWoken = await condition(
      () => watchdog.plan !== plan || watchdog.mustMoveOn,
      Math.max(1, slotMs - Date.now()),
      { summary: `next canary ${formatTime(slotMs)}` },
    );
    if (!isWoken) await sendCanary(watchdog, slotMs);
    if (watchdog.plan !== null && isTimeToContinue(WATCHDOG_WORKFLOW_ID, watchdog.mustMoveOn))
      await startOver<typeof watchdogWorkflow>({ ...watchdog.state, plan: watchdog.plan });
  }
}

/** Sends one canary and reports the result. If a report did not arrive, the next report contains it again. */
async function sendCanary(watchdog: Watchdog, slotMs: number): Promise<void> {
  const { plan, reported } = watchdog.state;
  const reasons = await Promise.all(listWays(plan).map((way) => findFault(way, slotMs)));
  const known = reasons.filter((reason) => reason !== null);
  const reason = known.length === 0 ? null : known.join(' ');
  const isReported = reason !== null && reason === reported;
  const hasArrived = await reportCanary({ slotMs, reason, isReported }).catch((error: unknown) => {
    if (isCancellation(error)) throw error;
    log.warn('the outcome of the canary could not be reported');
    return false;
  });
  watchdog.state = {
    ...watchdog.state,
    lastSlotMs: slotMs,
    reported: hasArrived ? reason : reported,
  };
  setCurrentDetails(
    [
      `Canary of ${formatInstant(slotMs)}: ${reason ?? 'it came through.'}`,
      hasArrived ? 'The receiver has it.' : 'The receiver does not have it.',
    ].join('\n\n'),
  );
}

interface Way {
  /** The part of Keepwatch that receives the canary. Sentences about a fault begin with this name. */
  readonly name: string;
  readonly send: (slotMs: number) => Promise<void>;
}

/**
 * Lists the parts that receive a canary. The database comes first, because a fault of the database also makes other
 * parts fail.
 */
function listWays(plan: WatchdogPlan): readonly Way[] {
  const timeoutMs = computeCanaryTimeoutMs(plan.everyMs);
  const options = {
    scheduleToStartTimeout: timeoutMs,
    scheduleToCloseTimeout: timeoutMs,
    startToCloseTimeout: Math.min(ATTEMPT_MS, timeoutMs),
    retry: { initialInterval: '1 second', backoffCoefficient: 1 },
  } as const;
  const { storeCanary } = proxyActivities<WatchdogActivities>(options);
  const { takeCanary } = proxyActivities<CanaryActivities>({ ...options, taskQueue: ALERT_QUEUE });
  return [
    ...(plan.needsStorage
      ? [{ name: 'The database', send: (slotMs: number) => storeCanary({ slotMs }) }]
      : []),
    ...plan.regions.map((region) => ({
      name: `The probe of ${region}`,
      send: (slotMs: number) => toProbe(region, options)({ slotMs }),
    })),
    ...(plan.needsAlerts
      ? [
          {
            name: 'The sender of alerts',
            send: (slotMs: number) => takeCanary({ slotMs }),
          },
        ]
      : []),
  ];
}

/**
 * Builds the function that sends a canary to a probe. The activity id names the region, and the keys of that region
 * encrypt the payload.
 */
function toProbe(region: string, options: ActivityOptions): CanaryActivities['takeCanary'] {
  const activityId = probeActivityId(region, uuid4());
  const taskQueue = probeQueue(region);
  return proxyActivities<CanaryActivities>({ ...options, taskQueue, activityId }).takeCanary;
}

/**
 * Time limit of one attempt in milliseconds. It is longer than the timeouts that the API and the database apply
 * themselves.
 */
const ATTEMPT_MS = 6_000;

/** Returns the fault as a sentence without times. Returns null if the canary was accepted. */
async function findFault({ name, send }: Way, slotMs: number): Promise<string | null> {
  try {
    await send(slotMs);
    return null;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return `${name} ${formatCause(error.cause)}.`;
  }
}

function formatCause(cause: unknown): string {
  if (cause instanceof ApplicationFailure) return cause.message;
  if (cause instanceof TimeoutFailure && cause.cause instanceof ApplicationFailure)
    return cause.cause.message;
  return 'does not respond';
}
