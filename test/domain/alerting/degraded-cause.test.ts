/** Why something that passes is degraded. */
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

test('a warning assertion that failed speaks for itself', () => {
  const outcome = { status: 'degraded', assertions: [{ ...soft, ok: true }, soft] } as const;
  expect(degradedCause({ ...outcome, responseTimeMs: 12 })?.message).toBe(soft.message);
});

test('without one, the response was too slow', () => {
  const cause = degradedCause({ status: 'degraded', assertions: [], responseTimeMs: 932.4 });
  expect(cause?.message).toBe('Response took 932 ms, above its limit.');
});

test.each(['up', 'down', 'unknown'] as const)('what is %s is not degraded', (status) => {
  expect(degradedCause({ status, assertions: [soft], responseTimeMs: 12 })).toBeNull();
});
