/** Builds the outcome of a step from its tries. Decides which parts are stored, cut and masked. */
import type { JsonValue, NamedValue, StepDefinition } from '../contracts/definition';
import type {
  Attempt,
  CheckStatus,
  Failure,
  ResponseFacts,
  StepOutcome,
} from '../contracts/outcome';
import { MASK } from '../domain/secrets/redact';
import type { Reach } from '../domain/secrets/secret-reach';
import type { AttemptResult, TargetResponse } from './attempt';
import type { CookieSession } from './cookie-session';
import type { Examination } from './examine-response';
import type { WireRequest } from './http/write-request';
import type { Redacted, Redaction } from './redaction';
import { formatHeaders, parseHeaders } from './shown-headers';

const PREVIEW_BYTES_MAX = 4 * 1024;
/** Maximum size of a preview in a test. It is long enough for users to pick values from the body. */
const TEST_PREVIEW_BYTES_MAX = 16 * 1024;

export interface Try {
  readonly result: AttemptResult;
  readonly cookies: CookieSession;
  readonly examination: Examination | null;
  readonly failure: Failure | null;
}

export interface OutcomeParts {
  readonly step: StepDefinition;
  readonly request: WireRequest;
  /** At least one try, in order. */
  readonly tries: readonly Try[];
  readonly redaction: Redaction;
  readonly sealExtracted: SealExtracted | undefined;
  readonly sealCookies: ((text: string) => string) | undefined;
}

/** How much of a body is searched for secrets. A preview shows only the start of a body, so this is enough. */
const LOOKED_THROUGH_LENGTH_MAX = 64 * 1024;

/** Returns the start of the text. Only the start is searched for secrets and shown. */
function takeBeginning(text: string, isBroken = false): Redacted {
  const isCut = text.length > LOOKED_THROUGH_LENGTH_MAX;
  return {
    text: isCut ? text.slice(0, LOOKED_THROUGH_LENGTH_MAX) : text,
    isBroken: isCut || isBroken,
  };
}

/** Encrypts a secret value that a step extracted, before it leaves the probe. */
export type SealExtracted = (name: string, value: JsonValue, reach: Reach) => string;

/** Returns at most `bytesMax` bytes of UTF-8. A character that would be split is left out. */
export function preview(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  return new TextDecoder().decode(bytes.subarray(0, bytesMax), { stream: true });
}

/** False if the body may contain a secret that could not be found, and so could not be masked. */
function isShowable({ result, examination }: Try, step: StepDefinition): boolean {
  const isLooking = step.extract.some(({ secret }) => secret === true);
  const isRefusal = (result.response?.head.status ?? 0) >= 400;
  return !isLooking || isRefusal || examination?.areSecretsFound === true;
}

/** Returns the part of the body that may be shown, before masking. null means that no part may be shown. */
function shownBody(one: Try, step: StepDefinition): Redacted | null {
  const { response, failure } = one.result;
  if (response === null || !isShowable(one, step)) return null;
  return takeBeginning(response.text, failure !== null);
}

/** The texts of an outcome after masking. */
interface Shown {
  readonly url: string;
  readonly finalUrl: string;
  readonly body: string | null;
  readonly requestHeaders: readonly NamedValue[];
  readonly responseHeaders: readonly NamedValue[];
  /** The failure of each try, in order. null for a passed try. */
  readonly failures: readonly (Failure | null)[];
}

async function redactShown({ step, request, tries, redaction }: OutcomeParts): Promise<Shown> {
  const last = tries.at(-1);
  const response = last?.result.response ?? null;
  const body = last === undefined ? null : shownBody(last, step);
  const [url = MASK, finalUrl = MASK, bodyText = MASK, sent = MASK, got = MASK, ...messages] =
    await redaction.redact([
      { text: request.url.href },
      { text: response?.url.href ?? '' },
      body ?? { text: '' },
      { text: formatHeaders((last?.result.sent ?? request).headers) },
      takeBeginning(formatHeaders(response?.head.lines ?? [])),
      ...tries.map(({ failure }) => ({ text: failure?.message ?? '' })),
    ]);
  const failures = tries.map(({ failure }, index) =>
    failure === null ? null : { ...failure, message: messages[index] ?? MASK },
  );
  return {
    url,
    finalUrl,
    body: body === null ? null : bodyText,
    requestHeaders: parseHeaders(sent),
    responseHeaders: parseHeaders(got),
    failures,
  };
}

function buildResponse(
  response: TargetResponse,
  shown: Shown,
  step: StepDefinition,
): ResponseFacts {
  const bytesMax = step.showsBody === true ? TEST_PREVIEW_BYTES_MAX : PREVIEW_BYTES_MAX;
  const bodyPreview = shown.body === null ? null : preview(shown.body, bytesMax);
  const isCut = response.text.length > LOOKED_THROUGH_LENGTH_MAX || bodyPreview !== shown.body;
  return {
    status: response.head.status,
    httpVersion: response.head.httpVersion,
    bytes: response.bytes,
    remoteIp: response.remoteIp,
    finalUrl: shown.finalUrl,
    redirects: response.redirects,
    bodyPreview,
    truncated: response.isCut || (bodyPreview !== null && isCut),
    headers: shown.responseHeaders,
  };
}

function buildAttempt({ result }: Try, failure: Failure | null): Attempt {
  return {
    startedAt: result.startedAt,
    responseTimeMs: result.timings.totalMs,
    status: result.response?.head.status ?? null,
    failure,
  };
}

/** Failures that say nothing about the target. */
const OURS: readonly Failure['code'][] = ['internal_error', 'proxy_failed'];

function judgeStatus({ result, examination, failure }: Try, step: StepDefinition): CheckStatus {
  if (failure !== null) return OURS.includes(failure.code) ? 'unknown' : 'down';
  const isSlow = step.degradedAboveMs !== null && result.timings.totalMs > step.degradedAboveMs;
  const isSoftlyFailing = examination?.assertions.some(({ ok }) => !ok) ?? false;
  return isSlow || isSoftlyFailing ? 'degraded' : 'up';
}

/**
 * Encrypts the latest value of each extracted name. Includes values of failed tries, because clean-up steps may have to
 * remove what these tries created.
 */
function sealExtractedValues({ tries, sealExtracted }: OutcomeParts): StepOutcome['extracted'] {
  const entries = tries.flatMap(({ examination, result }) => {
    const origin = result.response?.url.origin ?? '';
    return (examination?.extracted ?? []).map((entry) => ({ entry, reach: { origin, hosts: [] } }));
  });
  const latest = new Map(entries.map((one) => [one.entry.name, one]));
  return [...latest.values()].map(({ entry, reach }) => {
    if (entry.secret !== true) return entry;
    return { ...entry, value: sealExtracted?.(entry.name, entry.value, reach) ?? MASK };
  });
}

/**
 * Describes how the last try changed the cookies of the run. Returns no field if nothing changed, or if the step
 * belongs to no run.
 */
async function readCookieChanges({
  step,
  tries,
  redaction,
  sealCookies,
}: OutcomeParts): Promise<Pick<StepOutcome, 'cookies'>> {
  const session = tries.at(-1)?.cookies;
  if (session === undefined || sealCookies === undefined || step.cookies === 'ignore') return {};
  const notes = session.notes();
  if (!session.isChanged() && notes.length === 0) return {};
  const set = session.facts();
  const texts = set.flatMap(({ name, domain, path }) => [name, domain, path]);
  const shown = await redaction.redact([...texts, ...notes].map((text) => ({ text })));
  const changes = {
    set: set.map(({ expiresAt }, index) => {
      const [name = MASK, domain = MASK, path = MASK] = shown.slice(index * 3);
      return { name, domain, path, expiresAt };
    }),
    notes: shown.slice(texts.length),
  };
  return {
    cookies: { ...changes, ...(session.isChanged() && { jar: sealCookies(session.toText()) }) },
  };
}

/** Builds the outcome. The last try decides the result. */
export async function buildOutcome(parts: OutcomeParts): Promise<StepOutcome> {
  const { step, request, tries } = parts;
  const last = tries.at(-1);
  if (last === undefined) throw new RangeError('an outcome needs a try');
  const { result, examination } = last;
  const finishedAt = new Date().toISOString();
  const shown = await redactShown(parts);
  const attempts = tries.map((one, index) => buildAttempt(one, shown.failures[index] ?? null));
  return {
    status: judgeStatus(last, step),
    startedAt: attempts[0]?.startedAt ?? result.startedAt,
    finishedAt,
    responseTimeMs: result.timings.totalMs,
    timings: result.timings,
    request: { method: request.method, url: shown.url, headers: shown.requestHeaders },
    response: result.response === null ? null : buildResponse(result.response, shown, step),
    tls: result.tls,
    assertions: examination?.assertions ?? [],
    failure: shown.failures.at(-1) ?? null,
    attempts,
    extracted: sealExtractedValues(parts),
    ...(await readCookieChanges(parts)),
  };
}
