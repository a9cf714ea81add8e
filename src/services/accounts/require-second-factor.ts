/** Rules for accounts that require a second factor from their members. API keys need no second factor. */
import { AppError } from '../../platform/errors';
import type { Principal } from './principal';

/** True if the person must prove or add a second factor before doing anything else. */
export function needsSecondFactor({ isFactorRequired, session }: Principal): boolean {
  return isFactorRequired === true && session?.secondFactorAtMs === undefined;
}

/** Throws `second_factor_required` if the person must first prove or add a second factor. */
export function requireSecondFactor(principal: Principal): void {
  if (!needsSecondFactor(principal)) return;
  throw new AppError(
    'second_factor_required',
    'This account requires a second factor. Add an authenticator app or a passkey, or prove yours.',
  );
}
