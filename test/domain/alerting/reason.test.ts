/** Tests the reasons of failures in titles and lists. */
import type { FailureCode } from '../../../src/contracts/outcome';
import { writeCause, writeReason, writeStatusReason } from '../../../src/domain/alerting/reason';

const withStatus = { text: 'status equals', expected: '2xx', actual: '503' };
const failed = (message: string, code: FailureCode = 'assertion_failed') => ({
  cause: { code, message },
  assertion: null,
});

test.each([
  ['got 503, expected 2xx', { ...failed('Expected status 2xx, got 503.'), assertion: withStatus }],
  // The assertion is unknown after a recovery, but the words stay the same.
  ['got 503, expected 2xx', failed('Expected status 2xx, got 503.')],
  [
    'Expected status 2xx, got 503 in 2 regions',
    failed('Expected status 2xx, got 503 in 2 regions.'),
  ],
  ['Timed out after 3 s', failed('Timed out after 3 s.', 'timeout')],
  ['job failed with exit code 3', failed('Job failed with exit code 3: no disk', 'job_failed')],
  ['no disk', failed('Job failed: no disk', 'job_failed')],
  ['', { cause: null, assertion: null }],
])('the reason is “%s”', (reason, facts) => {
  expect(writeReason(facts)).toBe(reason);
});

test('a reason has at most 120 characters, and no line breaks', () => {
  const reason = writeReason(failed(`a\nb ${'x'.repeat(500)}`));
  expect(reason).toHaveLength(120);
  expect(reason).toMatch(/^a b x+…$/);
});

test('a missed ping without a known age has the date of its due time', () => {
  const message = 'No ping; it was due at 2026-01-05 02:30:00 UTC.';
  const facts = failed(message, 'heartbeat_missed');
  expect(writeReason(facts)).toBe('no ping, due 2026-01-05 02:30 UTC');
  expect(writeReason({ ...facts, atMs: Date.UTC(2026, 0, 5, 3) })).toBe('no ping, due 02:30 UTC');
  const older = 'No ping by 2026-01-05 02:35:00 UTC, 5 min after it was due.';
  expect(writeReason(failed(older, 'heartbeat_missed'))).toBe(older.slice(0, -1));
});

test('a failure that is not about a status has no reason about a status', () => {
  expect(
    writeStatusReason({ cause: null, assertion: { ...withStatus, text: 'body contains' } }),
  ).toBeNull();
  expect(writeCause({ cause: null, assertion: withStatus })).toBeNull();
});
