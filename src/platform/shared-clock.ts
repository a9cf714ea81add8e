/**
 * One clock for all processes of a service, whatever the hosts' own clocks say: that of a source which
 * all of them reach. It goes on by itself between two looks and while the source is away. It knows no
 * database.
 */
import type { Clock } from './clock';

/** What the source showed, and between which two instants of the steady clock it must have been. */
export interface ClockReading {
  readonly shownMs: number;
  readonly askedAtMs: number;
  readonly receivedAtMs: number;
}

export interface SharedClock extends Clock {
  /** Moves no further than the reading demands: the way there and back takes an unknown time. */
  readonly adjust: (reading: ClockReading) => void;
  /** Milliseconds that only ever grow. */
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

/** Looks every five seconds until the returned function is called; resolves after the first look. */
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
      // It goes on by itself.
      .catch(() => undefined);
    isLooking = false;
  }
  await look();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
