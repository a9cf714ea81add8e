/**
 * The watches of a probe that fell silent go to other probes. It exists so that operators can see it, and so that it
 * is done once, whichever API has noticed; it ends when all are handed over or the probe is heard again.
 */
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { HandOverActivities } from '../../contracts/activities';
import type { LostProbe } from '../../contracts/watches';

const { handOverWatches } = proxyActivities<HandOverActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

/** How many were handed over. */
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
    `Handed over ${handedOver} watches of probe ${instance} in region ${region}. It keeps what it has if it was heard again.`,
  );
  return handedOver;
}
