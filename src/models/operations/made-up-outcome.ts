/** Builds the outcomes of made-up checks, with the fields that a probe would have measured. Pure. */
import { readMethod, type SentStep } from '../../contracts/definition';
import {
  type AssertionOutcome,
  type Failure,
  mapPhases,
  type StepOutcome,
  type Timings,
} from '../../contracts/outcome';
import { describe } from '../../domain/assertions/assertion-text';
import { createUnmeasuredOutcome } from '../../domain/health/unmeasured';

export interface PastFailure extends Failure {
  /** The status of the response. null means that no response arrived. */
  readonly status: number | null;
  /** The body of the response, or the output of a job. null if there is none. */
  readonly text: string | null;
}

export interface PastCheck {
  readonly slotMs: number;
  readonly responseTimeMs: number;
  /** null means that the check passed. */
  readonly failure: PastFailure | null;
}

const CONNECT_MS = 1;
const EXPECTED_STATUS = '2xx';
const PASSED_STATUS = 200;
const PASSED_BYTES = 32;

/** Builds the outcome. `step` is the request of the check, or null for a job. */
export function buildOutcome(check: PastCheck, step: SentStep | null): StepOutcome {
  return step === null ? jobOutcome(check) : sentOutcome(check, step);
}

/** A job reports at the end of its run. */
function jobOutcome({ slotMs, responseTimeMs, failure }: PastCheck): StepOutcome {
  const exitCode = failure?.code === 'job_failed' ? 1 : 0;
  return {
    ...bareOutcome(failure, slotMs - responseTimeMs, slotMs),
    responseTimeMs,
    job: { exitCode, text: failure?.text ?? null },
  };
}

function sentOutcome({ slotMs, responseTimeMs, failure }: PastCheck, step: SentStep): StepOutcome {
  const { url } = step;
  const status = failure === null ? PASSED_STATUS : failure.status;
  const outcome = bareOutcome(failure, slotMs, slotMs + responseTimeMs);
  const { startedAt } = outcome;
  return {
    ...outcome,
    responseTimeMs,
    timings: buildTimings(responseTimeMs),
    request: { method: readMethod(step), url },
    response: status === null ? null : buildResponse(status, url, failure?.text ?? null),
    assertions: status === null ? [] : [judgeStatus(status, failure === null)],
    attempts: [{ startedAt, responseTimeMs, status, failure: outcome.failure }],
  };
}

function bareOutcome(failure: PastFailure | null, fromMs: number, toMs: number): StepOutcome {
  const times = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()] as const;
  if (failure === null) return createUnmeasuredOutcome('up', null, times);
  const { code, message, phase } = failure;
  return createUnmeasuredOutcome('down', { code, message, phase }, times);
}

function buildTimings(totalMs: number): Timings {
  const connectMs = Math.min(CONNECT_MS, totalMs);
  const ttfbMs = totalMs - connectMs;
  return { ...mapPhases(() => null), connectMs, ttfbMs, downloadMs: 0, totalMs };
}

function buildResponse(
  status: number,
  finalUrl: string,
  bodyPreview: string | null,
): NonNullable<StepOutcome['response']> {
  return {
    status,
    httpVersion: '1.1',
    bytes: bodyPreview?.length ?? PASSED_BYTES,
    remoteIp: '127.0.0.1',
    finalUrl,
    redirects: 0,
    bodyPreview,
    truncated: false,
  };
}

function judgeStatus(actual: number, ok: boolean): AssertionOutcome {
  const assertion = {
    type: 'status',
    operator: 'equals',
    target: null,
    severity: 'fail',
    ok,
    actual,
    expected: EXPECTED_STATUS,
  } as const;
  return { ...assertion, message: describe(assertion, null) };
}
