/** Tests the order of the squares on the wallboard, and when the wallboard makes a sound. */
import {
  downIds,
  isNewlyDown,
  sortForWallboard,
} from '../../../src/dashboard/features/overview/wallboard';
import { exampleCheck } from '../support/example-check';

test('the wallboard lists failing checks first, then the other checks by name', () => {
  const checks = [
    exampleCheck('Shop', { status: 'up' }),
    exampleCheck('Search', { status: 'down' }),
    exampleCheck('Cart', { status: 'up' }),
    exampleCheck('Mail', { status: 'degraded' }),
  ];
  const names = sortForWallboard(checks).map(({ name }) => name);
  expect(names).toEqual(['Search', 'Mail', 'Cart', 'Shop']);
});

test('the wallboard plays a sound when a check goes down, but not for checks that were down at the start', () => {
  const one = new Set(['mon_1']);
  const two = new Set(['mon_1', 'mon_2']);
  expect(isNewlyDown(null, one)).toBe(false);
  expect(isNewlyDown(one, two)).toBe(true);
  expect(isNewlyDown(two, one)).toBe(false);
  expect(isNewlyDown(one, new Set(['mon_2']))).toBe(true);
});

test('the wallboard plays its sound only for checks that are down', () => {
  const down = exampleCheck('Search', { status: 'down' });
  const ids = downIds([down, exampleCheck('Mail', { status: 'degraded' })]);
  expect([...ids]).toEqual([down.id]);
});
