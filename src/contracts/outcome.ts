/**
 * The outcome of one step, in the form in which probes measure it and results store it. A failed check is a value,
 * never an exception.
 */
import type { Assertion, JsonValue, NamedValue } from './definition';

export const FAILURE_CODES = [
  'dns_error',
  'connection_refused',
  'connection_reset',
  'connection_timeout',
  'tls_error',
  'timeout',
  'too_many_redirects',
  'body_too_large',
  'invalid_response',
  'blocked_target',
  'assertion_failed',
  'extraction_failed',
  'template_error',
  'secret_missing',
  'secret_invalid',
  'auth_failed',
  'proxy_failed',
  'region_unavailable',
  'worker_lost',
  'missed',
  'cancelled',
  'internal_error',
  'not_possible_here',
  'registry_unavailable',
  'heartbeat_late',
  'heartbeat_missed',
  'job_failed',
  'run_too_long',
  'run_too_short',
  'pings_unavailable',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

export const PHASES = [
  'prepare',
  'dns',
  'connect',
  'tls',
  'send',
  'ttfb',
  'download',
  'assert',
] as const;
export type Phase = (typeof PHASES)[number];

export interface Failure {
  readonly code: FailureCode;
  /** One sentence for people, without secrets or private addresses. */
  readonly message: string;
  readonly phase: Phase | null;
}

/** The phases for which results contain times, in the order in which they happen. */
export const PHASE_FIELDS = ['dnsMs', 'connectMs', 'tlsMs', 'ttfbMs', 'downloadMs'] as const;
export type PhaseField = (typeof PHASE_FIELDS)[number];

export type PerPhase<Value> = { readonly [Field in PhaseField]: Value };

/** Milliseconds by a monotonic clock. null for a phase that did not happen. */
export interface Timings extends PerPhase<number | null> {
  readonly totalMs: number;
}

/** Builds a value for each phase, in the order of `PHASE_FIELDS`. */
export function mapPhases<Value>(build: (field: PhaseField) => Value): PerPhase<Value> {
  // The cast is safe because every phase has an entry.
  return Object.fromEntries(PHASE_FIELDS.map((field) => [field, build(field)])) as PerPhase<Value>;
}

/** The request as it was sent, with secrets masked. */
export interface RequestFacts {
  /** An HTTP method, or another type of check in capitals, for example `TCP`. */
  readonly method: string;
  readonly url: string;
  /** The headers, at most 8 KiB. The values of sensitive headers are masked. Absent if headers are not stored. */
  readonly headers?: readonly NamedValue[] | undefined;
}

export interface ResponseFacts {
  /** The status and the version are null if the check is not HTTP. */
  readonly status: number | null;
  readonly httpVersion: string | null;
  readonly bytes: number;
  readonly remoteIp: string | null;
  readonly finalUrl: string;
  readonly redirects: number;
  /** The start of the body, at most 4 KiB, with secrets redacted. null if bodies are not stored. */
  readonly bodyPreview: string | null;
  /** True if the preview does not contain the whole body. */
  readonly truncated: boolean;
  /** The headers, one entry per line, with masked values. Absent if headers are not stored. */
  readonly headers?: readonly NamedValue[] | undefined;
}

/** A request and the start of its response, as alerts show them. Secrets are masked. */
export interface AlertExchange {
  readonly method: string;
  readonly url: string;
  /** null means that no response arrived. */
  readonly status: number | null;
  /** The body on one line. null if there is no body, or if bodies are not stored. */
  readonly body: string | null;
  /** The title and the start of the visible text. Present only for an HTML page with visible text. */
  readonly summary?: string;
}

/** The certificate that a request presented. */
export interface ClientCertificate {
  /** SHA-256 of the certificate, in lower-case hex. */
  readonly fingerprint: string;
  readonly issuer: string | null;
  readonly expiresAt: string;
}

export interface TlsFacts {
  readonly version: string | null;
  readonly issuer: string | null;
  /** SHA-256 of the certificate, in lower-case hex. Absent in stored results of monitors. */
  readonly fingerprint?: string | undefined;
  readonly expiresAt: string | null;
  readonly daysUntilExpiry: number | null;
  readonly trusted: boolean;
  /** True if the certificate is valid for the host. Set only if the check accepts certificates of other hosts. */
  readonly forHost?: boolean | undefined;
  /** The client certificate that the request presented. Absent in stored results of monitors. */
  readonly client?: ClientCertificate | undefined;
}

/** The registration of a domain, according to its registry. Absent in stored results of monitors. */
export interface RegistrationFacts {
  readonly domain: string;
  readonly registrar: string | null;
  readonly expiresAt: string;
  /** SHA-256 of the registration in lower-case hex. It changes with each renewal. */
  readonly fingerprint: string;
}

export interface AssertionOutcome {
  readonly type: Assertion['type'];
  readonly operator: Assertion['operator'];
  /** The path or name that the assertion checks. null if there is none. */
  readonly target: string | null;
  readonly severity: 'fail' | 'degraded';
  readonly ok: boolean;
  /** The value that was found. Long values are cut, and secrets are redacted. */
  readonly actual: JsonValue;
  readonly expected: JsonValue;
  readonly message: string;
}

/** One try of a step. */
export interface Attempt {
  readonly startedAt: string;
  readonly responseTimeMs: number;
  readonly status: number | null;
  readonly failure: Failure | null;
}

/**
 * `up`: passed. `degraded`: passed, but slow or with a failed assertion of severity `degraded`. `down`: a fault of the
 * target. `unknown`: a fault of Keepwatch.
 */
export const CHECK_STATUSES = ['up', 'degraded', 'down', 'unknown'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** A value that a step extracted. A secret value is encrypted for the next step, and masked in every record. */
export interface Extracted {
  readonly name: string;
  readonly value: JsonValue;
  readonly secret?: true | undefined;
}

/** A cookie without its value. */
export interface CookieFacts {
  readonly name: string;
  readonly domain: string;
  readonly path: string;
  /** null means that the cookie expires with the run. */
  readonly expiresAt: string | null;
}

/** The changes that a step made to the cookies of its run. */
export interface CookieChanges {
  /** All cookies of the run, encrypted for the next step. They are never stored. Absent if they are unchanged. */
  readonly jar?: string | undefined;
  /** The cookies that the step set. */
  readonly set: readonly CookieFacts[];
  /** One sentence for each refused or dropped cookie. */
  readonly notes: readonly string[];
}

/** A job's report about one of its runs. */
export interface JobReport {
  readonly exitCode: number | null;
  /** The end of the job's output, at most 10 KiB. Present only for failed runs. */
  readonly text: string | null;
}

/** Why an identity provider gave no access token. */
export interface SignInFault {
  /** The token URL without its query. It identifies the provider within an account. */
  readonly tokenUrl: string;
  readonly problem: SignInProblem;
  /** The reason in a few words, for example `503` or `401 (invalid_client)`. */
  readonly reason: string;
}

/**
 * `unavailable` means that the provider gave no usable response. `refused` means that the provider does not accept the
 * credentials.
 */
export const SIGN_IN_PROBLEMS = ['unavailable', 'refused'] as const;
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number];

export interface StepOutcome {
  readonly status: CheckStatus;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** How long the last attempt took, including redirects and body. null if nothing was sent. */
  readonly responseTimeMs: number | null;
  readonly timings: Timings | null;
  readonly request: RequestFacts | null;
  readonly response: ResponseFacts | null;
  readonly tls: TlsFacts | null;
  /** The domain registration that the step read. Absent if the step read none. */
  readonly registration?: RegistrationFacts | undefined;
  readonly assertions: readonly AssertionOutcome[];
  readonly failure: Failure | null;
  readonly attempts: readonly Attempt[];
  readonly extracted: readonly Extracted[];
  /** Present if the step changed the cookies of its run. */
  readonly cookies?: CookieChanges | undefined;
  /** The variable that has no value, because an earlier step did not extract it. In that case, nothing was sent. */
  readonly missingVariable?: string | undefined;
  /** Present if an identity provider gave no access token. Absent in stored results of monitors. */
  readonly signInFault?: SignInFault | undefined;
  /** Present only in results of heartbeats. */
  readonly job?: JobReport | undefined;
}
