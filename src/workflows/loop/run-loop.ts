/**
 * Runs the main loop of every checked resource. The loop does one thing and sleeps until the next thing is due. A
 * strategy defines how the loop handles due checks and requests.
 */
import { condition } from '@temporalio/workflow';
import type { AlertState } from '../../contracts/alerts';
import type { ResourceKind } from '../../contracts/definition';
import { isTimeToContinue, startOver } from './continue';
import { endSnooze, snoozeWakeMs } from './end-snooze';
import type { WorkflowContext } from './handlers';
import { applyDueChange, type TimeState } from './keep-time';
import { notifyAtOpening } from './open-hours';
import { recordOperatorChange } from './operator-change';
import { formatTime, wakeReason } from './show';

type LiveState = TimeState & { readonly alerts: AlertState };

export interface LiveStrategy<Context> {
  readonly kind: ResourceKind;
  /** Shows the state to operators. */
  readonly show: (context: Context) => void;
  /** Returns true if the state is complete, so that the workflow may continue as new. */
  readonly isBetweenActs: (context: Context) => boolean;
  /**
   * Handles requests before anything that is due by the clock. Returns true if it did something, so that the loop
   * starts over.
   */
  readonly actOnRequests: (context: Context) => Promise<boolean>;
  /** Does what is due, or sleeps. The loop itself handles the end of a pause, and the start and end of maintenance. */
  readonly actOnClock: (context: Context, nowMs: number) => Promise<void>;
}

/** Runs the loop. Resolves after the resource was removed. */
export async function runLoop<State extends LiveState, Context extends WorkflowContext<State>>(
  context: Context,
  strategy: LiveStrategy<Context>,
): Promise<void> {
  while (!context.removed) {
    strategy.show(context);
    const isBetween = !context.isAsking && strategy.isBetweenActs(context);
    if (isBetween && isTimeToContinue(context.state.config.id, context.mustMoveOn))
      await startOver<(state: State) => Promise<void>>(context.state);
    context.woken = false;
    if (await recordOperatorChange(context, strategy.kind)) continue;
    if (await strategy.actOnRequests(context)) continue;
    await actOnClock(context, strategy);
  }
}

async function actOnClock<State extends LiveState, Context extends WorkflowContext<State>>(
  context: Context,
  strategy: LiveStrategy<Context>,
): Promise<void> {
  const nowMs = Date.now();
  const passed = applyDueChange(context.state, nowMs);
  if (passed !== null) {
    context.state = passed;
    return;
  }
  if (await endSnooze(context, strategy.kind, nowMs)) return;
  if (await notifyAtOpening(context, strategy.kind, nowMs)) return;
  await strategy.actOnClock(context, nowMs);
}

/**
 * Sleeps until the instant or a signal. With null, sleeps until a signal. `awaited` is the purpose, in words for
 * operators.
 */
export async function sleepUntil<State extends LiveState>(
  context: WorkflowContext<State>,
  untilMs: number | null,
  awaited: string,
): Promise<void> {
  const snoozedMs = snoozeWakeMs(context.state);
  const wakeMs = Math.min(
    untilMs ?? Number.POSITIVE_INFINITY,
    snoozedMs ?? Number.POSITIVE_INFINITY,
  );
  if (!Number.isFinite(wakeMs)) {
    await condition(() => context.woken);
    return;
  }
  const what =
    wakeMs === snoozedMs ? 'end of snooze' : (wakeReason(context.state, wakeMs) ?? awaited);
  await condition(() => context.woken, Math.max(1, wakeMs - Date.now()), {
    summary: `${what} ${formatTime(wakeMs)}`,
  });
}
