/**
 * One clock for all processes of a service, although the hosts' clocks differ. It follows a shared source, and runs by
 * itself while the source is unavailable.
 */
import type { Clock } from './clock';

/** The time of the source, and the instants of the steady clock between which it was read. */
export interface ClockReading {
  readonly shownMs: number;
  readonly askedAtMs: number;
  readonly receivedAtMs: number;
}

export interface SharedClock extends Clock {
  /** Moves the clock as little as the reading allows, because its latency is unknown. */
  readonly adjust: (reading: ClockReading) => void;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
}

const LOOK_EVERY_MS = 5_000;
/** The source shows whole milliseconds. */
const RESOLUTION_MS = 1;

export interface OwnClocks {
  readonly wallNow: () => number;
  readonly steadyNow: () => number;
}

const ownClocks: OwnClocks = { wallNow: () => Date.now(), steadyNow: () => performance.now() };

/** Shows the host's time until the first reading. */
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

/** Reads the source every five seconds until the returned function is called; resolves after the first reading. */
export async function keepInStep(
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
      // The clock keeps running without the source.
      .catch(() => undefined);
    isLooking = false;
  }
  await look();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
