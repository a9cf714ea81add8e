/**
 * Tests assertions. Every type and operator works as in the table and has no side effects. All assertions are evaluated
 * and described in sentences.
 */
import * as fc from 'fast-check';
import {
  ASSERTION_OPERATORS,
  type Assertion,
  type JsonValue,
} from '../../../src/contracts/definition';
import {
  evaluateAssertion,
  type ResponseFacts,
  withImplied,
} from '../../../src/domain/assertions/assertion';
import { areEqual } from '../../../src/domain/assertions/assertion-operators';
import { createRedactor } from '../../../src/domain/secrets/create-redactor';
import table from '../../conformance/assertion-cases.json';
import { propertyOptions } from '../../support/property-runs';

const { found, headers, patterns, ...plain } = table.facts;
const foundByPath = new Map<string, JsonValue[]>(Object.entries(found));
const headerByName = new Map<string, string>(Object.entries(headers));
const subjectsByPattern = new Map<string, string[]>(Object.entries(patterns));

const facts: ResponseFacts = {
  ...plain,
  header: (name) => headerByName.get(name.toLowerCase()) ?? null,
  redact: (text) => text,
  redactBroken: (text) => text,
  find: (path) => {
    const values = foundByPath.get(path);
    return values === undefined
      ? { problem: 'not_json: the body is not JSON' }
      : { values, count: values.length };
  },
  matches: (pattern, subject) => ({
    ok: subjectsByPattern.get(pattern)?.includes(subject) ?? false,
  }),
  matchSchema: (schema) =>
    schema === true
      ? { ok: true }
      : { ok: false, path: '$.id', reason: 'expected string, got number', actual: 5 },
};

/**
 * Returns true if a row of the table, which is plain JSON, has the fields of an assertion. Checks only a few fields.
 */
function isAssertion(value: object): value is Assertion {
  const operators: readonly string[] = ASSERTION_OPERATORS;
  return 'type' in value && 'operator' in value && operators.includes(String(value.operator));
}

function read(row: object): Assertion {
  const assertion = { severity: 'fail', ...row };
  if (!isAssertion(assertion)) throw new Error(`no assertion: ${JSON.stringify(row)}`);
  return assertion;
}

describe('the table of assertions', () => {
  it.each(table.cases.map((one) => ({ ...one, text: JSON.stringify(one.assertion) })))(
    'the evaluation of the assertion $text gives $ok',
    ({ assertion, ok, says }) => {
      const outcome = evaluateAssertion(read(assertion), facts);
      expect({ ok: outcome.ok, message: outcome.message }).toEqual({
        ok,
        message: outcome.message,
      });
      expect(outcome.message).toContain(says ?? '');
      expect(outcome.message).toMatch(/\.$/);
    },
  );

  it('the table of assertions covers every operator', () => {
    const seen = new Set(table.cases.map(({ assertion }) => assertion.operator));
    expect(ASSERTION_OPERATORS.filter((operator) => !seen.has(operator))).toEqual([]);
  });
});

function evaluateAssertions(assertions: readonly Assertion[], given: ResponseFacts) {
  return withImplied({ assertions }).map((assertion) => evaluateAssertion(assertion, given));
}

describe('evaluating the assertions of a step', () => {
  it('a step without an assertion on the status gets one that requires 200–299', () => {
    const time = read({ type: 'responseTime', operator: 'lessThan', value: 500 });
    const outcomes = evaluateAssertions([time], { ...facts, status: 503 });
    expect(outcomes.map(({ type, ok }) => [type, ok])).toEqual([
      ['status', false],
      ['responseTime', true],
    ]);
    expect(outcomes[0]).toMatchObject({ actual: 503, expected: '2xx' });
    expect(outcomes[0]?.message).toBe('Expected status 2xx, got 503.');
  });

  it('a step with an assertion on the status gets no default assertion', () => {
    const status = read({ type: 'status', operator: 'equals', value: 404 });
    expect(evaluateAssertions([status], { ...facts, status: 404 })).toMatchObject([{ ok: true }]);
  });

  it('all assertions of a step are evaluated, even after one has failed', () => {
    const failing = read({ type: 'status', operator: 'equals', value: 1 });
    const outcomes = evaluateAssertions([failing, failing, failing], facts);
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, false]);
  });

  it('certificate assertions on plain http fail with the code no_tls', () => {
    const trusted = read({ type: 'tls', name: 'trusted', operator: 'equals', value: true });
    const outcome = evaluateAssertion(trusted, { ...facts, tls: null });
    expect(outcome).toMatchObject({ ok: false, actual: null });
    expect(outcome.message).toContain('no_tls');
  });

  it('evaluating the assertions of a step treats an empty body as missing', () => {
    const exists = read({ type: 'body', operator: 'exists' });
    expect(evaluateAssertion(exists, { ...facts, body: '' }).ok).toBe(false);
  });

  it('evaluating the assertions of a step reports why a pattern could not be evaluated', () => {
    const matches = read({ type: 'body', operator: 'notMatches', value: 'x' });
    const problem = 'pattern_too_slow: it took too long';
    const outcome = evaluateAssertion(matches, { ...facts, matches: () => ({ problem }) });
    expect(outcome.ok).toBe(false);
    expect(outcome.message).toContain('it took too long (pattern_too_slow)');
  });

  it('evaluating the assertions of a step masks secrets before it truncates long values', () => {
    const secret = 'a-secret-value';
    const redact = createRedactor([secret]);
    const contains = read({ type: 'body', operator: 'contains', value: secret });
    for (let length = 180; length < 200; length += 1) {
      const body = `${'x'.repeat(length)}${secret}`;
      const outcome = evaluateAssertion(contains, { ...facts, body, redact });
      expect(outcome.ok).toBe(true);
      expect(JSON.stringify(outcome)).not.toContain('a-sec');
    }
  });

  it('evaluating the assertions of a step truncates long values', () => {
    const contains = read({ type: 'body', operator: 'contains', value: 'y' });
    const outcome = evaluateAssertion(contains, { ...facts, body: 'x'.repeat(10_000) });
    expect(JSON.stringify(outcome).length).toBeLessThan(700);
  });
});

describe('areEqual', () => {
  const json = fc.jsonValue().map((value): JsonValue => JSON.parse(JSON.stringify(value)));

  it('areEqual is true for every JSON value and its copy', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(areEqual(value, JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
      propertyOptions(100),
    );
  });

  it('areEqual is symmetric', () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        expect(areEqual(left, right)).toBe(areEqual(right, left));
      }),
      propertyOptions(100),
    );
  });

  it('areEqual treats a scalar as equal to its JSON text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)), (value) => {
        expect(areEqual(value, JSON.stringify(value))).toBe(true);
      }),
      propertyOptions(100),
    );
  });
});
