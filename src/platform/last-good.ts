/**
 * The last good copy of what is read for many: while its source is away, what was read last is there at once, and
 * one read goes on in the background. It judges nothing but whether the source is away.
 */
import { isUnavailable } from './errors';

const KEPT_MAX = 1_000;

/** Resolves with what is read for the key, or with what was read last; rejects where nothing was, and for other errors. */
export type LastGood<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

export function keepLastGood<Value>(): LastGood<Value> {
  const kept = new Map<string, { readonly value: Value }>();
  const reading = new Map<string, Promise<Value>>();
  let isAway = false;

  function keep(key: string, value: Value): void {
    kept.delete(key);
    kept.set(key, { value });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  }

  async function readAnew(key: string, read: () => Promise<Value>): Promise<Value> {
    const value = await read();
    isAway = false;
    keep(key, value);
    return value;
  }

  /** A source that hangs is asked once at a time for each key. */
  function readOnce(key: string, read: () => Promise<Value>): Promise<Value> {
    const running = reading.get(key);
    if (isAway && running !== undefined) return running;
    const fresh = readAnew(key, read).finally(() => {
      if (reading.get(key) === fresh) reading.delete(key);
    });
    reading.set(key, fresh);
    return fresh;
  }

  return async (key, read) => {
    const fresh = readOnce(key, read);
    const known = kept.get(key);
    if (known !== undefined && isAway) {
      fresh.catch(() => undefined);
      return known.value;
    }
    try {
      return await fresh;
    } catch (error) {
      const copy = kept.get(key);
      if (copy === undefined || !isUnavailable(error)) throw error;
      isAway = true;
      return copy.value;
    }
  };
}
