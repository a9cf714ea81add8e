/**
 * Hands the watches of a lost probe over to other probes. A watch is an activity that repeats steady checks. The
 * hand-over is a workflow, so that operators can see it and it happens only once. It ends when all watches are handed
 * over, or when the probe is back.
 */
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { HandOverActivities } from '../../contracts/activities';
import type { LostProbe } from '../../contracts/watches';

const { handOverWatches } = proxyActivities<HandOverActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

/** Returns how many watches were handed over. */
export async function handOverWorkflow(probe: LostProbe): Promise<number> {
  const { instance, region } = probe;
  setCurrentDetails(
    `Handing over the watches of probe ${instance} in region ${region}. The heartbeat of the pending activity says how many so far.`,
  );
  const handedOver = await handOverWatches.executeWithOptions(
    { summary: `watches of a lost probe in ${region}` },
    [probe],
  );
  setCurrentDetails(
    `Handed over ${handedOver} watches of probe ${instance} in region ${region}. It keeps the rest if it has reported again.`,
  );
  return handedOver;
}
