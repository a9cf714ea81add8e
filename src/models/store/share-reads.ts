/** Shares equal reads between callers, so that parallel requests of an account make fewer database calls. */
import { withinDeadline } from './deadline';

type Read<Given extends readonly unknown[], Result> = (...given: Given) => Promise<Result>;

/**
 * Wraps a read. Calls with the same arguments that arrive during a read share the next read, so that no result is older
 * than its call. Calls that share a read get the same object.
 */
export function shareRead<Given extends readonly unknown[], Result>(
  read: Read<Given, Result>,
): Read<Given, Result> {
  const running = new Map<string, Promise<Result>>();
  const waiting = new Map<string, Promise<Result>>();

  function begin(key: string, given: Given): Promise<Result> {
    waiting.delete(key);
    const call = read(...given);
    running.set(key, call);
    const end = (): void => {
      if (running.get(key) === call) running.delete(key);
    };
    call.then(end, end);
    return call;
  }

  return (...given) => {
    const key = JSON.stringify(given);
    const before = running.get(key);
    if (before === undefined) return begin(key, given);
    const beginNext = (): Promise<Result> => begin(key, given);
    const next = waiting.get(key) ?? before.then(beginNext, beginNext);
    waiting.set(key, next);
    return next;
  };
}

/** Wraps the named reads of a store with `shareRead`. A read without a response ends after the deadline. */
export function withSharedReads<Store extends object>(
  store: Store,
  names: readonly (keyof Store & string)[],
  deadlineMs: number,
): Store {
  const shared = names.map((name) => {
    const member: unknown = store[name];
    if (typeof member !== 'function') throw new Error(`${name} is not a read`);
    const read = async (...given: unknown[]): Promise<unknown> =>
      Reflect.apply(member, store, given);
    return [
      name,
      shareRead((...given: unknown[]) => withinDeadline(() => read(...given), deadlineMs)),
    ] as const;
  });
  return { ...store, ...Object.fromEntries(shared) };
}
