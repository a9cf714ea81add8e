/** Limits the number of waiting rollouts per account. */
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';

const WAITING_ROLLOUTS_MAX = 20;
const RETRY_AFTER_SECONDS = 60;

/**
 * Throws `rate_limited` if too many rollouts of the account wait. Must be called before anything is stored.
 * Simultaneous requests do not count each other, so they may slightly exceed the limit.
 */
export async function requireRolloutTurn(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
): Promise<void> {
  const open = await stores.rollouts.listOpen(accountId);
  const waiting = open.filter(({ state }) => state === 'waiting');
  if (waiting.length < WAITING_ROLLOUTS_MAX) return;
  throw new AppError(
    'rate_limited',
    `${waiting.length} rollouts of this account are waiting, and at most ${WAITING_ROLLOUTS_MAX} may. Try again when one of them has ended.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
