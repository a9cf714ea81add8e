/** Tests which checks are steady, and which outcome ends a watch. */
import {
  describeOutcome,
  isSameOutcome,
  readSteadyOutcome,
} from '../../../src/domain/health/steady-outcome';
import { failingOutcome, passingOutcome } from '../../models/example-records';

test('a passing or failing outcome is steady, after one try or several', () => {
  const passing = passingOutcome();
  const [first] = passing.attempts;
  const expected = { status: 'up', failure: null, assertions: [true], fingerprint: null };
  expect(readSteadyOutcome(passing)).toEqual(expected);
  const attempts = first === undefined ? [] : [first, first];
  expect(readSteadyOutcome({ ...passing, attempts })).toEqual(expected);
  expect(readSteadyOutcome(failingOutcome())).toMatchObject({ status: 'down' });
});

test('an outcome is not steady if it is unknown, or if its HTTP method must not be repeated', () => {
  const passing = passingOutcome();
  expect(readSteadyOutcome({ ...passing, status: 'unknown' })).toBeNull();
  for (const method of ['POST', 'PATCH', 'BREW']) {
    const request = { method, url: 'https://shop.example.com/' };
    expect(readSteadyOutcome({ ...passing, request })).toBeNull();
  }
});

test('a steady outcome may differ from check to check only in its response time', () => {
  const expected = readSteadyOutcome(passingOutcome());
  if (expected === null) throw new Error('a passing check is expected again');
  const slower = readSteadyOutcome(passingOutcome({ responseTimeMs: 900 }));
  expect(isSameOutcome(slower, expected)).toBe(true);
  for (const other of [
    null,
    { ...expected, status: 'degraded' as const },
    { ...expected, failure: 'timeout' as const },
    { ...expected, assertions: [] },
    { ...expected, assertions: [false] },
    { ...expected, fingerprint: 'f' },
  ])
    expect(isSameOutcome(other, expected)).toBe(false);
});

test('the description of an outcome for operators contains no URL', () => {
  const words = describeOutcome(passingOutcome(), Date.UTC(2026, 0, 5, 12, 0, 10));
  expect(words).toBe('up 200 in 123 ms, slot 12:00:10Z');
});
