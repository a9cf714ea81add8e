/** Computes the time limits of a probe's step, and the time until a lost probe is noticed. Pure. */
import type { ActivityOptions } from '@temporalio/workflow';
import { STRETCH_MAX_MS } from '../../domain/states/stretch';

/** Time for the probe to report after its own deadline has passed. */
export const REPORT_SLACK_MS = 5_000;

/** The time until a dead worker is noticed. A live worker sends three heartbeats in that time. */
const HEARTBEAT_TIMEOUT_MS = 15_000;

/**
 * The longest time limit of a step without heartbeats. Within this limit, a dead worker is noticed as early as with
 * heartbeats.
 */
const UNWATCHED_MAX_MS = HEARTBEAT_TIMEOUT_MS - REPORT_SLACK_MS;

/**
 * Computes the time limit that starts when a worker takes the step. If the limit is longer than the heartbeat timeout,
 * the step must send heartbeats.
 */
export function computeTimeouts(budgetMs: number): Pick<ActivityOptions, 'heartbeatTimeout'> & {
  readonly startToCloseTimeout: number;
} {
  const startToCloseTimeout = budgetMs + REPORT_SLACK_MS;
  if (budgetMs <= UNWATCHED_MAX_MS) return { startToCloseTimeout };
  return { startToCloseTimeout, heartbeatTimeout: HEARTBEAT_TIMEOUT_MS };
}

/** Returns the time until a worker that died during the step is noticed. */
export function noticedAfterMs(budgetMs: number): number {
  return Math.min(HEARTBEAT_TIMEOUT_MS, budgetMs + REPORT_SLACK_MS);
}

/**
 * Computes the time limits for several steps in one activity. `budgetMs` is the budget of the longest step. The
 * progress report before each step is a heartbeat.
 */
export function computeStretchTimeouts(
  budgetMs: number,
): Required<Pick<ActivityOptions, 'startToCloseTimeout' | 'heartbeatTimeout'>> {
  return {
    // The last step begins within STRETCH_MAX_MS, plus the time of one progress report.
    startToCloseTimeout: 2 * STRETCH_MAX_MS + budgetMs + REPORT_SLACK_MS,
    heartbeatTimeout: noticedAfterMs(budgetMs),
  };
}
