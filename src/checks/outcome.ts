/** Makes the outcome of a step from its tries: what is kept, what is cut, and what is masked. */
import type { StepDefinition } from '../contracts/definition';
import type {
  Attempt,
  CheckStatus,
  Failure,
  ResponseFacts,
  StepOutcome,
} from '../contracts/outcome';
import type { Redact } from '../domain/redact';
import type { Answer, AttemptResult } from './attempt';
import type { Examination } from './examine-answer';
import type { WireRequest } from './exchange';

const PREVIEW_BYTES_MAX = 4 * 1024;

/** One try with what was found out by looking at its answer. */
export interface Try {
  readonly result: AttemptResult;
  readonly examination: Examination | null;
  readonly failure: Failure | null;
}

export interface OutcomeParts {
  readonly step: StepDefinition;
  readonly request: WireRequest;
  /** At least one, in order. */
  readonly tries: readonly Try[];
  readonly redact: Redact;
}

function redactFailure(failure: Failure | null, redact: Redact): Failure | null {
  return failure === null ? null : { ...failure, message: redact(failure.message) };
}

/** At most 4 KiB of UTF-8; a character that the cut would split is left out. */
function preview(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= PREVIEW_BYTES_MAX) return text;
  return new TextDecoder().decode(bytes.subarray(0, PREVIEW_BYTES_MAX), { stream: true });
}

function responseOf(answer: Answer, isFailed: boolean, redact: Redact): ResponseFacts {
  const text = isFailed ? redact(answer.text) : '';
  const bodyPreview = isFailed ? preview(text) : null;
  return {
    status: answer.head.status,
    httpVersion: answer.head.httpVersion,
    bytes: answer.bytes,
    remoteIp: answer.remoteIp,
    finalUrl: redact(answer.url.href),
    redirects: answer.redirects,
    bodyPreview,
    truncated: bodyPreview !== null && bodyPreview !== text,
  };
}

function attemptOf({ result, failure }: Try, redact: Redact): Attempt {
  return {
    startedAt: result.startedAt,
    responseTimeMs: result.timings.totalMs,
    status: result.answer?.head.status ?? null,
    failure: redactFailure(failure, redact),
  };
}

function statusOf({ result, examination, failure }: Try, step: StepDefinition): CheckStatus {
  if (failure !== null) return failure.code === 'internal_error' ? 'unknown' : 'down';
  const isSlow = step.degradedAboveMs !== null && result.timings.totalMs > step.degradedAboveMs;
  const isSoftlyFailing = examination?.assertions.some(({ ok }) => !ok) ?? false;
  return isSlow || isSoftlyFailing ? 'degraded' : 'up';
}

/** The outcome that the last try decides. */
export function buildOutcome({ step, request, tries, redact }: OutcomeParts): StepOutcome {
  const last = tries.at(-1);
  if (last === undefined) throw new RangeError('an outcome needs a try');
  const { result, examination, failure } = last;
  const isFailed = failure !== null;
  const attempts = tries.map((one) => attemptOf(one, redact));
  return {
    status: statusOf(last, step),
    startedAt: attempts[0]?.startedAt ?? result.startedAt,
    finishedAt: new Date().toISOString(),
    responseTimeMs: result.timings.totalMs,
    timings: result.timings,
    request: { method: request.method, url: redact(request.url.href) },
    response: result.answer === null ? null : responseOf(result.answer, isFailed, redact),
    tls: result.tls,
    assertions: examination?.assertions ?? [],
    failure: redactFailure(failure, redact),
    attempts,
    extracted: isFailed ? [] : (examination?.extracted ?? []),
  };
}
