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
/** A shared copy that is older is read anew while it is still shown … */
const FRESH_FOR_MS = 7_000;
/** … and one that is older than this is not shown, unless the source is away. */
const SHARED_FOR_MS = 10_000;
const CONFIRM_EVERY_MS = 60_000;
/** A round takes its time, and so does a read that fails. */
const CONFIRMED_WITHIN_MS = 2 * CONFIRM_EVERY_MS;

/** Resolves with the value of the key, or with its copy; rejects if there is no copy, and for other errors. */
export type LastGood<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

/** A copy of another version counts as none, and what is read of a version takes its place. */
type SharedCopy<Value> = (
  key: string,
  read: () => Promise<Value>,
  version?: number,
) => Promise<Value>;

export interface Copies {
  /**
   * Copies of one kind that are shown only while the source is away; each call reads the source. A value of null
   * means that it does not exist, and removes the copy of its key.
   */
  readonly keep: <Value>() => LastGood<Value>;
  /**
   * Copies of one kind that callers share: the read of what they get began at most ten seconds before they asked. Of
   * a key that is asked for often, nobody waits for a read but the first.
   */
  readonly share: <Value>() => SharedCopy<Value>;
  /** Reads all of them again, one after the other; ends early while the source is away. Never rejects. */
  readonly confirm: () => Promise<void>;
}

interface Source extends Clock {
  /** When a read first failed after the last success; null: the source responds. */
  awaySinceMs: number | null;
  /** The end of the reads that nobody waits for. */
  readsBehind: Promise<unknown>;
}

interface Ask<Value> {
  readonly key: string;
  readonly version: number;
  readonly read: () => Promise<Value>;
}

interface Copy<Value> extends Ask<Value> {
  readonly value: Value;
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
  readonly shared: SharedCopy<Value>;
  /** False: the source is away. */
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
        // Another version may have taken its place since the round began.
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

/** The reads of one key that are in flight. */
interface Flight {
  count: number;
  /** When the last read that found nothing began. */
  withdrawnAtMs: number;
}

type Put<Value> = (ask: Ask<Value>, value: Value, confirmedAtMs: number) => void;

/** One read of a key of one kind, and what its outcome says of the source. */
function createReader<Value>(source: Source, put: Put<Value>) {
  const flights = new Map<string, Flight>();
  /** The last read could not reach the source. */
  let hasFailed = false;

  async function readAnew(ask: Ask<Value>, beganAtMs: number): Promise<Value> {
    const { key } = ask;
    const flight = flights.get(key) ?? { count: 0, withdrawnAtMs: Number.NEGATIVE_INFINITY };
    flights.set(key, flight);
    flight.count += 1;
    try {
      const value = await ask.read();
      source.awaySinceMs = null;
      hasFailed = false;
      // A slow read must not bring back what a later one found withdrawn.
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
    readAnew,
    /** Another kind may fail because it reads too much at once: that hides no change of this one. */
    awaySince: (): number | null => (hasFailed ? source.awaySinceMs : null),
  };
}

/** The reads of one kind. */
function createReads<Value>(source: Source, put: Put<Value>) {
  const { readAnew, awaySince } = createReader<Value>(source, put);
  /** The latest read of each key, by the time at which it began. */
  const reading = new Map<string, Reading<Value>>();
  /** To be read when the reads before have ended. */
  const waiting = new Set<string>();

  function startRead(ask: Ask<Value>): Promise<Value> {
    const { key, version } = ask;
    const beganAtMs = source.now();
    const value = readAnew(ask, beganAtMs).finally(() => {
      if (reading.get(key)?.value === value) reading.delete(key);
    });
    reading.set(key, { value, version, beganAtMs });
    return value;
  }

  /** A read that began too long ago is joined only while the source is away: then at most one is in flight. */
  function joinRead(ask: Ask<Value>): Promise<Value> {
    const running = reading.get(ask.key);
    if (running === undefined || running.version !== ask.version) return startRead(ask);
    const isRecent = source.now() - running.beganAtMs <= SHARED_FOR_MS;
    return isRecent || awaySince() !== null ? running.value : startRead(ask);
  }

  /** A read that has begun may miss what was withdrawn since, so it is joined only while the source is away. */
  function readNow(ask: Ask<Value>): Promise<Value> {
    return awaySince() === null ? startRead(ask) : joinRead(ask);
  }

  /** One after the other, so that they delay nobody who waits for a read. */
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

/** The copies of one kind; what was not asked for longest goes first. */
function createShelf<Value>() {
  const kept = new Map<string, Copy<Value>>();
  return {
    put: ({ key, version, read }: Ask<Value>, value: Value, confirmedAtMs: number): void => {
      const known = kept.get(key);
      // If two reads ran in parallel, the one that began later counts.
      if (known !== undefined && known.confirmedAtMs > confirmedAtMs) return;
      const askedAtMs = known?.askedAtMs ?? confirmedAtMs;
      if (value === null) kept.delete(key);
      else kept.set(key, { key, version, read, value, confirmedAtMs, askedAtMs });
      const [oldest] = kept.keys();
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    },
    find: (key: string): Copy<Value> | null => kept.get(key) ?? null,
    /** Its copy of the version, however old it is. */
    noteAsked({ key, version }: Ask<Value>, askedAtMs: number): Copy<Value> | null {
      const copy = kept.get(key);
      if (copy === undefined) return null;
      kept.delete(key);
      kept.set(key, { ...copy, askedAtMs });
      return copy.version === version ? copy : null;
    },
    /** Finds a copy that may be shown while the source is away since `sinceMs`. */
    findGood({ key, version }: Ask<Value>, sinceMs: number): Copy<Value> | null {
      const copy = kept.get(key);
      if (copy === undefined || copy.version !== version) return null;
      return sinceMs - copy.confirmedAtMs <= CONFIRMED_WITHIN_MS ? copy : null;
    },
    /** The keys that were asked for since then; the others go. */
    listAsked(sinceMs: number): readonly string[] {
      for (const [key, { askedAtMs }] of kept) if (askedAtMs < sinceMs) kept.delete(key);
      return [...kept.keys()];
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
