/**
 * Sends one step of a run to the probes of its region. A request that a target must not see twice
 * is never repeated once a worker may have sent it.
 */

import { proxyActivities, uuid4 } from '@temporalio/workflow';
import type { ProbeActivities } from '../../contracts/activities';
import { isIdempotent } from '../../contracts/definition';
import type { StepOutcome } from '../../contracts/outcome';
import { probeActivityId } from '../../contracts/probe-activity-ids';
import { probeQueue, type StepPlan } from '../../contracts/workflows';
import { cutText } from '../../domain/text/cut-text';
import { timeoutsOf } from '../loop/probe-timeouts';
import { lossOf, readOutcome, type StepLoss, unknownOutcome } from '../loop/step-loss';
import { type Run, varsOf } from './run-record';

const WAIT_FOR_WORKER_MAX_MS = 60_000;
/** Somebody waits for the answer of a test. */
const WAIT_IN_TEST_MAX_MS = 5_000;
const TRIES_MAX = 2;

export interface Sending {
  readonly index: number;
  readonly plan: StepPlan;
}

/** The outcome of the step; every loss of ours is an unknown one. Throws only on cancellation. */
export async function sendStep(run: Run, sending: Sending): Promise<StepOutcome> {
  const startedAtMs = Date.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return readOutcome(await sendOnce(run, sending), startedAtMs);
    } catch (error) {
      const loss = lossOf(error);
      if (loss === 'region_unavailable') run.awayMs += Date.now() - startedAtMs;
      if (tries >= TRIES_MAX || !isRepeatable(loss, sending.plan))
        return unknownOutcome(loss, startedAtMs, Date.now());
    }
  }
}

/** Nothing was sent on an internal error; a lost worker may have sent the request. */
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

function sendOnce(run: Run, sending: Sending): Promise<unknown> {
  const { index, plan } = sending;
  const { accountId, scenarioId, revision, region, slotMs, runId } = run.input;
  const probe = proxyActivities<ProbeActivities>({
    taskQueue: probeQueue(region),
    activityId: probeActivityId(region, uuid4()),
    ...timeoutsOf(plan.always ? plan.budgetMs : Math.min(plan.budgetMs, run.leftMs)),
    scheduleToStartTimeout: waitForWorkerMs(run),
    cancellationType: 'TRY_CANCEL',
    priority: { fairnessKey: run.input.accountId },
    retry: { maximumAttempts: 1 },
    summary: summaryOf(run, sending),
  });
  return probe.runHttpStep({
    accountId,
    kind: 'scenario',
    id: scenarioId,
    revision,
    stepIndex: index,
    slotMs,
    runId,
    ...(plan.always ? {} : { limitMs: run.leftMs }),
    vars: varsOf(run, plan),
    ...(run.cookies === null ? {} : { cookies: run.cookies }),
    generated: run.generated,
  });
}

/** A region that is away delays its run once, not at every step. */
function waitForWorkerMs({ input, awayMs }: Run): number {
  const maxMs = input.trigger === 'test' ? WAIT_IN_TEST_MAX_MS : WAIT_FOR_WORKER_MAX_MS;
  return Math.max(1_000, maxMs - awayMs);
}

function summaryOf(run: Run, { index, plan: { name, method, host } }: Sending): string {
  const place = `${index + 1}/${run.input.steps.length}`;
  return `${place} ${cutText(name, 60)} · ${method} ${host}`.trim();
}
