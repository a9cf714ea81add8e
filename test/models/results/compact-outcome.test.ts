/** Tests the compact stored form of results. Nothing is lost, and a passing result stays small. */
import { serialize } from 'bson';
import fc from 'fast-check';
import { ASSERTION_OPERATORS } from '../../../src/contracts/definition';
import {
  type AssertionOutcome,
  type Attempt,
  FAILURE_CODES,
  type Failure,
  PHASES,
  type StepOutcome,
} from '../../../src/contracts/outcome';
import { buildResultId, parseResultId } from '../../../src/domain/health/result-id';
import { fromCompactText, toCompactText } from '../../../src/models/results/compact-outcome';
import { toResult, toResultDocument } from '../../../src/models/results/result-documents';
import { propertyOptions } from '../../support/property-runs';
import { FIRST_SLOT_MS, newId, passingOutcome } from '../example-records';

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null });
const durations = fc.nat({ max: 60_000 }).map((tenths) => tenths / 10);
const instants = fc.oneof(
  fc.nat({ max: 2 ** 31 }).map((seconds) => new Date(seconds * 1_000 + 7).toISOString()),
  fc.constantFrom('2026-01-05T12:00:00Z', '2026-01-05T12:00:00.123456Z'),
);
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));

const failures: fc.Arbitrary<Failure> = fc.record({
  code: fc.constantFrom(...FAILURE_CODES),
  message: fc.string(),
  phase: orNull(fc.constantFrom(...PHASES)),
});

const attempts: fc.Arbitrary<Attempt> = fc.record({
  startedAt: instants,
  responseTimeMs: durations,
  status: orNull(fc.nat({ max: 999 })),
  failure: orNull(failures),
});

const assertions: fc.Arbitrary<AssertionOutcome> = fc.record({
  type: fc.constantFrom('status', 'responseTime', 'jsonPath', 'header', 'body', 'tls'),
  operator: fc.constantFrom(...ASSERTION_OPERATORS),
  target: orNull(fc.string()),
  severity: fc.constantFrom('fail', 'degraded'),
  ok: fc.boolean(),
  actual: json,
  expected: json,
  message: fc.string(),
});

const headers = fc.array(fc.record({ name: fc.string(), value: fc.string() }), { maxLength: 3 });

const outcomes: fc.Arbitrary<StepOutcome> = fc.record({
  status: fc.constantFrom('up', 'degraded', 'down', 'unknown'),
  startedAt: instants,
  finishedAt: instants,
  responseTimeMs: orNull(durations),
  timings: orNull(
    fc.record({
      dnsMs: orNull(durations),
      connectMs: orNull(durations),
      tlsMs: orNull(durations),
      ttfbMs: orNull(durations),
      downloadMs: orNull(durations),
      totalMs: durations,
    }),
  ),
  request: orNull(
    fc.record(
      { method: fc.string(), url: fc.constantFrom('http://a/', 'http://b/'), headers },
      { requiredKeys: ['method', 'url'] },
    ),
  ),
  response: orNull(
    fc.record(
      {
        status: fc.nat({ max: 999 }),
        httpVersion: fc.constant('1.1'),
        bytes: fc.nat(),
        remoteIp: orNull(fc.ipV4()),
        finalUrl: fc.constantFrom('http://a/', 'http://b/', ''),
        redirects: fc.nat({ max: 10 }),
        bodyPreview: orNull(fc.string()),
        truncated: fc.boolean(),
        headers,
      },
      {
        requiredKeys: [
          'status',
          'httpVersion',
          'bytes',
          'remoteIp',
          'finalUrl',
          'redirects',
          'bodyPreview',
          'truncated',
        ],
      },
    ),
  ),
  tls: orNull(
    fc.record({
      version: orNull(fc.string()),
      issuer: orNull(fc.string()),
      expiresAt: orNull(instants),
      daysUntilExpiry: orNull(fc.integer()),
      trusted: fc.boolean(),
    }),
  ),
  assertions: fc.array(assertions, { maxLength: 3 }),
  failure: orNull(failures),
  attempts: fc.array(attempts, { maxLength: 3 }),
  extracted: fc.array(fc.record({ name: fc.string(), value: json }), { maxLength: 2 }),
});

test('an outcome is read back from its compact text unchanged', () => {
  fc.assert(
    fc.property(outcomes, (outcome) => {
      expect(fromCompactText(toCompactText(outcome), outcome)).toEqual(outcome);
    }),
    propertyOptions(100),
  );
});

test('an attempt that can be derived from the outcome is not stored, but is returned', () => {
  const outcome = passingOutcome();
  expect(JSON.parse(toCompactText(outcome))).not.toHaveProperty('x');
  expect(fromCompactText(toCompactText(outcome), outcome).attempts).toEqual(outcome.attempts);
});

test('field names that are special to MongoDB or JavaScript are stored unchanged', () => {
  const value = JSON.parse('{"a.b":1,"$set":{"x":2},"__proto__":{"polluted":true}}');
  const outcome = passingOutcome({ extracted: [{ name: 'v', value }] });
  const read = fromCompactText(toCompactText(outcome), outcome);
  expect(JSON.stringify(read.extracted)).toBe(JSON.stringify(outcome.extracted));
});

test('the document of a passing result takes at most 500 bytes', () => {
  const row = {
    id: 'unused',
    accountId: newId('account'),
    monitorId: newId('monitor'),
    revision: 3,
    region: 'eu-west',
    slotMs: FIRST_SLOT_MS,
    kind: 'scheduled',
    trigger: 'schedule',
    status: 'up',
    inMaintenance: false,
    responseTimeMs: passingOutcome().responseTimeMs,
    outcome: passingOutcome(),
    gap: null,
  } as const;
  const document = toResultDocument(row);
  expect(serialize(document).length).toBeLessThanOrEqual(500);
  expect(toResult(document)).toEqual({ ...row, id: document._id });
});

test('an id of a result can be parsed into its parts, and ids sort by slot', () => {
  const slots = fc
    .nat({ max: 4_000_000_000 })
    .map((seconds) => seconds * 1_000 + (seconds % 1_000));
  const kinds = fc.constantFrom('scheduled' as const, 'manual' as const);
  fc.assert(
    fc.property(slots, slots, kinds, kinds, (slotMs, otherMs, kind, otherKind) => {
      const key = { monitorId: newId('monitor'), region: 'eu-west', slotMs, kind };
      const other = { ...key, slotMs: otherMs, kind: otherKind };
      expect(parseResultId(buildResultId(key))).toEqual(key);
      if (slotMs < otherMs) expect(buildResultId(key) < buildResultId(other)).toBe(true);
      if (slotMs === otherMs && kind !== otherKind)
        expect(buildResultId(key)).not.toBe(buildResultId(other));
    }),
    propertyOptions(100),
  );
});
