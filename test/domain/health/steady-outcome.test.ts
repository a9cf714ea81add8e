/** Which checks may be quiet, and what ends it. */
import {
  describeQuietCheck,
  dueSlotMs,
  expectationOf,
  isSameExpectation,
  toQuietMark,
} from '../../../src/domain/health/steady-outcome';
import { failingOutcome, passingOutcome } from '../../models/example-records';

test('only what passed at its first try with a method that may be repeated is expected again', () => {
  const passing = passingOutcome();
  const [first] = passing.attempts;
  expect(expectationOf(passing)).toEqual({ status: 'up', assertions: [true], fingerprint: null });
  const attempts = first === undefined ? [] : [first, first];
  expect(expectationOf({ ...passing, attempts })).toBeNull();
  expect(expectationOf(failingOutcome())).toBeNull();
  for (const method of ['POST', 'PATCH', 'BREW']) {
    const request = { method, url: 'https://shop.example.com/' };
    expect(expectationOf({ ...passing, request })).toBeNull();
  }
});

test('response times may differ from check to check, and nothing else', () => {
  const expected = expectationOf(passingOutcome());
  if (expected === null) throw new Error('a passing check is expected again');
  const slower = expectationOf(passingOutcome({ responseTimeMs: 900 }));
  expect(isSameExpectation(slower, expected)).toBe(true);
  const degraded = expectationOf(passingOutcome({ status: 'degraded' }));
  for (const other of [
    null,
    degraded,
    { ...expected, assertions: [] },
    { ...expected, fingerprint: 'f' },
  ])
    expect(isSameExpectation(other, expected)).toBe(false);
});

test('the due slot follows the last stored one, the first slot when there is none', () => {
  const check = { firstSlotMs: 5_000, intervalMs: 1_000 };
  expect(dueSlotMs(check, null)).toBe(5_000);
  expect(dueSlotMs(check, { lastSlotMs: 7_000, responseTimeMs: null })).toBe(8_000);
});

test('words for operators hold no address; a mark of another release counts as none', () => {
  const words = describeQuietCheck(passingOutcome(), Date.UTC(2026, 0, 5, 12, 0, 10));
  expect(words).toBe('up 200 in 123 ms, slot 12:00:10Z');
  for (const details of [undefined, null, 7, {}, { lastSlotMs: '7' }])
    expect(toQuietMark(details)).toBeNull();
  expect(toQuietMark({ lastSlotMs: 7 })).toEqual({ lastSlotMs: 7, responseTimeMs: null });
});
