/** Tests that every assertion is described in one sentence without long or secret values. */
import { ASSERTION_OPERATORS } from '../../../src/contracts/definition';
import type { AssertionOutcome } from '../../../src/contracts/outcome';
import {
  redactBriefly,
  describe as sentenceOf,
} from '../../../src/domain/assertions/assertion-text';

const outcome: Omit<AssertionOutcome, 'message'> = {
  type: 'jsonPath',
  operator: 'equals',
  target: '$.name',
  severity: 'fail',
  ok: false,
  actual: 'no',
  expected: 'yes',
};

test.each([
  [{}, 'Expected $.name to equal "yes", got "no".'],
  [{ ok: true }, 'Expected $.name to equal "yes": passed.'],
  [{ type: 'status', target: null, expected: 200, actual: 500 }, 'Expected status 200, got 500.'],
  [{ type: 'status', target: null, expected: '2xx', actual: 404 }, 'Expected status 2xx, got 404.'],
  [
    { type: 'status', target: null, operator: 'in', expected: [200, 204], actual: 404 },
    'Expected status to be one of [200,204], got 404.',
  ],
  [
    { type: 'responseTime', target: null, operator: 'lessThan', expected: 100, actual: 250 },
    'Expected response time in ms to be less than 100, got 250.',
  ],
  [
    { type: 'header', target: 'x-a', operator: 'exists', expected: null, actual: null },
    'Expected header x-a to exist, got null.',
  ],
  [
    { type: 'tls', target: 'daysUntilExpiry', operator: 'greaterThan', expected: 14, actual: 3 },
    'Expected certificate daysUntilExpiry to be greater than 14, got 3.',
  ],
] as const)('the assertion %j is described in a sentence', (change, sentence) => {
  expect(sentenceOf({ ...outcome, ...change }, null)).toBe(sentence);
});

test('a failed comparison is described by expectation, problem and code, in this order', () => {
  const sentence = sentenceOf(outcome, 'path_not_found: nothing was found');
  expect(sentence).toBe('Expected $.name to equal "yes": nothing was found (path_not_found).');
  expect(sentenceOf(outcome, 'it differs')).toBe('Expected $.name to equal "yes": it differs.');
});

test.each(ASSERTION_OPERATORS)('the operator %s is described in words', (operator) => {
  expect(sentenceOf({ ...outcome, operator }, null)).toMatch(
    /^Expected \$\.name to [a-z ]+( "yes")?, got "no"\.$/,
  );
});

test('a long value is truncated in the sentence of its assertion', () => {
  const long = 'x'.repeat(5_000);
  expect(sentenceOf({ ...outcome, actual: long, expected: long }, null).length).toBeLessThan(300);
});

const redaction = {
  redact: (text: string) => text.replaceAll('hush', '***'),
  redactBroken: (text: string) => text.replaceAll(/hush|hu$/g, '***'),
};

test.each([
  ['hush', '***'],
  [{ a: ['hush', 1, null] }, { a: ['***', 1, null] }],
  [7, 7],
] as const)('the value %j is shown without secrets, as %j', (value, brief) => {
  expect(redactBriefly(value, redaction)).toEqual(brief);
});

test('a value of more than 200 characters is truncated', () => {
  expect(redactBriefly('x'.repeat(300), redaction)).toBe(`${'x'.repeat(200)}…`);
});

test.each([
  ['a text', 'y'.repeat(4_094) + 'hush'.repeat(50)],
  ['a value', { text: 'y'.repeat(10_000), secret: 'hush' }],
])('if %s is too long to be searched for secrets, only its start is shown', (_what, value) => {
  const brief = redactBriefly(value, redaction);
  expect(typeof brief).toBe('string');
  expect(brief).toHaveLength(201);
  expect(brief).not.toContain('hu');
});
