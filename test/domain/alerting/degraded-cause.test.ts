/** Tests the reasons why a check that passes is degraded. */
import type { AssertionOutcome } from '../../../src/contracts/outcome';
import { findDegradedCause } from '../../../src/domain/alerting/degraded-cause';

const soft: AssertionOutcome = {
  type: 'header',
  operator: 'exists',
  target: 'etag',
  severity: 'degraded',
  ok: false,
  actual: null,
  expected: null,
  message: 'Expected header etag to exist.',
};

test('the cause of a degraded check is the message of the warning assertion that failed', () => {
  const outcome = { status: 'degraded', assertions: [{ ...soft, ok: true }, soft] } as const;
  expect(findDegradedCause({ ...outcome, responseTimeMs: 12 }, 10)?.message).toBe(soft.message);
});

test.each([
  [1_240.4, 800, 'Response took 1,241 ms (limit 800 ms).'],
  [800.2, 800, 'Response took 801 ms (limit 800 ms).'],
  [932.4, null, 'Response took 933 ms, above its limit.'],
  [12_000_000, 1_000, 'Response took 12,000,000 ms (limit 1,000 ms).'],
  // The limit was raised after the check.
  [932, 1_000, 'Response took 932 ms, above its limit.'],
])('a response of %d ms with a limit of %p ms is the cause “%s”', (ms, limitMs, message) => {
  const outcome = { status: 'degraded', assertions: [], responseTimeMs: ms } as const;
  expect(findDegradedCause(outcome, limitMs)?.message).toBe(message);
});

test.each(['up', 'down', 'unknown'] as const)(
  'a check that is %s has no cause of a degraded state',
  (status) => {
    expect(findDegradedCause({ status, assertions: [soft], responseTimeMs: 12 }, 10)).toBeNull();
  },
);
