/**
 * Builds the outcome of a check of any kind except HTTP from its tries. Decides which parts are stored, cut and masked.
 */
import type { Extractions } from '../checks/examine-response';
import { preview, type SealExtracted } from '../checks/outcome';
import type { Redaction } from '../checks/redaction';
import { type NetworkStep, networkMethod } from '../contracts/kinds';
import type {
  Attempt,
  CheckStatus,
  Failure,
  ResponseFacts,
  StepOutcome,
  Timings,
} from '../contracts/outcome';
import { MASK } from '../domain/secrets/redact';
import { readOrigin } from '../domain/templates/known-origin';
import type { Found } from './probing';

const PREVIEW_BYTES_MAX = 4 * 1024;
/** Maximum length of the response text that is searched for secrets and shown. HTTP bodies have the same limit. */
const LOOKED_THROUGH_LENGTH_MAX = 64 * 1024;
/** Limit for the part of the response that a test shows. */
const TEST_PREVIEW_BYTES_MAX = 16 * 1024;

/** One try, with everything that it has found. */
export interface KindTry {
  readonly startedAt: string;
  readonly timings: Timings;
  readonly failure: Failure | null;
  readonly found: Found;
  readonly extractions: Extractions;
}

interface Showing {
  readonly redaction: Redaction;
  readonly sealExtracted: SealExtracted | undefined;
}

/** Builds the outcome. The last try decides the result. */
export async function buildOutcome(
  step: NetworkStep,
  tries: readonly KindTry[],
  { redaction, sealExtracted }: Showing,
): Promise<StepOutcome> {
  const last = tries.at(-1);
  if (last === undefined) throw new RangeError('an outcome needs at least one try');
  const { timings } = last;
  const found = cutResponse(hideUnsearched(last));
  const [response = MASK, ...messages] = await redaction.redact([
    { text: found.response ?? '', isBroken: found.isCut || found.isOpen },
    ...tries.map(({ failure }) => ({ text: failure?.message ?? '' })),
  ]);
  const attempts = tries.map((one, index) => buildAttempt(one, messages[index] ?? MASK));
  return {
    status: judgeStatus(last, step),
    startedAt: attempts[0]?.startedAt ?? last.startedAt,
    finishedAt: new Date().toISOString(),
    responseTimeMs: readResponseTime(last),
    timings,
    request: { method: networkMethod(step.type), url: step.url },
    response: found.remoteIp === null ? null : buildResponse(found, response, step),
    tls: found.tls,
    ...(found.registration !== null && { registration: found.registration }),
    assertions: found.assertions,
    failure: attempts.at(-1)?.failure ?? null,
    attempts,
    extracted: sealExtractedValues(step, tries, sealExtracted),
  };
}

/** Hides the response if it may contain a secret whose position is unknown. */
function hideUnsearched({ found, extractions }: KindTry): Found {
  return extractions.areSecretsFound ? found : { ...found, response: null };
}

/**
 * Encrypts the latest extracted value of each variable. Secret values may be sent only to the origin that they come
 * from.
 */
function sealExtractedValues(
  { url }: NetworkStep,
  tries: readonly KindTry[],
  sealExtracted: SealExtracted | undefined,
): StepOutcome['extracted'] {
  const entries = tries.flatMap(({ extractions }) => extractions.extracted);
  const latest = new Map(entries.map((entry) => [entry.name, entry]));
  const reach = { origin: readOrigin(new URL(url)), hosts: [] };
  return [...latest.values()].map((entry) =>
    entry.secret === true
      ? { ...entry, value: sealExtracted?.(entry.name, entry.value, reach) ?? MASK }
      : entry,
  );
}

/** Cuts the response to the part that is searched for secrets. */
function cutResponse(found: Found): Found {
  const { response } = found;
  if (response === null || response.length <= LOOKED_THROUGH_LENGTH_MAX) return found;
  return { ...found, response: response.slice(0, LOOKED_THROUGH_LENGTH_MAX), isCut: true };
}

function readResponseTime({ found, timings }: KindTry): number {
  return found.measuredMs ?? timings.totalMs;
}

function buildAttempt(one: KindTry, message: string): Attempt {
  const { startedAt, failure } = one;
  return {
    startedAt,
    responseTimeMs: readResponseTime(one),
    status: null,
    failure: failure === null ? null : { ...failure, message },
  };
}

function buildResponse(found: Found, text: string, step: NetworkStep): ResponseFacts {
  const bytesMax = step.showsBody === true ? TEST_PREVIEW_BYTES_MAX : PREVIEW_BYTES_MAX;
  const bodyPreview = found.response === null ? null : preview(text, bytesMax);
  return {
    status: null,
    httpVersion: null,
    bytes: found.bytes,
    remoteIp: found.remoteIp,
    finalUrl: step.url,
    redirects: 0,
    bodyPreview,
    truncated: found.isCut || (bodyPreview !== null && bodyPreview !== text),
  };
}

/** Codes of failures that the target did not cause. */
const OURS: ReadonlySet<Failure['code']> = new Set([
  'internal_error',
  'not_possible_here',
  'registry_unavailable',
]);

function judgeStatus(one: KindTry, step: NetworkStep): CheckStatus {
  if (one.failure !== null) return OURS.has(one.failure.code) ? 'unknown' : 'down';
  const isSlow = step.degradedAboveMs !== null && readResponseTime(one) > step.degradedAboveMs;
  return isSlow || one.found.assertions.some(({ ok }) => !ok) ? 'degraded' : 'up';
}
