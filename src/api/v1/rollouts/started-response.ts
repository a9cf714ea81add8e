/** The response of a request that has started a rollout. */
import type { RolloutResponse } from '../../../schemas/responses/rollouts';

/**
 * Builds the response of a started rollout. The audit trail records the action now, and each changed resource when the
 * rollout changes it.
 */
export function startedResponse(
  started: RolloutResponse,
  { action, resourceId }: { readonly action: string; readonly resourceId: string },
) {
  const { id, cause, change, progress } = started;
  return {
    status: 202,
    headers: { Location: `/v1/rollouts/${id}` },
    body: started,
    changes: [
      {
        action,
        resourceType: 'rollout',
        resourceId,
        before: null,
        after: { id, cause, change, total: progress.total },
      },
    ],
  } as const;
}
