import type { Failure } from '../../../src/contracts/outcome';
import { isWorthAnotherTry } from '../../../src/domain/health/tries';

function failure(code: Failure['code']): Failure {
  return { code, message: 'why', phase: null };
}

test.each([
  ['timeout', true],
  ['assertion_failed', true],
  ['template_error', false],
  ['secret_missing', false],
  ['blocked_target', false],
] as const)('a failure with the code %s is retried: %s', (code, isTried) => {
  expect(isWorthAnotherTry(failure(code))).toBe(isTried);
});

test('a passing attempt is not retried', () => {
  expect(isWorthAnotherTry(null)).toBe(false);
});
