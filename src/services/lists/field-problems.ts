/** Turns the problems of a body into a single error. */
import type { ErrorCode } from '../../contracts/error-codes';
import { AppError, type FieldProblem } from '../../platform/errors';

const SPECIAL_CODES: readonly ErrorCode[] = [
  'unknown_variable',
  'unknown_region',
  'blocked_target',
  'dependency_cycle',
];

/**
 * Throws one error that lists all problems. Does nothing if there are none. If all problems have the same special code,
 * the error also has this code. Otherwise, the code is `validation_failed`.
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

/**
 * Formats the message so that it can follow the name of the field. If the message is a complete sentence, a colon
 * separates the name from it.
 */
function readOn(message: string): string {
  return /^[A-Z].*\.$/.test(message) ? `: ${message}` : ` ${message}.`;
}
