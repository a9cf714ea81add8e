/**
 * The main loop of every checked resource: does one thing, and sleeps until the next one is due. The strategy decides
 * what a slot or a request means.
 */
import { condition } from '@temporalio/workflow';
import type { AlertState } from '../../contracts/alerts';
import type { ResourceKind } from '../../contracts/definition';
import { isTimeToContinue, startOver } from './continue';
import { endSnooze, snoozeWakeMs } from './end-snooze';
import type { WorkflowContext } from './handlers';
import { type NextAct, nextAct, type TimeState, withMaintenance, withResume } from './keep-time';
import { notifyAtOpening } from './open-hours';
import { recordOperatorChange } from './operator-change';
import { formatTime, wakeReason } from './show';

type LiveState = TimeState & { readonly alerts: AlertState };

/**
 * The acts that a strategy handles; the loop itself handles ends of pauses and starts and ends of
 * maintenance.
 */
export type ClockAct = Exclude<NextAct, { readonly kind: 'resume' | 'maintenance' }>;

export interface LiveStrategy<Context> {
  readonly kind: ResourceKind;
  /** The purpose of a wait, in words for operators. */
  readonly awaited: string;
  /** Returns true if the state is complete, so that the workflow may continue as new. */
  readonly isBetweenActs: (context: Context) => boolean;
  /**
   * Handles requests that take precedence over the clock. Returns true if it did something and the loop must look
   * again.
   */
  readonly actOnRequests: (context: Context) => Promise<boolean>;
  readonly actOnClock: (context: Context, next: ClockAct, nowMs: number) => Promise<void>;
  /** Shows the current state in the Temporal UI. */
  readonly show: (context: Context) => void;
}

/** Returns when the resource was removed. */
export async function live<State extends LiveState, Context extends WorkflowContext<State>>(
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
  if (await endSnooze(context, strategy.kind, nowMs)) return;
  if (await notifyAtOpening(context, strategy.kind, nowMs)) return;
  const { state } = context;
  const next = nextAct(state, nowMs);
  if (next.kind === 'resume')
    context.state = withResume(state, state.config.pausedUntilMs ?? nowMs);
  else if (next.kind === 'maintenance') context.state = withMaintenance(state, nowMs);
  else await strategy.actOnClock(context, next, nowMs);
}

/** Sleeps until the instant or a signal; null to sleep until a signal. */
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
