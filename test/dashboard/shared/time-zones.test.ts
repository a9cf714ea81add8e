/** Tests times in words, and time zones: which zones can be chosen, and how people find their own zone. */
import {
  allZones,
  isZoneFound,
  OWN_ZONE,
} from '../../../src/dashboard/shared/form/fields/time-zones';
import { nextWords } from '../../../src/dashboard/shared/text/time-text';

test.each([
  [12_000, 'next in 12 s'],
  [500, 'next in 1 s'],
  [499, 'due now'],
  [-4_000, 'due now'],
])('a run planned %d ms from now is shown as “%s”', (ms, words) => {
  expect(nextWords(ms)).toBe(words);
});

test("the list of time zones begins with UTC and the reader's zone, and contains each zone once", () => {
  const zones = allZones();
  expect(zones[0]).toBe('UTC');
  expect(zones.indexOf(OWN_ZONE)).toBeLessThan(2);
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones).toContain('Europe/Berlin');
});

test.each([
  ['new york', true],
  ['New_Y', true],
  [' AMERICA/new ', true],
  ['', true],
  ['york city', false],
  ['berlin', false],
])('a search for %j finds America/New_York: %s', (typed, isFound) => {
  expect(isZoneFound('America/New_York', typed)).toBe(isFound);
});
