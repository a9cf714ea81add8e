/**
 * Sends one step of a run to the probes of its region. A request that a target must not see twice
 * is never repeated once a worker may have sent it.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { ProbeActivities } from '../contracts/activities';
import { isIdempotent } from '../contracts/definition';
import type { StepOutcome } from '../contracts/outcome';
import { probeQueue, type StepPlan } from '../contracts/workflows';
import { REPORT_SLACK_MS } from './check-regions';
import { type Run, varsOf } from './run-record';
import { lossOf, type StepLoss, unknownOutcome } from './step-loss';

const WAIT_FOR_WORKER_MAX_MS = 60_000;
const TRIES_MAX = 2;

/** The outcome of the step; every loss of ours is an unknown one. Throws only on cancellation. */
export async function sendStep(run: Run, index: number, plan: StepPlan): Promise<StepOutcome> {
  const startedAtMs = Date.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendOnce(run, index, plan);
    } catch (error) {
      const loss = lossOf(error);
      if (tries >= TRIES_MAX || !isRepeatable(loss, plan))
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

function sendOnce(run: Run, index: number, plan: StepPlan): Promise<StepOutcome> {
  const { accountId, scenarioId, rev, region, slotMs, runId } = run.input;
  const probe = proxyActivities<ProbeActivities>({
    taskQueue: probeQueue(region),
    startToCloseTimeout: plan.budgetMs + REPORT_SLACK_MS,
    scheduleToStartTimeout: waitForWorkerMs(run, plan),
    cancellationType: 'TRY_CANCEL',
    retry: { maximumAttempts: 1 },
    summary: summaryOf(run, index, plan),
  });
  return probe.runHttpStep({
    accountId,
    kind: 'scenario',
    id: scenarioId,
    rev,
    stepIndex: index,
    slotMs,
    runId,
    vars: varsOf(run),
    generated: run.generated,
  });
}

/** Ends just before the run's own limit, so that a missing worker is called by its name. */
function waitForWorkerMs({ startedAtMs, input }: Run, { always }: StepPlan): number {
  if (always) return WAIT_FOR_WORKER_MAX_MS;
  const leftMs = startedAtMs + input.timeoutSeconds * 1_000 - Date.now();
  return Math.max(1_000, Math.min(WAIT_FOR_WORKER_MAX_MS, leftMs - 1_000));
}

function summaryOf(run: Run, index: number, { name, method, host }: StepPlan): string {
  const place = `${index + 1}/${run.input.steps.length}`;
  return `${place} ${name.slice(0, 60)} · ${method} ${host}`.trim();
}
