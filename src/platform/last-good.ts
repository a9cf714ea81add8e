/**
 * Copies of values that many callers read. While the source is away, everyone gets the last copy at once, and one read
 * continues in the background. Values may be withdrawn, so all copies are read again once a minute, and a copy that
 * was older than that when the source went away is not shown.
 */
import type { Clock } from './clock';
import { isUnavailable } from './errors';

/** Copies of one kind; all of them are read again every minute. */
const KEPT_MAX = 200;
/** A copy that was not used for a day is no longer read every minute. */
const ASKED_WITHIN_MS = 86_400_000;
/** An older shared copy is read again while it is still shown … */
const FRESH_FOR_MS = 5_000;
/** … and a copy older than this is not shown, unless the source is away. */
const SHARED_FOR_MS = 10_000;
const CONFIRM_EVERY_MS = 60_000;
/** A round takes its time, and so does a read that fails. */
const CONFIRMED_WITHIN_MS = 2 * CONFIRM_EVERY_MS;

/** Resolves with the value of the key, or with its copy; rejects if there is no copy, and for other errors. */
export type LastGood<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

export interface Copies {
  /**
   * Copies of one kind that are shown only while the source is away; each call reads the source. A value of null
   * means that it does not exist, and removes the copy of its key.
   */
  readonly keep: <Value>() => LastGood<Value>;
  /**
   * Copies of one kind that callers share, read within the last ten seconds. Only the first caller of a key that is
   * used often waits for a read.
   */
  readonly share: <Value>() => LastGood<Value>;
  /** Reads all of them again, one after the other; ends early while the source is away. Never rejects. */
  readonly confirm: () => Promise<void>;
}

interface Source extends Clock {
  /** When a read first failed after the last success; null: the source responds. */
  awaySinceMs: number | null;
}

interface Copy<Value> {
  readonly value: Value;
  readonly read: () => Promise<Value>;
  /** When the read began: the value is at least as new. */
  readonly confirmedAtMs: number;
  readonly askedAtMs: number;
}

/** All of one source. */
export function createCopies({ now }: Clock): Copies {
  const source: Source = { now, awaySinceMs: null };
  const confirms: (() => Promise<boolean>)[] = [];
  const addKind = <Value>() => {
    const kind = createKind<Value>(source);
    confirms.push(kind.confirm);
    return kind;
  };
  return {
    keep: <Value>() => addKind<Value>().lastGood,
    share: <Value>() => addKind<Value>().shared,
    confirm: async () => {
      for (const confirm of confirms) if (!(await confirm())) return;
    },
  };
}

/** Confirms the copies once a minute until the returned function is called. */
export function keepConfirmed({ confirm }: Pick<Copies, 'confirm'>): () => void {
  let isConfirming = false;
  const timer = setInterval(() => {
    if (isConfirming) return;
    isConfirming = true;
    void confirm().finally(() => {
      isConfirming = false;
    });
  }, CONFIRM_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

interface Kind<Value> {
  readonly lastGood: LastGood<Value>;
  readonly shared: LastGood<Value>;
  /** False: the source is away. */
  readonly confirm: () => Promise<boolean>;
}

function createKind<Value>(source: Source): Kind<Value> {
  const shelf = createShelf<Value>();
  const reading = new Map<string, Promise<Value>>();

  async function readAnew(key: string, read: () => Promise<Value>): Promise<Value> {
    const confirmedAtMs = source.now();
    try {
      const value = await read();
      source.awaySinceMs = null;
      shelf.put(key, { value, read, confirmedAtMs });
      return value;
    } catch (error) {
      if (isUnavailable(error)) source.awaySinceMs ??= source.now();
      throw error;
    }
  }

  function startRead(key: string, read: () => Promise<Value>): Promise<Value> {
    const fresh = readAnew(key, read).finally(() => {
      if (reading.get(key) === fresh) reading.delete(key);
    });
    reading.set(key, fresh);
    return fresh;
  }

  /** At most one read per key is in flight. */
  function joinRead(key: string, read: () => Promise<Value>): Promise<Value> {
    return reading.get(key) ?? startRead(key, read);
  }

  /** A read in flight may miss a later withdrawal, so it is joined only while the source is away. */
  function readNow(key: string, read: () => Promise<Value>): Promise<Value> {
    return source.awaySinceMs === null ? startRead(key, read) : joinRead(key, read);
  }

  async function showGood(key: string, fresh: Promise<Value>, awaySinceMs: number | null) {
    const known = awaySinceMs === null ? null : shelf.findGood(key, awaySinceMs);
    if (known !== null) {
      fresh.catch(() => undefined);
      return known.value;
    }
    try {
      return await fresh;
    } catch (error) {
      const good = shelf.findGood(key, source.awaySinceMs ?? source.now());
      if (good === null || !isUnavailable(error)) throw error;
      return good.value;
    }
  }

  return {
    lastGood: async (key, read) => {
      shelf.noteAsked(key, source.now());
      const { awaySinceMs } = source;
      return showGood(key, readNow(key, read), awaySinceMs);
    },
    shared: async (key, read) => {
      const nowMs = source.now();
      const copy = shelf.noteAsked(key, nowMs);
      const ageMs = copy === null ? Number.POSITIVE_INFINITY : nowMs - copy.confirmedAtMs;
      if (copy !== null && ageMs <= FRESH_FOR_MS) return copy.value;
      const { awaySinceMs } = source;
      const fresh = joinRead(key, read);
      if (copy === null || ageMs > SHARED_FOR_MS) return showGood(key, fresh, awaySinceMs);
      fresh.catch(() => undefined);
      return copy.value;
    },
    confirm: async () => {
      const sinceMs = (source.awaySinceMs ?? source.now()) - ASKED_WITHIN_MS;
      for (const [key, { read }] of shelf.listAsked(sinceMs))
        if (!(await isThere(readNow(key, read)))) return false;
      return true;
    },
  };
}

/** The copies of one kind; the least recently used one is dropped first. */
function createShelf<Value>() {
  const kept = new Map<string, Copy<Value>>();
  return {
    put(key: string, { value, read, confirmedAtMs }: Omit<Copy<Value>, 'askedAtMs'>): void {
      const known = kept.get(key);
      // Of two parallel reads, the one that began later counts.
      if (known !== undefined && known.confirmedAtMs > confirmedAtMs) return;
      const askedAtMs = known?.askedAtMs ?? confirmedAtMs;
      if (value === null) kept.delete(key);
      else kept.set(key, { value, read, confirmedAtMs, askedAtMs });
      const [oldest] = kept.keys();
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    },
    /** Its copy, however old it is. */
    noteAsked(key: string, askedAtMs: number): Copy<Value> | null {
      const copy = kept.get(key);
      if (copy === undefined) return null;
      kept.delete(key);
      kept.set(key, { ...copy, askedAtMs });
      return copy;
    },
    /** The copy that may be shown if the source has been away since then. */
    findGood(key: string, sinceMs: number): Copy<Value> | null {
      const copy = kept.get(key);
      if (copy === undefined) return null;
      return sinceMs - copy.confirmedAtMs <= CONFIRMED_WITHIN_MS ? copy : null;
    },
    /** The copies used since then; drops the others. */
    listAsked(sinceMs: number): readonly (readonly [string, Copy<Value>])[] {
      for (const [key, { askedAtMs }] of kept) if (askedAtMs < sinceMs) kept.delete(key);
      return [...kept];
    },
  };
}

/** Other errors do not mean that the source is away; visitors get them. */
async function isThere(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    return !isUnavailable(error);
  }
}
