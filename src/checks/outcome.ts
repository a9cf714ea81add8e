/** Makes the outcome of a step from its tries: what is kept, what is cut, and what is masked. */
import type { JsonValue, StepDefinition } from '../contracts/definition';
import type {
  Attempt,
  CheckStatus,
  Failure,
  ResponseFacts,
  StepOutcome,
} from '../contracts/outcome';
import { MASK, type Redact } from '../domain/redact';
import type { Answer, AttemptResult } from './attempt';
import type { Concealment } from './concealment';
import type { Examination } from './examine-answer';
import type { WireRequest } from './exchange';

const PREVIEW_BYTES_MAX = 4 * 1024;
/** Of a test: enough to pick values from. */
const TEST_PREVIEW_BYTES_MAX = 16 * 1024;

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
  readonly concealment: Concealment;
  readonly sealExtracted: SealExtracted | undefined;
}

/** Makes what a secret extraction found fit to leave the probe. */
export type SealExtracted = (name: string, value: JsonValue) => string;

function redactFailure(failure: Failure | null, redact: Redact): Failure | null {
  return failure === null ? null : { ...failure, message: redact(failure.message) };
}

/** At most so much UTF-8; a character that the cut would split is left out. */
function preview(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  return new TextDecoder().decode(bytes.subarray(0, bytesMax), { stream: true });
}

/** A body that may hold something secret which was not found in it is not shown. */
function isShowable({ result, examination }: Try, step: StepDefinition): boolean {
  const isLooking = step.extract.some(({ secret }) => secret === true);
  const isRefusal = (result.answer?.head.status ?? 0) >= 400;
  return !isLooking || isRefusal || examination?.areSecretsFound === true;
}

function responseOf(answer: Answer, one: Try, { step, concealment }: OutcomeParts): ResponseFacts {
  const isBroken = one.result.failure !== null;
  const redactBody = isBroken ? concealment.redactBroken : concealment.redact;
  const isTest = step.showsBody === true;
  const isShown = (one.failure !== null || isTest) && isShowable(one, step);
  const text = isShown ? redactBody(answer.text) : '';
  const bytesMax = isTest ? TEST_PREVIEW_BYTES_MAX : PREVIEW_BYTES_MAX;
  const bodyPreview = isShown ? preview(text, bytesMax) : null;
  return {
    status: answer.head.status,
    httpVersion: answer.head.httpVersion,
    bytes: answer.bytes,
    remoteIp: answer.remoteIp,
    finalUrl: concealment.redact(answer.url.href),
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

function extractedOf(
  { extracted }: Examination,
  sealExtracted: SealExtracted | undefined,
): StepOutcome['extracted'] {
  return extracted.map((entry) => {
    if (entry.secret !== true) return entry;
    return { ...entry, value: sealExtracted?.(entry.name, entry.value) ?? MASK };
  });
}

/** The outcome that the last try decides. */
export function buildOutcome(parts: OutcomeParts): StepOutcome {
  const { step, request, tries, sealExtracted } = parts;
  const { redact } = parts.concealment;
  const last = tries.at(-1);
  if (last === undefined) throw new RangeError('an outcome needs a try');
  const { result, examination, failure } = last;
  const attempts = tries.map((one) => attemptOf(one, redact));
  return {
    status: statusOf(last, step),
    startedAt: attempts[0]?.startedAt ?? result.startedAt,
    finishedAt: new Date().toISOString(),
    responseTimeMs: result.timings.totalMs,
    timings: result.timings,
    request: { method: request.method, url: redact(request.url.href) },
    response: result.answer === null ? null : responseOf(result.answer, last, parts),
    tls: result.tls,
    assertions: examination?.assertions ?? [],
    failure: redactFailure(failure, redact),
    attempts,
    extracted:
      failure === null && examination !== null ? extractedOf(examination, sealExtracted) : [],
  };
}
