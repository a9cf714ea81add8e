/** A map with a limited size, which drops the least recently used entry. */
export interface LruCache<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
  readonly remove: (key: string) => void;
}

/** Creates a map of at most `entriesMax` values. */
export function createLruCache<Value>(entriesMax: number): LruCache<Value> {
  const entries = new Map<string, Value>();

  function set(key: string, value: Value): void {
    entries.delete(key);
    entries.set(key, value);
    const oldest = entries.keys().next();
    if (entries.size > entriesMax && oldest.done !== true) entries.delete(oldest.value);
  }

  function get(key: string): Value | undefined {
    const value = entries.get(key);
    if (value !== undefined) set(key, value);
    return value;
  }

  return { get, set, remove: (key) => void entries.delete(key) };
}
