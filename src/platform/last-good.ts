/**
 * Keeps copies of values that many callers read. While the source of the values is unavailable, callers get the last
 * copy at once. All copies are read again once a minute, because a value may have been withdrawn.
 */
import type { Clock } from './clock';
import { isUnavailable } from './errors';

/** Maximum number of copies of one kind. */
const KEPT_MAX = 200;
/** A copy that was not requested for this many milliseconds is dropped. */
const ASKED_WITHIN_MS = 86_400_000;
/** From this age on, a shared copy is still returned, but it is also read again in the background. */
const FRESH_FOR_MS = 7_000;
/** The maximum age of a shared copy. An older copy is returned only while the source is unavailable. */
const SHARED_FOR_MS = 10_000;
const CONFIRM_EVERY_MS = 60_000;
/** A copy must have been read within this time. It is twice the interval, because a read may fail. */
const CONFIRMED_WITHIN_MS = 2 * CONFIRM_EVERY_MS;

/** Resolves with the value, or with its copy if the source is unavailable. Rejects if there is no copy either. */
export type LastGood<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

/** Resolves with a shared copy of the wanted version. If there is none, reads the value. */
type SharedCopy<Value> = (
  key: string,
  read: () => Promise<Value>,
  version?: number,
) => Promise<Value>;

export interface Copies {
  /**
   * Creates copies that are used only while the source is unavailable. Otherwise, each call reads the source. The value
   * null means that the object does not exist.
   */
  readonly keep: <Value>() => LastGood<Value>;
  /**
   * Creates copies that callers share. A returned value was read at most ten seconds before the call, except while the
   * source is unavailable. For a key that is requested often, only the first caller waits.
   */
  readonly share: <Value>() => SharedCopy<Value>;
  /** Reads all copies again, one by one. Returns false and stops if the source is unavailable. Never rejects. */
  readonly confirm: () => Promise<boolean>;
}

interface Source extends Clock {
  /** When the source was first found unavailable since its last response. null while it responds. */
  awaySinceMs: number | null;
  /** Resolves when all reads in the background have ended. */
  readsBehind: Promise<unknown>;
}

interface Ask<Value> {
  readonly key: string;
  readonly version: number;
  readonly read: () => Promise<Value>;
}

interface Copy<Value> extends Ask<Value> {
  readonly value: Value;
  /** When the read began. The value is at least as recent as this time. */
  readonly confirmedAtMs: number;
  readonly askedAtMs: number;
}

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
      for (const confirm of confirms) if (!(await confirm())) return false;
      return true;
    },
  };
}

/** Starts to read the copies again once a minute, until the returned function is called. */
export function startConfirming({ confirm }: Pick<Copies, 'confirm'>): () => void {
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
  readonly shared: SharedCopy<Value>;
  readonly confirm: () => Promise<boolean>;
}

function createKind<Value>(source: Source): Kind<Value> {
  const shelf = createShelf<Value>();
  const { awaySince, readNow, joinRead, readBehind } = createReads<Value>(source, shelf.put);

  async function showGood(ask: Ask<Value>, fresh: Promise<Value>, awaySinceMs: number | null) {
    const known = awaySinceMs === null ? null : shelf.findGood(ask, awaySinceMs);
    if (known !== null) {
      fresh.catch(() => undefined);
      return known.value;
    }
    try {
      return await fresh;
    } catch (error) {
      const good = shelf.findGood(ask, source.awaySinceMs ?? source.now());
      if (good === null || !isUnavailable(error)) throw error;
      return good.value;
    }
  }

  return {
    lastGood: async (key, read) => {
      const ask = { key, version: 0, read };
      shelf.noteAsked(ask, source.now());
      const awaySinceMs = awaySince();
      return showGood(ask, readNow(ask), awaySinceMs);
    },
    shared: async (key, read, version = 0) => {
      const ask = { key, version, read };
      const nowMs = source.now();
      const copy = shelf.noteAsked(ask, nowMs);
      const ageMs = copy === null ? Number.POSITIVE_INFINITY : nowMs - copy.confirmedAtMs;
      if (copy === null || ageMs > SHARED_FOR_MS) {
        const awaySinceMs = awaySince();
        return showGood(ask, joinRead(ask), awaySinceMs);
      }
      if (ageMs > FRESH_FOR_MS) readBehind(ask);
      return copy.value;
    },
    confirm: async () => {
      const sinceMs = (source.awaySinceMs ?? source.now()) - ASKED_WITHIN_MS;
      for (const key of shelf.listAsked(sinceMs)) {
        // Another read may have replaced the copy while the previous keys were read, so it is looked up only now.
        const copy = shelf.find(key);
        if (copy !== null && !(await isThere(readNow(copy)))) return false;
      }
      return true;
    },
  };
}

interface Reading<Value> {
  readonly value: Promise<Value>;
  readonly version: number;
  readonly beganAtMs: number;
}

/** The reads of one key that are in progress. */
interface Flight {
  count: number;
  /** The start of the latest read that found the value withdrawn (null). */
  withdrawnAtMs: number;
}

type Put<Value> = (ask: Ask<Value>, value: Value, confirmedAtMs: number) => void;

/** Reads values of one kind, and notes whether the source is available. */
function createReader<Value>(source: Source, put: Put<Value>) {
  const flights = new Map<string, Flight>();
  /** True if the last read could not reach the source. */
  let hasFailed = false;

  async function readValue(ask: Ask<Value>, beganAtMs: number): Promise<Value> {
    const { key } = ask;
    const flight = flights.get(key) ?? { count: 0, withdrawnAtMs: Number.NEGATIVE_INFINITY };
    flights.set(key, flight);
    flight.count += 1;
    try {
      const value = await ask.read();
      source.awaySinceMs = null;
      hasFailed = false;
      // A slow read must not store the value again if a later read has found it withdrawn.
      if (beganAtMs >= flight.withdrawnAtMs) put(ask, value, beganAtMs);
      if (value === null) flight.withdrawnAtMs = Math.max(flight.withdrawnAtMs, beganAtMs);
      return value;
    } catch (error) {
      if (isUnavailable(error)) {
        source.awaySinceMs ??= source.now();
        hasFailed = true;
      }
      throw error;
    } finally {
      flight.count -= 1;
      if (flight.count === 0) flights.delete(key);
    }
  }

  return {
    readValue,
    /** Since when the source has been unavailable for this kind. null if the last read of this kind succeeded. */
    awaySince: (): number | null => (hasFailed ? source.awaySinceMs : null),
  };
}

/** Starts the reads of one kind, and shares them between callers. */
function createReads<Value>(source: Source, put: Put<Value>) {
  const { readValue, awaySince } = createReader<Value>(source, put);
  /** The latest read in progress, by key. */
  const reading = new Map<string, Reading<Value>>();
  /** Keys that wait for their turn to be read in the background. */
  const waiting = new Set<string>();

  function startRead(ask: Ask<Value>): Promise<Value> {
    const { key, version } = ask;
    const beganAtMs = source.now();
    const value = readValue(ask, beganAtMs).finally(() => {
      if (reading.get(key)?.value === value) reading.delete(key);
    });
    reading.set(key, { value, version, beganAtMs });
    return value;
  }

  /** Joins the read in progress, or starts a read. Joins an old read only while the source is unavailable. */
  function joinRead(ask: Ask<Value>): Promise<Value> {
    const running = reading.get(ask.key);
    if (running === undefined || running.version !== ask.version) return startRead(ask);
    const isRecent = source.now() - running.beganAtMs <= SHARED_FOR_MS;
    return isRecent || awaySince() !== null ? running.value : startRead(ask);
  }

  /** Starts a read. While the source is unavailable, joins the read in progress instead. */
  function readNow(ask: Ask<Value>): Promise<Value> {
    return awaySince() === null ? startRead(ask) : joinRead(ask);
  }

  /** Reads in the background. Such reads run one after the other, so that they delay no caller. */
  function readBehind(ask: Ask<Value>): void {
    const { key } = ask;
    if (reading.has(key) || waiting.has(key)) return;
    waiting.add(key);
    source.readsBehind = source.readsBehind
      .then(() => {
        waiting.delete(key);
        return joinRead(ask);
      })
      .catch(() => undefined);
  }

  return { awaySince, readNow, joinRead, readBehind };
}

/** Stores copies of one kind. At the limit, drops the copy that was requested least recently. */
function createShelf<Value>() {
  const kept = new Map<string, Copy<Value>>();
  return {
    put: ({ key, version, read }: Ask<Value>, value: Value, confirmedAtMs: number): void => {
      const known = kept.get(key);
      // Of two parallel reads, the read that began later counts.
      if (known !== undefined && known.confirmedAtMs > confirmedAtMs) return;
      const askedAtMs = known?.askedAtMs ?? confirmedAtMs;
      if (value === null) kept.delete(key);
      else kept.set(key, { key, version, read, value, confirmedAtMs, askedAtMs });
      const [oldest] = kept.keys();
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    },
    find: (key: string): Copy<Value> | null => kept.get(key) ?? null,
    /** Notes that the copy was requested. Returns the copy of any age. null if it has another version. */
    noteAsked({ key, version }: Ask<Value>, askedAtMs: number): Copy<Value> | null {
      const copy = kept.get(key);
      if (copy === undefined) return null;
      kept.delete(key);
      kept.set(key, { ...copy, askedAtMs });
      return copy.version === version ? copy : null;
    },
    /** Returns the copy if it may be used while the source is unavailable since `sinceMs`, or null. */
    findGood({ key, version }: Ask<Value>, sinceMs: number): Copy<Value> | null {
      const copy = kept.get(key);
      if (copy === undefined || copy.version !== version) return null;
      return sinceMs - copy.confirmedAtMs <= CONFIRMED_WITHIN_MS ? copy : null;
    },
    /** Lists the keys that were requested at or after `sinceMs`, and drops all other copies. */
    listAsked(sinceMs: number): readonly string[] {
      for (const [key, { askedAtMs }] of kept) if (askedAtMs < sinceMs) kept.delete(key);
      return [...kept.keys()];
    },
  };
}

/** Returns false if the source is unavailable. Ignores other errors, which the callers get. */
async function isThere(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    return !isUnavailable(error);
  }
}
