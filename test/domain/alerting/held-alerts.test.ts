/**
 * Tests failures whose alert waits for the reports of dependencies. A report can explain the failure, not explain it,
 * or still be missing.
 */
import { DOWN_HOLDS_MS, type HealthReport } from '../../../src/contracts/dependencies';
import { createPendingReport, judgeReports } from '../../../src/domain/alerting/held-alerts';

const FAILED_MS = 1_000_000;
const HELD = { id: 'mon_a', failedAtMs: FAILED_MS, beganAtMs: FAILED_MS, isExplained: false };
const report = (change: Partial<HealthReport>): HealthReport => ({
  ...createPendingReport('mon_router'),
  standing: 'up',
  checkedAtMs: FAILED_MS,
  okSinceMs: 0,
  ...change,
});
const down = (change: Partial<HealthReport> = {}) =>
  report({ standing: 'down', okSinceMs: null, ...change });

test('the first dependency that is down explains the failure', () => {
  const [first, second] = [down({ id: 'mon_1' }), down({ id: 'mon_2' })];
  expect(judgeReports(HELD, [report({}), first, second])).toEqual({ kind: 'explained', by: first });
  const unknown = down({ checkedAtMs: null });
  expect(judgeReports(HELD, [unknown])).toEqual({ kind: 'explained', by: unknown });
});

test('a dependency that was last seen down long ago explains only failures that it already explained', () => {
  const old = down({ checkedAtMs: FAILED_MS - DOWN_HOLDS_MS });
  expect(judgeReports(HELD, [old]).kind).toBe('explained');
  const older = down({ checkedAtMs: FAILED_MS - DOWN_HOLDS_MS - 1 });
  expect(judgeReports(HELD, [older])).toEqual({ kind: 'own' });
  expect(judgeReports({ ...HELD, isExplained: true }, [older]).kind).toBe('explained');
});

test('two failures never explain each other', () => {
  expect(judgeReports(HELD, [down({ explainedBy: ['mon_a'] })])).toEqual({ kind: 'own' });
  expect(judgeReports(HELD, [down({ explainedBy: ['mon_b'] })]).kind).toBe('explained');
});

test('the alert decision waits for a pending dependency, unless another dependency explains the failure', () => {
  const pending = createPendingReport('mon_slow');
  expect(judgeReports(HELD, [report({}), pending])).toEqual({ kind: 'wait' });
  expect(judgeReports(HELD, [pending, down()]).kind).toBe('explained');
});

test.each(['paused', 'maintenance', 'unknown', 'gone', 'up'] as const)(
  'a dependency that is %s does not explain a failure',
  (standing) => {
    expect(judgeReports(HELD, [report({ standing })])).toEqual({ kind: 'own' });
  },
);

test('if a dependency recovered after the failing check began, the next slot decides about the alert', () => {
  const explained = { ...HELD, isExplained: true };
  const recovered = report({ okSinceMs: FAILED_MS + 1 });
  expect(judgeReports(explained, [recovered])).toEqual({ kind: 'next' });
  expect(judgeReports(explained, [report({ okSinceMs: FAILED_MS })])).toEqual({ kind: 'own' });
  expect(judgeReports(explained, [report({ okSinceMs: null })])).toEqual({ kind: 'own' });
  expect(judgeReports(HELD, [recovered])).toEqual({ kind: 'own' });
});

test('a dependency that cannot be checked is reported as pending, with its id and kind', () => {
  expect(createPendingReport('scn_1')).toMatchObject({
    kind: 'scenario',
    id: 'scn_1',
    name: 'scn_1',
  });
  expect(createPendingReport('mon_1')).toMatchObject({ kind: 'monitor', standing: 'pending' });
});
