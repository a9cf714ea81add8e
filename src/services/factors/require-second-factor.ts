/** Accounts that require a second factor of their members. API keys need none. */
import { AppError } from '../../platform/errors';
import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';

/** True if the person must prove a second factor, or add one, before anything else. */
export async function needsSecondFactor(
  { stores }: Pick<Dependencies, 'stores'>,
  { accountId, session }: Principal,
): Promise<boolean> {
  if (session === undefined || session.secondFactorAtMs !== undefined) return false;
  return (await stores.accounts.find(accountId))?.requireSecondFactor === true;
}

/** Throws `second_factor_required`. */
export async function requireSecondFactor(
  needs: Pick<Dependencies, 'stores'>,
  principal: Principal,
): Promise<void> {
  if (!(await needsSecondFactor(needs, principal))) return;
  throw new AppError(
    'second_factor_required',
    'This account requires a second factor. Add an authenticator app or a passkey, or prove yours.',
  );
}
