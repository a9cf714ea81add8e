/**
 * Copies of what is read for many. While their source is away, everyone gets the last copy at once, and one read
 * goes on behind it. What was read may be withdrawn, so all copies are read again once a minute, and a copy that
 * was older than that when the source went away is not shown.
 */
import type { Clock } from './clock';
import { isUnavailable } from './errors';

/** Of one kind: all of them are read again in each minute. */
const KEPT_MAX = 200;
/** What nobody has asked for in a day is not worth a read in each minute. */
const ASKED_WITHIN_MS = 86_400_000;
/** A shared copy that is older is read anew while it is still shown … */
const FRESH_FOR_MS = 7_000;
/** … and one that is older than this is not shown, unless the source is away. */
const SHARED_FOR_MS = 10_000;
const CONFIRM_EVERY_MS = 60_000;
/** A round takes its time, and so does a read that fails. */
const CONFIRMED_WITHIN_MS = 2 * CONFIRM_EVERY_MS;

/** Resolves with what is read for the key, or with its copy; rejects where there is none, and for other errors. */
export type LastGood<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

export interface Copies {
  /**
   * Copies of one kind, which are shown only while the source is away: each call asks it. null stands for what
   * is not there: it ends the copy of its key.
   */
  readonly keep: <Value>() => LastGood<Value>;
  /**
   * Copies of one kind that callers share: what they get was read within the last ten seconds. Of a key that is asked
   * for often, nobody waits for a read but the first.
   */
  readonly share: <Value>() => LastGood<Value>;
  /** Reads all of them again, one after the other; ends early while the source is away. Never rejects. */
  readonly confirm: () => Promise<void>;
}

interface Source extends Clock {
  /** When a read first failed since the last one that did not; null: it is there. */
  awaySinceMs: number | null;
  /** The end of the reads that nobody waits for. */
  readsBehind: Promise<unknown>;
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
  const source: Source = { now, awaySinceMs: null, readsBehind: Promise.resolve() };
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

/** Confirms them once a minute; ends with the function that it returns. */
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
  /** To be read when the reads before have ended. */
  const waiting = new Set<string>();

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

  /** A read that has begun may miss what was withdrawn since, so it is joined only while the source is away. */
  function readNow(key: string, read: () => Promise<Value>): Promise<Value> {
    return source.awaySinceMs === null ? startRead(key, read) : joinRead(key, read);
  }

  /** One after the other, so that they delay nobody who waits for a read. */
  function readBehind(key: string, read: () => Promise<Value>): void {
    if (reading.has(key) || waiting.has(key)) return;
    waiting.add(key);
    source.readsBehind = source.readsBehind
      .then(() => {
        waiting.delete(key);
        return joinRead(key, read);
      })
      .catch(() => undefined);
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
      if (copy === null || ageMs > SHARED_FOR_MS) {
        const { awaySinceMs } = source;
        return showGood(key, joinRead(key, read), awaySinceMs);
      }
      if (ageMs > FRESH_FOR_MS) readBehind(key, read);
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

/** The copies of one kind; what was not asked for longest goes first. */
function createShelf<Value>() {
  const kept = new Map<string, Copy<Value>>();
  return {
    put(key: string, { value, read, confirmedAtMs }: Omit<Copy<Value>, 'askedAtMs'>): void {
      const known = kept.get(key);
      // Of two reads at a time, the one that began later counts.
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
    /** What may be shown while the source is away since then. */
    findGood(key: string, sinceMs: number): Copy<Value> | null {
      const copy = kept.get(key);
      if (copy === undefined) return null;
      return sinceMs - copy.confirmedAtMs <= CONFIRMED_WITHIN_MS ? copy : null;
    },
    /** Those that were asked for since then; the others go. */
    listAsked(sinceMs: number): readonly (readonly [string, Copy<Value>])[] {
      for (const [key, { askedAtMs }] of kept) if (askedAtMs < sinceMs) kept.delete(key);
      return [...kept];
    },
  };
}

/** What fails for another reason is passed on to the visitors. */
async function isThere(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    return !isUnavailable(error);
  }
}
