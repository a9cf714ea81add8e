/** Stores outcomes in a compact form of a few hundred bytes for a passed check, without losing information. */
import type { NamedValue } from '../../contracts/definition';
import {
  type AssertionOutcome,
  type Attempt,
  type Failure,
  mapPhases,
  PHASE_FIELDS,
  type PhaseField,
  type ResponseFacts,
  type StepOutcome,
  type Timings,
  type TlsFacts,
} from '../../contracts/outcome';
import { fromJsonText, toJsonText } from '../store/json-text';

type Phase = number | null;
/** An instant in milliseconds. It is stored as text if a conversion to milliseconds would lose information. */
type Instant = number | string;
type FailureParts = [Failure['code'], Failure['message'], Failure['phase']];
type AttemptParts = [Instant, number, number | null, FailureParts | null];
type AssertionParts = [
  AssertionOutcome['type'],
  AssertionOutcome['operator'],
  string | null,
  AssertionOutcome['severity'],
  0 | 1,
  AssertionOutcome['actual'],
  AssertionOutcome['expected'],
  string,
];

type HeaderParts = [name: string, value: string][];

/** The compact form. A field that is absent here is null or empty in the outcome. */
interface CompactOutcome {
  b: Instant;
  f: Instant;
  /** The phases in the order of PHASE_POSITIONS, and the total. */
  t?: Phase[];
  q?: [method: string, url: string];
  /**
   * The response: status, HTTP version, bytes, IP address, final URL (0 means as requested), redirects, preview, isCut
   */
  h?: [
    number | null,
    string | null,
    number,
    string | null,
    string | 0,
    number,
    string | null,
    0 | 1,
  ];
  /** The certificate: version, issuer, expiry, days left, trusted, and optionally forHost */
  s?: [string | null, string | null, string | null, number | null, 0 | 1, (0 | 1)?];
  a?: AssertionParts[];
  e?: FailureParts;
  /** The attempts. Absent if there was only one attempt. */
  x?: AttemptParts[];
  v?: StepOutcome['extracted'];
  /** Request headers and response headers. Absent if they are not stored. */
  n?: [HeaderParts | null, HeaderParts | null];
  j?: [exitCode: number | null, text: string | null];
}

/** Converts all fields except `status` and `responseTimeMs`, which are stored separately. */
export function toCompactText(outcome: StepOutcome): string {
  const { timings, request, response, tls, failure } = outcome;
  const compact: CompactOutcome = {
    b: toInstant(outcome.startedAt),
    f: toInstant(outcome.finishedAt),
  };
  if (timings !== null) compact.t = toTimingParts(timings);
  if (request !== null) compact.q = [request.method, request.url];
  if (response !== null) compact.h = toResponseParts(response, request?.url);
  if (tls !== null) compact.s = toTlsParts(tls);
  if (outcome.assertions.length > 0) compact.a = outcome.assertions.map(toAssertionParts);
  if (failure !== null) compact.e = toFailureParts(failure);
  if (!repeatsOnlyAttempt(outcome)) compact.x = outcome.attempts.map(toAttemptParts);
  if (outcome.extracted.length > 0) compact.v = outcome.extracted;
  const headers = [toHeaderParts(request), toHeaderParts(response)] as const;
  if (headers.some((parts) => parts !== null)) compact.n = [...headers];
  if (outcome.job !== undefined) compact.j = [outcome.job.exitCode, outcome.job.text];
  return toJsonText(compact);
}

/** Restores the outcome that was passed to `toCompactText`. */
export function fromCompactText(
  text: string,
  { status, responseTimeMs }: Pick<StepOutcome, 'status' | 'responseTimeMs'>,
): StepOutcome {
  const compact = fromJsonText<CompactOutcome>(text);
  const { t, q, h, s, a, e, x, v, n, j } = compact;
  const outcome = {
    status,
    startedAt: fromInstant(compact.b),
    finishedAt: fromInstant(compact.f),
    responseTimeMs,
    timings: t === undefined ? null : fromTimingParts(t),
    request: q === undefined ? null : { method: q[0], url: q[1], ...fromHeaderParts(n?.[0]) },
    response:
      h === undefined ? null : { ...fromResponseParts(h, q?.[1]), ...fromHeaderParts(n?.[1]) },
    tls: s === undefined ? null : fromTlsParts(s),
    assertions: (a ?? []).map(fromAssertionParts),
    failure: e === undefined ? null : fromFailureParts(e),
    extracted: v ?? [],
    ...(j === undefined ? {} : { job: { exitCode: j[0], text: j[1] } }),
  };
  return { ...outcome, attempts: x?.map(fromAttemptParts) ?? [onlyAttempt(outcome)] };
}

function toInstant(text: string): Instant {
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) || new Date(atMs).toISOString() !== text ? text : atMs;
}

function fromInstant(instant: Instant): string {
  return typeof instant === 'number' ? new Date(instant).toISOString() : instant;
}

type AttemptSource = Pick<StepOutcome, 'startedAt' | 'responseTimeMs' | 'response' | 'failure'>;

function onlyAttempt({ startedAt, responseTimeMs, response, failure }: AttemptSource): Attempt {
  const status = response?.status ?? null;
  return { startedAt, responseTimeMs: responseTimeMs ?? 0, status, failure };
}

function repeatsOnlyAttempt(outcome: StepOutcome): boolean {
  const [first] = outcome.attempts;
  if (first === undefined || outcome.attempts.length > 1) return false;
  const onlyText = toJsonText(toAttemptParts(onlyAttempt(outcome)));
  return toJsonText(toAttemptParts(first)) === onlyText;
}

function toAttemptParts({ startedAt, responseTimeMs, status, failure }: Attempt): AttemptParts {
  const parts = failure === null ? null : toFailureParts(failure);
  return [toInstant(startedAt), responseTimeMs, status, parts];
}

function fromAttemptParts([startedAt, responseTimeMs, status, failure]: AttemptParts): Attempt {
  return {
    startedAt: fromInstant(startedAt),
    responseTimeMs,
    status,
    failure: failure === null ? null : fromFailureParts(failure),
  };
}

function toFailureParts({ code, message, phase }: Failure): FailureParts {
  return [code, message, phase];
}

function fromFailureParts([code, message, phase]: FailureParts): Failure {
  return { code, message, phase };
}

/**
 * The position of each phase. A new phase gets the next free position, because outcomes of earlier releases have fewer
 * positions.
 */
const PHASE_POSITIONS: Readonly<Record<PhaseField, number>> = {
  dnsMs: 0,
  connectMs: 1,
  tlsMs: 2,
  ttfbMs: 3,
  downloadMs: 4,
};
const TOTAL_POSITION = 5;

function toTimingParts(timings: Timings): Phase[] {
  const parts: Phase[] = [];
  parts[TOTAL_POSITION] = timings.totalMs;
  for (const field of PHASE_FIELDS) parts[PHASE_POSITIONS[field]] = timings[field] ?? null;
  return parts;
}

function fromTimingParts(parts: readonly Phase[]): Timings {
  return {
    ...mapPhases((field) => parts[PHASE_POSITIONS[field]] ?? null),
    totalMs: parts[TOTAL_POSITION] ?? 0,
  };
}

function toResponseParts(
  facts: ResponseFacts,
  requestUrl: string | undefined,
): NonNullable<CompactOutcome['h']> {
  const { status, httpVersion, bytes, remoteIp, redirects, bodyPreview } = facts;
  const finalUrl = facts.finalUrl === requestUrl ? 0 : facts.finalUrl;
  const truncated = facts.truncated ? 1 : 0;
  return [status, httpVersion, bytes, remoteIp, finalUrl, redirects, bodyPreview, truncated];
}

function fromResponseParts(
  parts: NonNullable<CompactOutcome['h']>,
  requestUrl: string | undefined,
): ResponseFacts {
  const [status, httpVersion, bytes, remoteIp, finalUrl, redirects, bodyPreview, truncated] = parts;
  return {
    status,
    httpVersion,
    bytes,
    remoteIp,
    redirects,
    bodyPreview,
    finalUrl: finalUrl === 0 ? (requestUrl ?? '') : finalUrl,
    truncated: truncated === 1,
  };
}

function toHeaderParts(
  facts: { readonly headers?: readonly NamedValue[] | undefined } | null,
): HeaderParts | null {
  return facts?.headers?.map(({ name, value }) => [name, value]) ?? null;
}

function fromHeaderParts(parts: HeaderParts | null | undefined): {
  readonly headers?: readonly NamedValue[];
} {
  if (parts === null || parts === undefined) return {};
  return { headers: parts.map(([name, value]) => ({ name, value })) };
}

function toTlsParts(tls: TlsFacts): NonNullable<CompactOutcome['s']> {
  const { version, issuer, expiresAt, daysUntilExpiry, trusted, forHost } = tls;
  const isTrusted = trusted ? 1 : 0;
  if (forHost === undefined) return [version, issuer, expiresAt, daysUntilExpiry, isTrusted];
  return [version, issuer, expiresAt, daysUntilExpiry, isTrusted, forHost ? 1 : 0];
}

function fromTlsParts(parts: NonNullable<CompactOutcome['s']>): TlsFacts {
  const [version, issuer, expiresAt, daysUntilExpiry, trusted, forHost] = parts;
  const facts = { version, issuer, expiresAt, daysUntilExpiry, trusted: trusted === 1 };
  return forHost === undefined ? facts : { ...facts, forHost: forHost === 1 };
}

function toAssertionParts(assertion: AssertionOutcome): AssertionParts {
  const { type, operator, target, severity, ok, actual, expected, message } = assertion;
  return [type, operator, target, severity, ok ? 1 : 0, actual, expected, message];
}

function fromAssertionParts(parts: AssertionParts): AssertionOutcome {
  const [type, operator, target, severity, ok, actual, expected, message] = parts;
  return { type, operator, target, severity, ok: ok === 1, actual, expected, message };
}
