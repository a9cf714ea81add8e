/**
 * Temporal in the test's own process. The SDK's own sandbox runs the workflows, the SDK's own client calls them, and
 * time passes only when a test moves it. Other tests compare its behaviour with the real server and with the SDK's own
 * replay. It refuses features that it does not support (visibility, reset, versions of workers).
 */
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';
import { isLongForm } from '../../support/test-size';
import { readWorkflowBundle } from '../../support/workflow-bundle';
import type { Run } from './run';
import { createServer, type Server } from './server';
import { connectClient } from './service';
import { startVirtualTime, type VirtualTime } from './virtual-time';

export interface InProcessTemporal {
  readonly client: Client;
  readonly server: Server;
  readonly time: VirtualTime;
  /** Replays histories of every kind with the SDK's own core. The core must find them deterministic. */
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
    replayAll: () => replay(code, differentOnes(server.runs())),
    stop: () => time.stop(),
  };
}

async function replay(code: string, runs: readonly Run[]): Promise<void> {
  // Without this flag, the SDK would record where each promise was created, for a query that no client sends. This
  // would cost as much as the replay.
  globalHandlers.installed = true;
  const histories = runs.map(({ start, history }) => ({
    workflowId: start.workflowId,
    history: { events: [...history.read()] },
  }));
  const failed: string[] = [];
  const options = { workflowBundle: { code } };
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories))
    if (error !== undefined) failed.push(`${workflowId}: ${String(error)}`);
  expect(failed).toEqual([]);
}

/**
 * Selects histories for each kind of workflow. A history is selected if it contains a pair of consecutive events that
 * no shorter history contains. In the long form, selects one history of each shape.
 */
function differentOnes(runs: readonly Run[]): readonly Run[] {
  const seen = new Set<string>();
  const isNew = ({ start, commands, history }: Run): boolean => {
    const kind = [start.type, ...commands.patches()].join();
    const types = history.types();
    const pairs = types.map((type, index) => `${type} ${types[index + 1]}`);
    const known = seen.size;
    for (const part of isLongForm ? [pairs.join()] : pairs) seen.add(`${kind} ${part}`);
    return seen.size > known;
  };
  return runs.toSorted((a, b) => a.history.length() - b.history.length()).filter(isNew);
}
