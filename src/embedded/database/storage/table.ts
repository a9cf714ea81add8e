// The single sorted table of a store: keys and values are bytes.
import type { Database } from 'lmdb';
import type { Change } from './journal';

export interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** A range of keys: from `start` (inclusive) to `end` (exclusive). */
export interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

export interface RangeRead {
  readonly range: KeyRange;
  readonly reverse: boolean;
  readonly limit: number;
}

export interface RangePart {
  readonly entries: readonly Entry[];
  /** True if this is the last part of the range. */
  readonly done: boolean;
}

const FORWARD = { reverse: false, limit: 512 } as const;

// Size limit of one part of a range, in bytes of values. The part ends with the entry that exceeds the limit.
const PART_BYTES = 64 * 1024;

/** The longest key that a table accepts. */
export const KEY_BYTES_MAX = 1978;

/** A sorted table of bytes. `put` and `remove` may only be called inside {@link Store.write}. */
export class Table {
  constructor(
    private readonly database: Database<Buffer, Buffer>,
    private readonly noteChange: (change: Change) => void,
  ) {}

  get(key: Buffer): Buffer | undefined {
    return this.database.get(key);
  }

  put(key: Buffer, value: Buffer): void {
    this.noteChange({ key, value });
    this.database.putSync(key, value);
  }

  remove(key: Buffer): void {
    this.noteChange({ key, value: undefined });
    this.database.removeSync(key);
  }

  /**
   * Returns copies of at most `limit` entries from the start of a range, or from its end if `reverse` is true. Returns
   * fewer entries if their values exceed PART_BYTES.
   */
  read({ range, reverse, limit }: RangeRead): RangePart {
    const entries: Entry[] = [];
    if (Buffer.compare(range.start, range.end) >= 0) return { entries, done: true };
    let bytes = 0;
    for (const { key, value } of this.database.getRange(lmdbRange(range, reverse, limit))) {
      entries.push({ key, value });
      bytes += value.length;
      if (bytes > PART_BYTES) return { entries, done: false };
    }
    return { entries, done: entries.length < limit };
  }

  /** Reads all entries of a range part by part. */
  *entries(range: KeyRange): Generator<Entry> {
    let { start } = range;
    for (;;) {
      const { entries, done } = this.read({ range: { start, end: range.end }, ...FORWARD });
      yield* entries;
      const last = entries.at(-1);
      if (done || !last) return;
      start = keyAfter(last.key);
    }
  }

  /** Returns the first keys of a range. */
  keys({ start, end }: KeyRange, limit: number): Buffer[] {
    return [...this.database.getKeys({ start, end, limit })];
  }

  /** Returns the number of entries in a range. */
  count(range: KeyRange): number {
    if (Buffer.compare(range.start, range.end) >= 0) return 0;
    return this.database.getKeysCount({ start: range.start, end: range.end });
  }
}

/** Returns the smallest key that comes after the given key. */
export function keyAfter(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.from([0])]);
}

// Converts a range to LMDB's options. In reverse, LMDB starts at the last key before `end` and stops at the first key
// of the range.
function lmdbRange(range: KeyRange, reverse: boolean, limit: number): object {
  if (!reverse) return { start: range.start, end: range.end, limit };
  return {
    start: range.end,
    exclusiveStart: true,
    end: range.start,
    inclusiveEnd: true,
    reverse: true,
    limit,
  };
}
