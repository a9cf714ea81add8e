/** From problems of a body to the one refusal that answers it. */
import type { ErrorCode } from '../../contracts/error-codes';
import { AppError, type FieldProblem } from '../../platform/errors';

const SPECIAL_CODES: readonly ErrorCode[] = [
  'unknown_variable',
  'unknown_region',
  'blocked_target',
  'dependency_cycle',
];

/**
 * Throws one refusal that names every problem, or does nothing when there are none. When all are
 * of one special kind, that kind is the code of the response, otherwise it is `validation_failed`.
 */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const special = SPECIAL_CODES.find((code) => problems.every((problem) => problem.code === code));
  const count = problems.length === 1 ? '' : `${problems.length} fields are invalid. First: `;
  const where = first.path === '' ? 'the body' : first.path;
  const detail = `${count}${where}${readOn(first.message)}`;
  throw new AppError(special ?? 'validation_failed', detail, { errors: problems });
}

/** Some messages read on after the name of the field, others are sentences of their own. */
function readOn(message: string): string {
  return /^[A-Z].*\.$/.test(message) ? `: ${message}` : ` ${message}.`;
}
