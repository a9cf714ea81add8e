/** Finds the patches that a workflow has applied in its history. */
import { monitorWorkflowId } from '../../src/contracts/workflows';
import { patchIds } from './in-process/patch-commands';
import type { VirtualService } from './virtual-service';

/** Returns the patches of the newest run of a monitor or heartbeat, in order. */
export async function patchesIn(
  { client }: Pick<VirtualService, 'client'>,
  monitorId: string,
): Promise<readonly string[]> {
  const { events } = await client.workflow.getHandle(monitorWorkflowId(monitorId)).fetchHistory();
  return patchIds(events ?? []);
}
