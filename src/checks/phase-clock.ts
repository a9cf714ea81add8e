/**
 * Measures each phase of an attempt with the monotonic clock. If requests are redirected, the times of all requests are
 * added up.
 */
import type { Phase, Timings } from '../contracts/outcome';

export interface PhaseClock {
  /** Ends the current phase and starts this one. */
  readonly enter: (phase: Phase) => void;
  readonly phase: () => Phase;
  /** Ends the last phase. Later calls have no effect. */
  readonly stop: () => void;
  /** The milliseconds of each phase so far, with two decimals. null means that the phase has not started. */
  readonly timings: () => Timings;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** Creates a clock that starts now, in the phase `prepare`. */
export function createPhaseClock(): PhaseClock {
  const startedAt = performance.now();
  const sums = new Map<Phase, number>();
  let phase: Phase = 'prepare';
  let enteredAt = startedAt;
  let stoppedAt: number | undefined;

  function addUp(): void {
    const now = performance.now();
    sums.set(phase, (sums.get(phase) ?? 0) + now - enteredAt);
    enteredAt = now;
  }

  function sumPhases(first: Phase, second: Phase = first): number | null {
    const [one, other] = [sums.get(first), second === first ? undefined : sums.get(second)];
    return one === undefined && other === undefined ? null : round((one ?? 0) + (other ?? 0));
  }

  return {
    phase: () => phase,
    enter: (next) => {
      if (stoppedAt !== undefined || next === phase) return;
      addUp();
      phase = next;
    },
    stop: () => {
      if (stoppedAt !== undefined) return;
      addUp();
      stoppedAt = enteredAt;
    },
    timings: () => ({
      dnsMs: sumPhases('dns'),
      connectMs: sumPhases('connect'),
      tlsMs: sumPhases('tls'),
      ttfbMs: sumPhases('send', 'ttfb'),
      downloadMs: sumPhases('download'),
      totalMs: round((stoppedAt ?? performance.now()) - startedAt),
    }),
  };
}
