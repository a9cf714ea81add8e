/**
 * Temporal in the test's own process: the SDK's own sandbox runs the workflows, the SDK's own client calls them, and
 * time passes only when a test says so. What it tells workflows is checked against the real server and the SDK's
 * own replay; what it leaves out (visibility, reset, versions of workers, patches) it refuses.
 */
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { readWorkflowBundle } from '../../support/workflow-bundle';
import { createServer, type Server } from './server';
import { connectClient } from './service';
import { startVirtualTime, type VirtualTime } from './virtual-time';

export interface InProcessTemporal {
  readonly client: Client;
  readonly server: Server;
  readonly time: VirtualTime;
  /** All histories that were written, by the SDK's own core: it must find each of them deterministic. */
  readonly replayAll: () => Promise<void>;
  readonly stop: () => void;
}

export async function startInProcessTemporal(): Promise<InProcessTemporal> {
  const { code } = await readWorkflowBundle();
  const time = startVirtualTime();
  const server = createServer({ code, time });
  return {
    client: connectClient(server),
    server,
    time,
    replayAll: async () => {
      const histories = server.runs().map(({ start, history }) => ({
        workflowId: start.workflowId,
        history: { events: [...history.events] },
      }));
      const failed: string[] = [];
      for await (const { workflowId, error } of Worker.runReplayHistories(
        { workflowBundle: { code } },
        histories,
      ))
        if (error !== undefined) failed.push(`${workflowId}: ${String(error)}`);
      expect(failed).toEqual([]);
    },
    stop: () => time.stop(),
  };
}
