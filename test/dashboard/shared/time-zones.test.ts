/** Time zones: all that can be chosen, and how people find theirs. */
import { allZones, isZoneFound, OWN_ZONE } from '../../../src/dashboard/shared/form/time-zones';

test("UTC and the reader's zone come first, and each zone is listed once", () => {
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
