/** Turns database errors into failures that workflows can distinguish. */
import { ApplicationFailure } from '@temporalio/activity';
import { DATABASE_FAILURES } from '../contracts/backlog';
import { isUnavailable } from '../platform/errors';

/**
 * Returns the result of the call. If the call fails, throws a failure that says whether the database was unavailable or
 * refused the call.
 */
export async function nameDatabaseFailure<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const type = isUnavailable(error) ? DATABASE_FAILURES.away : DATABASE_FAILURES.refused;
    throw ApplicationFailure.create({ message, type });
  }
}
