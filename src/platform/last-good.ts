/**
 * Keeps the last good copy of shared reads. While the source is unavailable, the copy is returned immediately and
 * one read continues in the background. Other errors pass through.
 */
import { isUnavailable } from './errors';

const KEPT_MAX = 1_000;

/** Resolves with the value for the key, or with its last copy; rejects when there is no copy, and on other errors. */
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

  /** While the source is unavailable, at most one read per key is in flight. */
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
