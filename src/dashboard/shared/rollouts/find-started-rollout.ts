/** Finds the rollout that a change has started. */
import { get } from '../data/api';
import type { Page, Rollout } from '../data/api-types';

type Cause = Rollout['cause'];

/**
 * The path of the newest rollouts. One page lists ten rollouts, because other people may have started rollouts at the
 * same time.
 */
const NEWEST = '/v1/rollouts?limit=10';

/**
 * Returns the id of the newest rollout with this cause that was created at `since` or later. null means that the change
 * affects no check.
 */
export async function findStartedRollout(cause: Cause, since: string): Promise<string | null> {
  const { data } = await get<Page<Rollout>>(NEWEST);
  const started = data.find(
    (rollout) => rollout.createdAt >= since && isSameCause(rollout.cause, cause),
  );
  return started?.id ?? null;
}

function isSameCause(one: Cause, other: Cause): boolean {
  return one.type === other.type && readKey(one) === readKey(other);
}

function readKey(cause: Cause): string | null {
  return 'key' in cause ? cause.key : null;
}
