/**
 * Temporal in the test's own process: the SDK's own sandbox runs the workflows, the SDK's own client calls them, and
 * time passes only when a test says so. What it tells workflows is checked against the real server and the SDK's
 * own replay; what it leaves out (visibility, reset, versions of workers) it refuses.
 */
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { testSize } from '../../support/test-size';
import { readWorkflowBundle } from '../../support/workflow-bundle';
import { patchIds } from './patch-commands';
import type { Run } from './run';
import { createServer, type Server } from './server';
import { connectClient } from './service';
import { startVirtualTime, type VirtualTime } from './virtual-time';

/** Of each kind of workflow that went the same ways of patches, in each suite. */
const REPLAYED = testSize('replays', { ci: 4, long: 1_000 });

export interface InProcessTemporal {
  readonly client: Client;
  readonly server: Server;
  readonly time: VirtualTime;
  /** Histories of every kind, by the SDK's own core: it must find each of them deterministic. */
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
      const histories = differentOnes(server.runs()).map(({ start, history }) => ({
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

/** Of each kind a few whose events came in different orders, long ones among them. */
function differentOnes(runs: readonly Run[]): readonly Run[] {
  const kinds = new Map<string, Map<string, Run>>();
  for (const run of runs) {
    const kind = [run.start.type, ...patchIds(run.history.events)].join(' ');
    const shapes = kinds.get(kind) ?? new Map<string, Run>();
    kinds.set(kind, shapes);
    shapes.set(run.history.events.map(({ eventType }) => eventType).join(), run);
  }
  return [...kinds.values()].flatMap((shapes) => spread([...shapes.values()], REPLAYED));
}

/** By their length, from the shortest to the longest. */
function spread(runs: readonly Run[], count: number): readonly Run[] {
  const sorted = runs.toSorted((a, b) => a.history.events.length - b.history.events.length);
  if (sorted.length <= count) return sorted;
  return Array.from({ length: count }, (_, index) => {
    return sorted.slice(Math.round((index * (sorted.length - 1)) / (count - 1)))[0];
  }).filter((run) => run !== undefined);
}
