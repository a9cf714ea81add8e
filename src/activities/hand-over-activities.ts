/** Hands over the watches of a lost probe to other probes. The heartbeats of the activity contain its progress. */
import { Context } from '@temporalio/activity';
import type { HandOverActivities } from '../contracts/activities';
import type { Logger } from '../platform/logger';
import { type HandOverNeeds, handOver } from '../services/watches/hand-over';

export function createHandOverActivities(
  needs: HandOverNeeds & { readonly logger: Pick<Logger, 'warn'> },
): HandOverActivities {
  return {
    async handOverWatches(probe) {
      const { heartbeat, cancellationSignal: signal, info } = Context.current();
      const before = readCount(info.heartbeatDetails);
      heartbeat(before);
      const onProgress = (handedOver: number): void => heartbeat(before + handedOver);
      const handedOver = before + (await handOver(needs, probe, { signal, onProgress }));
      needs.logger.warn({ ...probe, handedOver }, 'watches of a lost probe were handed over');
      return handedOver;
    },
  };
}

/** Returns the number of watches that earlier attempts have handed over. */
function readCount(details: unknown): number {
  return typeof details === 'number' && Number.isSafeInteger(details) ? details : 0;
}
