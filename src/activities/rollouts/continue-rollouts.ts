/** Housekeeping of rollouts: starts those that a crash has separated from their change, and wakes those that were lost. */
import type { HousekeepingCounts, HousekeepingPass } from '../../contracts/housekeeping';
import { followLostChanges } from '../../services/environments/follow-lost-changes';
import { createAccountTries } from '../../services/lists/try-accounts';
import type { Dependencies } from '../../services/ports/dependencies';
import { startPendingRollouts } from '../../services/rollouts/roll-out-profile';
import { wakeRollouts } from '../../services/rollouts/wake-rollouts';

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId' | 'notifyOperator'>;

/**
 * Handles every account, even if another one fails. Throws afterwards if the database or Temporal was unavailable. Safe
 * to repeat. The operator is notified of each account that failed.
 */
export async function continueRollouts(
  needs: Needs,
  pass: HousekeepingPass,
  signal: AbortSignal,
): Promise<HousekeepingCounts> {
  const { notifyOperator } = needs;
  const sentence = 'the rollouts of an account could not be continued';
  const { tryAccount, finish } = createAccountTries({ signal, notifyOperator, sentence });
  const counts = {
    'rollouts of environments started': await followLostChanges(needs, pass, tryAccount),
    'rollouts of profiles started': await startPendingRollouts(needs, tryAccount),
    'accounts with rollouts': await wakeRollouts(needs, tryAccount),
  };
  return { ...counts, 'accounts whose rollouts failed': finish() };
}
