/** Asks whether Temporal responds, for use cases that must not write anything while Temporal is unavailable. */
import type { Client } from '@temporalio/client';
import type { WorkflowGateway } from '../../services/ports/gateway';
import { callTemporal } from '../temporal-call';

/** After a response, Temporal counts as reachable for this time. */
const RESPONSE_HOLDS_MS = 1_000;

/**
 * Returns a function that asks whether Temporal responds. As long as it responds, it is asked at most once a second.
 * Parallel calls share one request.
 */
export function createPing(client: Client): WorkflowGateway['ping'] {
  let respondedAtMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  const ask = async (deadlineMs: number): Promise<void> => {
    try {
      await callTemporal(client, deadlineMs, () => client.workflowService.getSystemInfo({}));
      respondedAtMs = performance.now();
    } finally {
      asking = undefined;
    }
  };
  return async (deadlineMs) => {
    if (performance.now() - respondedAtMs < RESPONSE_HOLDS_MS) return;
    asking ??= ask(deadlineMs);
    await asking;
  };
}
