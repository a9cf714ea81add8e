/** The deadline of an attempt. When it passes, all work is aborted and the attempt fails immediately. */
import type { Failure, Phase } from '../contracts/outcome';
import { timedOutSentence } from '../domain/states/failure-words';
import type { PhaseClock } from './phase-clock';
import { StepFailure } from './step-failure';

export interface Deadline {
  /**
   * Resolves or rejects like `work`. If time runs out first, rejects and calls `end`, which must release the resources
   * of the work.
   */
  readonly within: <Result>(work: Promise<Result>, end: () => void) => Promise<Result>;
  readonly remainingMs: () => number;
  /** Frees the timer. Must be called when the attempt is over. */
  readonly clear: () => void;
}

function chooseCode(phase: Phase): Failure['code'] {
  if (phase === 'dns') return 'dns_error';
  return phase === 'connect' ? 'connection_timeout' : 'timeout';
}

/** Creates a deadline that starts now. The failure names the phase of the clock at which time ran out. */
export function createDeadline(timeoutMs: number, clock: PhaseClock): Deadline {
  const endsAt = performance.now() + timeoutMs;
  const waiting = new Set<() => void>();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    for (const expire of waiting) expire();
  }, timeoutMs);

  function failure(): StepFailure {
    const phase = clock.phase();
    return new StepFailure(chooseCode(phase), timedOutSentence(phase, timeoutMs), phase);
  }

  function within<Result>(work: Promise<Result>, end: () => void): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const expire = (): void => {
        reject(failure());
        end();
      };
      if (isOver) expire();
      else waiting.add(expire);
      work.then(resolve, reject).finally(() => waiting.delete(expire));
    });
  }

  return {
    within,
    remainingMs: () => Math.max(0, endsAt - performance.now()),
    clear: () => clearTimeout(timer),
  };
}
