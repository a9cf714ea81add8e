/** Tests the reasons why a check that passes is degraded. */
import type { AssertionOutcome } from '../../../src/contracts/outcome';
import { degradedCause } from '../../../src/domain/alerting/degraded-cause';

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
  expect(degradedCause({ ...outcome, responseTimeMs: 12 })?.message).toBe(soft.message);
});

test('the cause of a degraded check is a slow response if no assertion failed', () => {
  const cause = degradedCause({ status: 'degraded', assertions: [], responseTimeMs: 932.4 });
  expect(cause?.message).toBe('Response took 932 ms, above its limit.');
});

test.each(['up', 'down', 'unknown'] as const)(
  'a check that is %s has no cause of a degraded state',
  (status) => {
    expect(degradedCause({ status, assertions: [soft], responseTimeMs: 12 })).toBeNull();
  },
);
