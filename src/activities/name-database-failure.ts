/** What activities throw when the database did not do what they asked, as workflows tell it apart. */
import { ApplicationFailure } from '@temporalio/activity';
import { DATABASE_FAILURES } from '../contracts/backlog';
import { isUnavailable } from '../platform/errors';

/** The call's answer; what it throws becomes a failure that says whether the database is away or has refused. */
export async function nameDatabaseFailure<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const type = isUnavailable(error) ? DATABASE_FAILURES.away : DATABASE_FAILURES.refused;
    throw ApplicationFailure.create({ message, type });
  }
}
