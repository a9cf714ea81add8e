/** Housekeeping of rollouts: starts those that a crash has separated from their change, and wakes those that were lost. */
import type { HousekeepingPass } from '../../contracts/housekeeping';
import { followLostChanges } from '../environments/follow-lost-changes';
import { createAccountTries } from '../lists/try-accounts';
import type { Dependencies } from '../ports/dependencies';
import { startPendingRollouts } from '../rollouts/roll-out-profile';
import { wakeRollouts } from '../rollouts/wake-rollouts';

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId' | 'notifyOperator'>;

interface Continued {
  /** Rollouts of environments and account variables that were started. */
  readonly followed: number;
  /** Rollouts of profiles that were started. */
  readonly started: number;
  readonly woken: number;
  /** Accounts with an error. The operator was notified of each. */
  readonly failed: number;
}

/**
 * Handles every account, even if another one fails. Throws afterwards if the database or Temporal was unavailable. Safe
 * to repeat.
 */
export async function continueRollouts(
  needs: Needs,
  pass: HousekeepingPass,
  signal: AbortSignal,
): Promise<Continued> {
  const { notifyOperator } = needs;
  const sentence = 'the rollouts of an account could not be continued';
  const { tryAccount, finish } = createAccountTries({ signal, notifyOperator, sentence });
  const counts = {
    followed: await followLostChanges(needs, pass, tryAccount),
    started: await startPendingRollouts(needs, tryAccount),
    woken: await wakeRollouts(needs, tryAccount),
  };
  return { ...counts, failed: finish() };
}
