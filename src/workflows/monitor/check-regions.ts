/** Checks a monitor in every region at once. A failure of Keepwatch itself becomes an unknown outcome. */

import { proxyActivities, uuid4 } from '@temporalio/workflow';
import type { ProbeActivities } from '../../contracts/activities';
import type { StepOutcome } from '../../contracts/outcome';
import { probeActivityId } from '../../contracts/probe-activity-ids';
import type { MonitorCheckRecord } from '../../contracts/records';
import { type MonitorConfig, probeQueue } from '../../contracts/workflows';
import { computeTimeouts, REPORT_SLACK_MS } from '../loop/probe-timeouts';
import { formatTime } from '../loop/show';
import { createUnknownOutcome, readLoss, readOutcome } from '../loop/step-loss';

const WAIT_FOR_WORKER_MAX_MS = 20_000;

/** Checks the monitor in all its regions. Returns the outcomes in the order of the configured regions. */
export function checkRegions(
  config: MonitorConfig,
  slotMs: number,
): Promise<MonitorCheckRecord['outcomes']> {
  return Promise.all(
    config.regions.map(async (region) => ({
      region,
      outcome: await checkRegion(config, region, slotMs),
    })),
  );
}

/** Returns the longest time that a check takes as long as Keepwatch itself works. */
export function computeLongestCheckMs(config: MonitorConfig): number {
  return config.budgetMs + REPORT_SLACK_MS + waitForWorkerMs(config) + 2_000;
}

export async function checkRegion(
  config: MonitorConfig,
  region: string,
  slotMs: number,
): Promise<StepOutcome> {
  const startedAtMs = Date.now();
  const probe = proxyActivities<ProbeActivities>({
    taskQueue: probeQueue(region),
    activityId: probeActivityId(region, uuid4()),
    ...computeTimeouts(config.budgetMs),
    scheduleToStartTimeout: waitForWorkerMs(config),
    cancellationType: 'TRY_CANCEL',
    // With this key, a backlog of one account does not delay the checks of other accounts.
    priority: { fairnessKey: config.accountId },
    retry: { maximumAttempts: 1 },
    summary: `check from ${region} · slot ${formatTime(slotMs)}`,
  });
  try {
    const { accountId, id, revision } = config;
    const reported: unknown = await probe.runHttpStep({
      accountId,
      kind: 'monitor',
      id,
      revision,
      stepIndex: 0,
      slotMs,
    });
    return readOutcome(reported, startedAtMs);
  } catch (error) {
    return createUnknownOutcome(readLoss(error), startedAtMs, Date.now());
  }
}

/** Returns the longest time that a check may wait for a worker of its region. */
function waitForWorkerMs({ intervalMs }: MonitorConfig): number {
  return Math.min(WAIT_FOR_WORKER_MAX_MS, intervalMs / 2);
}
