/**
 * Sends steps of a run to the probes of its region. If a target must not get a request twice, the request is not
 * repeated once a worker may have sent it.
 */

import { proxyActivities, uuid4, workflowInfo } from '@temporalio/workflow';
import type { ProbeActivities, StretchActivities } from '../../contracts/activities';
import { isIdempotent } from '../../contracts/definition';
import type { StepOutcome } from '../../contracts/outcome';
import { probeActivityId } from '../../contracts/probe-activity-ids';
import { probeQueue, type StepPlan } from '../../contracts/workflows';
import { selectVariables } from '../../domain/states/stretch';
import { cutText } from '../../domain/text/cut-text';
import { computeStretchTimeouts, computeTimeouts } from '../loop/probe-timeouts';
import {
  createUnknownOutcome,
  readFinished,
  readLoss,
  readStretch,
  type StepLoss,
} from '../loop/step-loss';
import type { Run } from './run-record';

const WAIT_FOR_WORKER_MAX_MS = 60_000;
/**
 * Milliseconds that a test run waits for a worker. The wait is short, because a person waits for the result of the
 * test.
 */
const WAIT_IN_TEST_MAX_MS = 5_000;
const TRIES_MAX = 2;

/** A stretch: one or more steps that one activity carries out. */
export interface Stretch {
  readonly index: number;
  readonly plans: readonly [StepPlan, ...StepPlan[]];
}

/** Called with the outcome of the next step, and when the step ended. */
export type TakeOutcome = (outcome: StepOutcome, finishedAtMs: number) => void;

/**
 * Sends at least one step, and calls `take` with the outcomes in order. A failure of Keepwatch becomes an unknown
 * outcome. If the worker of a step is lost, only this step is repeated. Throws only on a cancellation, after all known
 * outcomes have been passed to `take`.
 */
export async function sendStretch(run: Run, stretch: Stretch, take: TakeOutcome): Promise<void> {
  let rest = stretch;
  for (let tries = 1; ; tries += 1) {
    const startedAtMs = Date.now();
    run.sentAtEvent = workflowInfo().historyLength;
    try {
      const reported = await sendOnce(run, rest);
      takeAll(readStretch(reported, rest.plans.length, startedAtMs), { startedAtMs, take });
      return;
    } catch (error) {
      const finished = readFinished(error, rest.plans.length, startedAtMs);
      takeAll(finished, { startedAtMs, take, isCutShort: true });
      const loss = readLoss(error);
      const nowMs = Date.now();
      if (loss === 'region_unavailable') run.awayMs += nowMs - startedAtMs;
      const plan = rest.plans[finished.length];
      if (plan === undefined) return;
      // Earlier steps have finished in this activity, so the unfinished step has been tried only once.
      if (finished.length > 0) tries = 1;
      if (tries >= TRIES_MAX || !isRepeatable(loss, plan)) {
        take(createUnknownOutcome(loss, startedAtMs, nowMs), nowMs);
        return;
      }
      rest = { index: rest.index + finished.length, plans: [plan] };
    }
  }
}

interface Taking {
  readonly startedAtMs: number;
  readonly take: TakeOutcome;
  /** True if the activity was still working after the last outcome. */
  readonly isCutShort?: boolean;
}

/**
 * Passes the outcomes to `take`. The last step ends when the result arrives, by our own clock. For every other step,
 * the end that the probe measured is used. So the time of an attempt counts for the right step.
 */
function takeAll(
  outcomes: readonly StepOutcome[],
  { startedAtMs, take, isCutShort = false }: Taking,
): void {
  const nowMs = Date.now();
  const shiftMs = computeShift(outcomes, [startedAtMs, nowMs]);
  let earliestMs = startedAtMs;
  for (const [index, outcome] of outcomes.entries()) {
    const isLast = index === outcomes.length - 1 && !isCutShort;
    const atMs = Date.parse(outcome.finishedAt) + shiftMs;
    const isPossible = atMs >= earliestMs && atMs <= nowMs;
    const finishedAtMs = isLast || !isPossible ? nowMs : atMs;
    take(outcome, finishedAtMs);
    earliestMs = finishedAtMs;
  }
}

/**
 * Returns the correction of the probe's clock in milliseconds. The correction is as small as possible and moves all
 * outcomes between the start and the end of their activity. 0 means that the clocks agree.
 */
function computeShift(
  outcomes: readonly StepOutcome[],
  [startedAtMs, nowMs]: readonly [number, number],
): number {
  const leastMs = startedAtMs - Date.parse(outcomes[0]?.startedAt ?? '');
  const mostMs = nowMs - Date.parse(outcomes.at(-1)?.finishedAt ?? '');
  return Math.max(leastMs, Math.min(0, mostMs));
}

/**
 * Returns true if the step may be sent again. After an internal error this is safe, because nothing was sent. A lost
 * worker may have sent the request, so the method must be idempotent.
 */
function isRepeatable(loss: StepLoss, plan: StepPlan): boolean {
  switch (loss) {
    case 'internal_error':
      return true;
    case 'worker_lost':
      return isIdempotent(plan.method);
    case 'region_unavailable':
      return false;
  }
}

function sendOnce(run: Run, { index, plans }: Stretch): Promise<unknown> {
  const { accountId, scenarioId, region, slotMs, runId } = run.input;
  const revision = run.input.definitionRevision ?? run.input.revision;
  const [plan] = plans;
  const limitMs = plan.always ? Number.POSITIVE_INFINITY : run.leftMs;
  const options = {
    taskQueue: probeQueue(region),
    activityId: probeActivityId(region, uuid4()),
    scheduleToStartTimeout: waitForWorkerMs(run),
    priority: { fairnessKey: run.input.accountId },
    retry: { maximumAttempts: 1 },
    summary: formatSummary(run, { index, plans }),
  };
  const names = plans.every(({ variables }) => variables !== null)
    ? plans.flatMap(({ variables }) => variables ?? [])
    : null;
  const reference = {
    accountId,
    kind: 'scenario' as const,
    id: scenarioId,
    revision,
    stepIndex: index,
    slotMs,
    runId,
    ...(plan.always ? {} : { limitMs: run.leftMs }),
    vars: selectVariables([...run.vars.values()], names),
    ...(run.cookies === null ? {} : { cookies: run.cookies }),
    generated: run.generated,
  };
  if (plans.length === 1) {
    const probe = proxyActivities<ProbeActivities>({
      ...options,
      ...computeTimeouts(Math.min(plan.budgetMs, limitMs)),
      cancellationType: 'TRY_CANCEL',
    });
    return probe.runHttpStep(reference);
  }
  const probe = proxyActivities<StretchActivities>({
    ...options,
    ...computeStretchTimeouts(
      Math.min(Math.max(...plans.map(({ budgetMs }) => budgetMs)), limitMs),
    ),
    // A cancelled activity ends only after the probe has reported which steps it finished.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
  const steps = plans.map(({ variables }, offset) => ({ stepIndex: index + offset, variables }));
  return probe.runHttpStep(reference, steps);
}

/**
 * Returns how long the step may wait for a worker: the limit of the run, minus the time that the run has already lost to
 * a region without workers, but at least 1 s.
 */
function waitForWorkerMs({ input, awayMs }: Run): number {
  const maxMs = input.trigger === 'test' ? WAIT_IN_TEST_MAX_MS : WAIT_FOR_WORKER_MAX_MS;
  return Math.max(1_000, maxMs - awayMs);
}

function formatSummary(run: Run, { index, plans }: Stretch): string {
  const [{ name, method, host }] = plans;
  const { runId, steps, executionId } = run.input;
  // The label contains the run, because the scenario's workflow carries out many runs.
  const label = executionId === undefined ? '' : ` · ${runId}`;
  if (plans.length === 1) {
    const request = `${method} ${host}`.trim();
    return `${index + 1}/${steps.length} ${cutText(name, 60)} · ${request}${label}`;
  }
  const names = plans.map((plan) => cutText(plan.name, 60)).join(', ');
  return `${index + 1}–${index + plans.length}/${steps.length} ${cutText(names, 120)}${label}`;
}
