/** A readiness check: the namespace must exist on the Temporal server. */
import type { Client } from '@temporalio/client';
import { callTemporal } from './temporal-call';

/**
 * Builds the check. Its `ping` throws AppError `unavailable` if the namespace does not exist, or when the deadline
 * passes.
 */
export function createNamespaceCheck(client: Client) {
  const { workflowService, options } = client;
  const { namespace } = options;
  return {
    name: 'temporalNamespace',
    ping: async (deadlineMs: number): Promise<void> => {
      await callTemporal(client, deadlineMs, () =>
        workflowService.describeNamespace({ namespace }),
      );
    },
  };
}
