/**
 * The one deadline of an attempt. When it passes, whatever is under way is ended by force and the
 * attempt fails at once, even if what was ended never says so.
 */
import type { Failure, Phase } from '../contracts/outcome';
import { timedOutSentence } from '../domain/states/failure-words';
import type { PhaseClock } from './phase-clock';
import { StepFailure } from './step-failure';

export interface Deadline {
  /** The work's own result, or a failure once the time is up; `end` must then free what it holds. */
  readonly within: <Result>(work: Promise<Result>, end: () => void) => Promise<Result>;
  readonly remainingMs: () => number;
  /** Frees the timer; must be called when the attempt is over. */
  readonly clear: () => void;
}

function codeOf(phase: Phase): Failure['code'] {
  if (phase === 'dns') return 'dns_error';
  return phase === 'connect' ? 'connection_timeout' : 'timeout';
}

/** A deadline that begins now; the clock tells the phase that it ran out in. */
export function createDeadline(timeoutMs: number, clock: PhaseClock): Deadline {
  const endsAt = performance.now() + timeoutMs;
  const expiry = new AbortController();
  const timer = setTimeout(() => expiry.abort(), timeoutMs);

  function failure(): StepFailure {
    const phase = clock.phase();
    return new StepFailure(codeOf(phase), timedOutSentence(phase, timeoutMs), phase);
  }

  async function within<Result>(work: Promise<Result>, end: () => void): Promise<Result> {
    const { signal } = expiry;
    return await new Promise<Result>((resolve, reject) => {
      const expire = () => {
        reject(failure());
        end();
      };
      if (signal.aborted) expire();
      else signal.addEventListener('abort', expire, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', expire));
    });
  }

  return {
    within,
    remainingMs: () => Math.max(0, endsAt - performance.now()),
    clear: () => clearTimeout(timer),
  };
}
