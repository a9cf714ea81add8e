/** Tests the reasons of failures in titles and lists. */
import type { Ping } from '../../../src/contracts/heartbeat';
import type { Failure, FailureCode } from '../../../src/contracts/outcome';
import {
  readJobFailure,
  writeCause,
  writeReason,
  writeStatusReason,
} from '../../../src/domain/alerting/reason';
import { describe as describeAssertion } from '../../../src/domain/assertions/assertion-text';
import { judgePing, judgeSilence, NO_PROGRESS } from '../../../src/domain/heartbeats/heartbeat';
import { HOURLY } from '../../support/outcomes';

const withStatus = { text: 'status equals', expected: '2xx', actual: '503' };
const failed = (message: string, code: FailureCode = 'assertion_failed') => ({
  cause: { code, message },
  assertion: null,
});

test.each([
  ['got 503, expected 2xx', { ...failed('Expected status 2xx, got 503.'), assertion: withStatus }],
  // After a recovery, the failed assertion is no longer known, but the reason stays the same.
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

test('only a failed assertion on the status has a reason that names the status', () => {
  expect(
    writeStatusReason({ cause: null, assertion: { ...withStatus, text: 'body contains' } }),
  ).toBeNull();
  expect(writeCause({ cause: null, assertion: withStatus })).toBeNull();
});

/** Returns the facts of an alert about the failure. */
function factsAbout(failure: Failure | null | undefined) {
  if (failure === null || failure === undefined) throw new Error('The check must fail.');
  return failed(failure.message, failure.code);
}

function failJob(report: Partial<Ping>) {
  const none = { exitCode: null, runId: '', failedOn: null, text: null, nextDueMs: null };
  const ping: Ping = { ...none, id: 'png_1', atMs: 0, kind: 'fail', ...report };
  return factsAbout(judgePing(NO_PROGRESS, ping, HOURLY).verdict?.outcome.failure);
}

const OUTPUT = 'dump: 3 of 5\nno space left: pg_dump';

test.each<[what: string, Partial<Ping>]>([
  ['Job failed with exit code -9', { exitCode: -9 }],
  ['Job failed', {}],
  ['Job output contains "a: b"', { kind: 'success', failedOn: 'contains "a: b"' }],
])('the words about a job agree with its check: “%s”', (what, report) => {
  expect(readJobFailure(failJob({ ...report, text: OUTPUT }).cause)).toEqual({
    what,
    output: OUTPUT,
  });
  expect(readJobFailure(failJob(report).cause)).toEqual({ what, output: '' });
});

test('the words about a missed ping agree with the check', () => {
  const dueAtMs = Date.UTC(2026, 0, 5, 2, 30);
  const nowMs = dueAtMs + HOURLY.graceMs;
  const read = { absences: [], nextDueMs: null };
  const silence = { nowMs, rules: HOURLY, isDown: true, read };
  const { verdict } = judgeSilence({ ...NO_PROGRESS, lastPingAtMs: 0, dueAtMs }, silence);
  const facts = { ...factsAbout(verdict?.outcome.failure), atMs: nowMs };
  expect(writeReason(facts)).toBe('no ping, due 02:30 UTC');
});

test.each(['2xx', 204])(
  'the words about a wrong status agree with the assertion: %s',
  (expected) => {
    const outcome = { type: 'status', operator: 'equals', target: null, severity: 'fail' } as const;
    const message = describeAssertion({ ...outcome, ok: false, actual: 503, expected }, null);
    expect(writeStatusReason(failed(message))).toBe(`got 503, expected ${expected}`);
  },
);
