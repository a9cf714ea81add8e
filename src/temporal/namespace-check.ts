/** Checks for readiness whether the namespace of this service exists. It creates none. */
import type { Client } from '@temporalio/client';
import { callTemporal } from './temporal-call';

/** Its ping throws AppError `unavailable` without the namespace, and when the deadline passes. */
export function namespaceCheck(client: Client) {
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
