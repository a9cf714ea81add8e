/**
 * Validates a probe's report field by field, because people outside of Keepwatch may run the probe. Pure. A field that
 * is no longer used must stay valid as long as histories of workflows contain it.
 */
import { ASSERTION_OPERATORS } from '../../contracts/definition';
import {
  CHECK_STATUSES,
  FAILURE_CODES,
  mapPhases,
  PHASES,
  SIGN_IN_PROBLEMS,
  type StepOutcome,
} from '../../contracts/outcome';

type Test = (value: unknown) => boolean;

const TEXT_MAX = 16 * 1024;
/** The maximum length of a URL. A redirect may lead to any URL that fits into the headers of a response. */
const URL_MAX = 512 * 1024;
const BODY_PREVIEW_MAX = 32 * 1024;
const HEADERS_MAX = 2_000;
const SEALED_MAX = 64 * 1024;
/** The maximum length of a value that an assertion found or expected, as JSON. */
const VALUE_LENGTH_MAX = 64 * 1024;
const LIST_MAX = 100;
/** The maximum duration. No step and no wait takes longer. */
const DURATION_MAX_MS = 8 * 24 * 3_600_000;

const isText =
  (max: number): Test =>
  (value) =>
    typeof value === 'string' && value.length <= max;
const isNumber =
  (min: number, max: number): Test =>
  (value) =>
    typeof value === 'number' && value >= min && value <= max;
const isOneOf =
  (known: readonly string[]): Test =>
  (value) =>
    typeof value === 'string' && known.includes(value);
const isListOf =
  (test: Test, max: number): Test =>
  (value) =>
    Array.isArray(value) && value.length <= max && value.every(test);
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const isFlag: Test = (value) => typeof value === 'boolean';
const isInstant: Test = (value) =>
  typeof value === 'string' && value.length <= 40 && Number.isFinite(Date.parse(value));
const isJson: Test = (value) =>
  value !== undefined && (JSON.stringify(value)?.length ?? Infinity) <= VALUE_LENGTH_MAX;

/** Returns a test that accepts objects whose fields all pass their tests. Other fields are not allowed. */
function isObject(tests: Readonly<Record<string, Test>>): Test {
  const names = Object.keys(tests);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const given: Readonly<Record<string, unknown>> = { ...value };
    return (
      Object.keys(given).every((name) => Object.hasOwn(tests, name)) &&
      names.every((name) => tests[name]?.(given[name]) === true)
    );
  };
}

const text = isText(TEXT_MAX);
const name = isText(512);
const duration = isNumber(0, DURATION_MAX_MS);
const headers = isListOf(isObject({ name: text, value: isText(BODY_PREVIEW_MAX) }), HEADERS_MAX);

const failure = isObject({
  code: isOneOf(FAILURE_CODES),
  message: text,
  phase: orNull(isOneOf(PHASES)),
});

const attempt = isObject({
  startedAt: isText(40),
  responseTimeMs: duration,
  status: orNull(isNumber(0, 999)),
  failure: orNull(failure),
});

const timings = isObject({
  // Phases that older probes do not send are optional.
  ...mapPhases(() => optional(orNull(duration))),
  totalMs: duration,
});

const response = isObject({
  status: orNull(isNumber(0, 999)),
  httpVersion: orNull(isText(20)),
  bytes: isNumber(0, Number.MAX_SAFE_INTEGER),
  remoteIp: orNull(isText(64)),
  finalUrl: isText(URL_MAX),
  redirects: isNumber(0, LIST_MAX),
  bodyPreview: orNull(isText(BODY_PREVIEW_MAX)),
  truncated: isFlag,
  headers: optional(headers),
});

const tls = isObject({
  version: orNull(isText(40)),
  issuer: orNull(text),
  fingerprint: optional(isText(128)),
  expiresAt: orNull(isInstant),
  daysUntilExpiry: orNull(isNumber(-1e6, 1e6)),
  trusted: isFlag,
  forHost: optional(isFlag),
  client: optional(
    isObject({ fingerprint: isText(128), issuer: orNull(text), expiresAt: isInstant }),
  ),
  // Older probes send this field for registrations of domains.
  domain: optional(isText(255)),
});

const registration = isObject({
  domain: isText(255),
  registrar: orNull(text),
  expiresAt: isInstant,
  fingerprint: isText(128),
});

const assertion = isObject({
  type: isText(40),
  operator: isOneOf(ASSERTION_OPERATORS),
  target: orNull(text),
  severity: isOneOf(['fail', 'degraded']),
  ok: isFlag,
  actual: isJson,
  expected: isJson,
  message: text,
});

const extracted: Test = (value) =>
  isObject({ name, value: isJson, secret: optional((given) => given === true) })(value) &&
  // A secret value must be encrypted.
  (!isSecret(value) || isSealed(value));

function isSecret(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'secret' in value && value.secret === true;
}

function isSealed(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'value' in value &&
    isText(SEALED_MAX)(value.value)
  );
}

const cookies = isObject({
  jar: optional(isText(SEALED_MAX)),
  set: isListOf(
    isObject({ name: text, domain: text, path: text, expiresAt: orNull(isText(64)) }),
    LIST_MAX,
  ),
  notes: isListOf(text, LIST_MAX),
});

const fields = isObject({
  status: isOneOf(CHECK_STATUSES),
  startedAt: isInstant,
  finishedAt: isInstant,
  responseTimeMs: orNull(duration),
  timings: orNull(timings),
  request: orNull(
    isObject({ method: isText(16), url: isText(URL_MAX), headers: optional(headers) }),
  ),
  response: orNull(response),
  tls: orNull(tls),
  registration: optional(registration),
  assertions: isListOf(assertion, LIST_MAX),
  failure: orNull(failure),
  attempts: isListOf(attempt, LIST_MAX),
  extracted: isListOf(extracted, LIST_MAX),
  cookies: optional(cookies),
  missingVariable: optional(name),
  signInFault: optional(
    isObject({ tokenUrl: isText(2_048), problem: isOneOf(SIGN_IN_PROBLEMS), reason: name }),
  ),
});

/** The maximum error of a probe's clock. */
const CLOCK_OFF_MAX_MS = 25 * 3_600_000;

/**
 * True if the shape is right, the status matches the failure, and no time is in the future. Times may differ by the
 * maximum error of the probe's clock.
 */
export function isProbeOutcome(value: unknown, nowMs: number): value is StepOutcome {
  if (!hasShape(value)) return false;
  const isPassed = value.status === 'up' || value.status === 'degraded';
  const latestMs = Math.max(Date.parse(value.startedAt), Date.parse(value.finishedAt));
  return isPassed === (value.failure === null) && latestMs <= nowMs + CLOCK_OFF_MAX_MS;
}

function hasShape(value: unknown): value is StepOutcome {
  return fields(value);
}
