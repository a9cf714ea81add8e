/**
 * One clock for all processes of a service, although the clocks of their hosts differ. It follows a shared source.
 * While the source is unavailable, it continues by itself.
 */
import type { Clock } from './clock';

/** A time that was read from the source. The reading took place between two instants of the steady clock. */
export interface ClockReading {
  readonly shownMs: number;
  readonly askedAtMs: number;
  readonly receivedAtMs: number;
}

export interface SharedClock extends Clock {
  /**
   * Adjusts the clock to a reading. The latency of the reading is unknown, so the clock is moved as little as possible.
   */
  readonly adjust: (reading: ClockReading) => void;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
}

const LOOK_EVERY_MS = 5_000;
/** The precision of the source, which has whole milliseconds. */
const RESOLUTION_MS = 1;

export interface OwnClocks {
  readonly wallNow: () => number;
  readonly steadyNow: () => number;
}

const ownClocks: OwnClocks = { wallNow: () => Date.now(), steadyNow: () => performance.now() };

/** Creates a clock. Until the first reading, it shows the time of the host. */
export function createSharedClock({ wallNow, steadyNow }: OwnClocks = ownClocks): SharedClock {
  let offsetMs = wallNow() - steadyNow();
  return {
    steadyNow,
    now: () => Math.floor(steadyNow() + offsetMs),
    adjust({ shownMs, askedAtMs, receivedAtMs }) {
      const leastMs = shownMs - receivedAtMs;
      const mostMs = shownMs + RESOLUTION_MS - askedAtMs;
      offsetMs = Math.min(Math.max(offsetMs, leastMs), mostMs);
    },
  };
}

/** Reads the source every five seconds until the returned function is called. Resolves after the first reading. */
export async function startSynchronizing(
  { adjust, steadyNow }: SharedClock,
  readSource: () => Promise<number>,
): Promise<() => void> {
  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const askedAtMs = steadyNow();
    await readSource()
      .then((shownMs) => adjust({ shownMs, askedAtMs, receivedAtMs: steadyNow() }))
      // A failed reading is ignored, because the clock runs on without the source.
      .catch(() => undefined);
    isLooking = false;
  }
  await look();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
