/** Turns errors of the database into failures that workflows can tell apart. */
import { ApplicationFailure } from '@temporalio/activity';
import { DATABASE_FAILURES } from '../contracts/backlog';
import { isUnavailable } from '../platform/errors';

/** The result of the call; its error becomes a failure that says whether the database is unavailable or refused. */
export async function nameDatabaseFailure<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const type = isUnavailable(error) ? DATABASE_FAILURES.away : DATABASE_FAILURES.refused;
    throw ApplicationFailure.create({ message, type });
  }
}
