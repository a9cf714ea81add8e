/**
 * Carries out the rollouts of one account, one after the other, and ends when none is left. The database contains the
 * whole state, so the loss of a workflow loses nothing.
 */
import { defineSignal, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import {
  ROLLOUT_PRIORITY,
  ROLLOUT_STORED_SIGNAL,
  type RolloutActivities,
  type RolloutCounts,
  type RolloutsInput,
} from '../../contracts/operations/rollouts';
import { SIGNALS } from '../../contracts/workflows';
import { isHistoryLarge, startOver } from '../loop/continue';

const DURABLE = {
  priority: ROLLOUT_PRIORITY,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
} as const;

const { openRollout, endRollout } = proxyActivities<RolloutActivities>({
  ...DURABLE,
  startToCloseTimeout: '1 minute',
});

/** Missing heartbeats reveal a lost process. */
const { changeResources } = proxyActivities<RolloutActivities>({
  ...DURABLE,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
});

export async function rolloutsWorkflow(given: RolloutsInput): Promise<void> {
  const { accountId } = given;
  let isStored = true;
  let mustMoveOn = false;
  setHandler(defineSignal(ROLLOUT_STORED_SIGNAL), () => {
    isStored = true;
  });
  setHandler(defineSignal(SIGNALS.moveOn), () => {
    mustMoveOn = true;
  });
  while (isStored) {
    isStored = false;
    for (let next = await openRollout({ accountId }); next !== null; ) {
      show(next.rolloutId, next.counts);
      await carryOut(given, next.rolloutId, () => mustMoveOn);
      next = await openRollout({ accountId });
    }
  }
}

async function carryOut(
  given: RolloutsInput,
  rolloutId: string,
  mustMoveOn: () => boolean,
): Promise<void> {
  const name = { accountId: given.accountId, rolloutId };
  for (;;) {
    const counts = await changeResources(name);
    show(rolloutId, counts);
    if (mustMoveOn() || isHistoryLarge()) await startOver<typeof rolloutsWorkflow>(given);
    if (counts.pending === 0) break;
  }
  await endRollout(name);
}

function show(rolloutId: string, counts: RolloutCounts): void {
  const { pending, changed, unchanged, failed, skipped } = counts;
  const total = pending + changed + unchanged + failed + skipped;
  setCurrentDetails(
    [
      `**${rolloutId}**: ${total - pending} of ${total} done`,
      '',
      '| changed | unchanged | failed | skipped | pending |',
      '|---|---|---|---|---|',
      `| ${changed} | ${unchanged} | ${failed} | ${skipped} | ${pending} |`,
    ].join('\n'),
  );
}
