/**
 * Time limits for database calls. The driver has no time limit for a server that never responds. A call may still take
 * effect after its time limit.
 */
import { refuseIfAbandoned } from '../../platform/abandon';
import { translateError, unavailable } from './database-errors';

/** Runs the call. Throws AppError `unavailable` if the database is unreachable or the deadline passes. */
export async function withinDeadline<Result>(
  call: () => Promise<Result>,
  deadlineMs: number,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(unavailable(new Error(`no response within ${deadlineMs} ms`)));
    timer = setTimeout(giveUp, deadlineMs);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (error) {
    throw translateError(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Wraps the store. Each call ends within the deadline. A call is not started if its caller no longer waits for the
 * result.
 */
export function withDeadlines<Store extends object>(store: Store, deadlineMs: number): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) =>
        withinDeadline(async () => {
          refuseIfAbandoned();
          return Reflect.apply(member, target, given);
        }, deadlineMs);
    },
  });
}
