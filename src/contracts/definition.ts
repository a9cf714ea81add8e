/** The definition of a monitor or scenario: an immutable revision in which every field has a value. */
import type { Auth } from './definitions/auth';
import type { WithHttpVersion } from './definitions/http-version';
import type { WithIpFamily } from './definitions/ip-family';
import type { WithProxy } from './definitions/proxy';
import type { WithTls } from './definitions/tls';
import { type NetworkStep, networkMethod } from './kinds';

export type { Auth };

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** A variable. A secret value is encrypted; only a probe decrypts it. */
export interface Variable extends NamedValue {
  readonly secret?: true | undefined;
}

export const ASSERTION_OPERATORS = [
  'equals',
  'notEquals',
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'matches',
  'notMatches',
  'in',
  'notIn',
  'exists',
  'notExists',
  'isEmpty',
  'isNotEmpty',
  'typeIs',
  'lengthEquals',
] as const;
export type AssertionOperator = (typeof ASSERTION_OPERATORS)[number];

export const TLS_FACTS = ['daysUntilExpiry', 'version', 'issuer', 'trusted'] as const;
export type TlsFact = (typeof TLS_FACTS)[number];

/** Phases of a response, named as in assertions. */
export const TIMING_NAMES = ['dns', 'connect', 'tls', 'ttfb', 'download'] as const;
export type TimingName = (typeof TIMING_NAMES)[number];

export const REDIRECT_FACTS = ['count', 'finalUrl'] as const;
export type RedirectFact = (typeof REDIRECT_FACTS)[number];

export const JSON_PATH_MATCHES = ['first', 'every', 'any', 'count'] as const;
export type JsonPathMatch = (typeof JSON_PATH_MATCHES)[number];

interface AssertionBase {
  readonly operator: AssertionOperator;
  /** The value to compare with. Absent for operators without a value (exists, isEmpty …). */
  readonly value?: JsonValue | undefined;
  readonly severity: 'fail' | 'degraded';
}

export type Assertion =
  | (AssertionBase & { readonly type: 'status' })
  | (AssertionBase & { readonly type: 'responseTime' })
  | (AssertionBase & { readonly type: 'body' })
  | (AssertionBase & { readonly type: 'bodySize' })
  | (AssertionBase & { readonly type: 'timing'; readonly name: TimingName })
  | (AssertionBase & { readonly type: 'redirect'; readonly name: RedirectFact })
  | (AssertionBase & { readonly type: 'header'; readonly name: string })
  | (AssertionBase & { readonly type: 'tls'; readonly name: TlsFact })
  /** The value is a JSON Schema, which the body must match. The operator is always `matches`. */
  | (AssertionBase & { readonly type: 'jsonSchema' })
  | (AssertionBase & {
      readonly type: 'jsonPath';
      readonly path: string;
      readonly match: JsonPathMatch;
    });

/** Where the value of a variable for later steps comes from. */
export type Extraction = {
  readonly variable: string;
  readonly default?: JsonValue | undefined;
  /** True means that the extracted value is treated like a secret. */
  readonly secret?: boolean | undefined;
  /** True means that the extracted value is a URL, and is resolved against the response's URL. */
  readonly resolve?: boolean | undefined;
} & (
  | { readonly from: 'jsonPath'; readonly path: string }
  | { readonly from: 'header'; readonly name: string; readonly pattern?: string | undefined }
  | { readonly from: 'cookie'; readonly name: string }
  | { readonly from: 'finalUrl'; readonly pattern?: string | undefined }
  | { readonly from: 'status' }
  | { readonly from: 'body'; readonly pattern: string }
);

/**
 * How a step treats the cookies of its run. `keep` sends and stores them, `ignore` does neither, and `clear` starts
 * without cookies.
 */
export const COOKIE_MODES = ['keep', 'ignore', 'clear'] as const;
export type CookieMode = (typeof COOKIE_MODES)[number];

/** The options that every request has, in monitors and in steps. */
export interface RequestOptions {
  /** The timeout of one try, including redirects and body. */
  readonly timeoutMs: number;
  /** How many times a failed step is retried immediately before it counts as failed. */
  readonly retries: number;
  readonly followRedirects: boolean;
  /** The maximum number of redirects. One more redirect is a failure. */
  readonly maxRedirects: number;
  /**
   * If true, the request has the header `traceparent`. A `traceparent` that the step itself sets takes precedence. The
   * probe must have tracing turned on.
   */
  readonly sendTraceparent: boolean;
}

/** Help for people who get an alert. */
export interface Guidance {
  readonly runbookUrl: string | null;
  /** Plain text, which may have several lines. */
  readonly note: string | null;
}

/**
 * The rules for when a monitor is down, and when it is up again. Scenarios have no such rules: each run is judged on
 * its own.
 */
export interface MonitorRules {
  /** How many slots in a row must fail. */
  readonly failuresBeforeDown: number;
  /** How many slots in a row must pass. */
  readonly successesBeforeUp: number;
}

/** One part of a multipart body: text, or bytes in base64. */
export interface MultipartPart {
  readonly name: string;
  readonly value?: string | undefined;
  readonly base64?: string | undefined;
  readonly fileName?: string | undefined;
  readonly contentType?: string | undefined;
}

export interface GraphqlBody {
  readonly query: string;
  readonly variables?: { readonly [name: string]: JsonValue } | undefined;
  readonly operationName?: string | undefined;
}

/** The fields that set the body of a request. At most one of them is set. */
export const BODY_FIELDS = ['body', 'form', 'multipart', 'graphql'] as const;

export interface RequestBody {
  /** A text is sent as it is; anything else is sent as application/json. null if there is no body. */
  readonly body: JsonValue;
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: readonly NamedValue[] | null | undefined;
  /** Sent as multipart/form-data. The boundary stays the same within a run. */
  readonly multipart?: readonly MultipartPart[] | null | undefined;
  /** Sent as application/json. Errors in the response fail the step. */
  readonly graphql?: GraphqlBody | null | undefined;
}

export interface WithAuth {
  /** The authentication. If absent in a step, the authentication of its scenario is used. */
  readonly auth?: Auth | undefined;
}

/** One HTTP request and its expected response. A monitor has one, a scenario several. */
export interface StepDefinition
  extends RequestOptions,
    RequestBody,
    WithAuth,
    WithTls,
    WithProxy,
    WithIpFamily,
    WithHttpVersion {
  /** The type of the step. Absent in stored HTTP steps, because a step without a type is an HTTP step. */
  readonly type?: 'http' | undefined;
  readonly name: string;
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: readonly NamedValue[];
  readonly assertions: readonly Assertion[];
  readonly extract: readonly Extraction[];
  /** How cookies are treated. A monitor keeps cookies only from one redirect to the next. */
  readonly cookies: CookieMode;
  /** A passing response that is slower than this limit is degraded. */
  readonly degradedAboveMs: number | null;
  /** How many days before its certificate expires people are warned, largest first. */
  readonly tlsWarnDays: readonly number[];
  /** True means that the step also runs after an earlier step failed. Meant for clean-up. */
  readonly always: boolean;
  /** Set in tests of a definition. The result then shows more of the response body, even if nothing failed. */
  readonly showsBody?: true | undefined;
}

/** A check of a type other than HTTP. It extracts values only as a step of a scenario. */
export type SentNetworkStep = NetworkStep & {
  readonly extract?: readonly Extraction[] | undefined;
};

/** A step as a probe sends it: an HTTP request, or a check of another type. */
export type SentStep = StepDefinition | SentNetworkStep;

export function isNetworkStep<Step extends SentStep>(
  step: Step,
): step is Extract<Step, SentNetworkStep> {
  return step.type !== undefined && step.type !== 'http';
}

/** Returns the method that results and plans show. For types other than HTTP, the method is the type in capitals. */
export function readMethod(step: SentStep): string {
  return isNetworkStep(step) ? networkMethod(step.type) : step.method;
}

/** How a step is repeated until it passes. */
export interface Repetition {
  /** The time from the start of one try to the start of the next. */
  readonly everySeconds: number;
  /** No try starts later than this time after the first try. */
  readonly forSeconds: number;
}

/** When and how often a run sends a step. */
interface StepCourse {
  /** True means that the step also runs after an earlier step failed. Meant for clean-up. */
  readonly always: boolean;
  /** The pause before the step. */
  readonly waitSeconds: number;
  /** null means that the step is sent once. */
  readonly until: Repetition | null;
}

/** A check of a type other than HTTP in a scenario. Each text of its settings may contain references. */
export type ScenarioNetworkStep = NetworkStep &
  StepCourse & { readonly extract: readonly Extraction[] };

export type ScenarioHttpStep = StepDefinition & StepCourse;

/** A step of a scenario. A probe sends it; the run decides when and how often. */
export type ScenarioStep = ScenarioHttpStep | ScenarioNetworkStep;

/** An immutable revision of a monitor or scenario, in the form in which probes read it. */
export interface Definition {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly revision: number;
  readonly variables: readonly Variable[];
  readonly steps: readonly SentStep[];
}

export type ResourceKind = 'monitor' | 'scenario';

/** The state that people have chosen for a monitor or scenario. */
export const RESOURCE_STATES = ['active', 'paused', 'deleting'] as const;
export type ResourceState = (typeof RESOURCE_STATES)[number];

/** True for HTTP methods that may be repeated (RFC 9110 §9.2.2), and for checks of types other than HTTP. */
export function isIdempotent(method: string): boolean {
  return method !== 'POST' && method !== 'PATCH';
}

/** Maximum number of steps per scenario. */
export const STEPS_MAX = 50;
