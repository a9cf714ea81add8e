/**
 * Housekeeping of rollouts. Starts rollouts that were stored but not started because of a crash, and wakes rollouts
 * that missed a signal.
 */
import type { HousekeepingCounts, HousekeepingPass } from '../../contracts/housekeeping';
import { followLostChanges } from '../../services/environments/follow-lost-changes';
import { createAccountTries } from '../../services/lists/try-accounts';
import type { Dependencies } from '../../services/ports/dependencies';
import { startPendingRollouts } from '../../services/rollouts/roll-out-profile';
import { wakeRollouts } from '../../services/rollouts/wake-rollouts';

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId' | 'notifyOperator'>;

/**
 * Continues the rollouts of every account. If one account fails, reports the failure to the operator and goes on.
 * Throws at the end if the database or Temporal was unavailable. May be repeated.
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
