/**
 * Adapts refusals of private targets to the caller. Only admins of the first account see how to allow such a target.
 */
import { withoutAdvice } from '../../domain/definitions/target-refusal';
import { AppError } from '../../platform/errors';
import { hasScope, type Principal } from '../../services/accounts/principal';
import type { Dependencies } from '../../services/ports/dependencies';

/**
 * Returns the error for this caller. Removes the advice about blocked targets, except for an admin, owner or admin key
 * of the first account.
 */
export async function hideTargetAdvice(
  error: unknown,
  { stores }: Pick<Dependencies, 'stores'>,
  principal: Principal | null,
): Promise<unknown> {
  if (!(error instanceof AppError)) return error;
  if (!error.errors.some(({ code }) => code === 'blocked_target')) return error;
  const isAdmin = principal !== null && hasScope(principal, 'admin');
  if (isAdmin && (await stores.accounts.isFirst(principal.accountId))) return error;
  const { code, message, errors, cause } = error;
  const shown = errors.map((problem) => ({ ...problem, message: withoutAdvice(problem.message) }));
  return new AppError(code, withoutAdvice(message), { errors: shown, cause });
}
