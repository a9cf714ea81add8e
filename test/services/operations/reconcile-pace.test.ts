/** Tests that the speed of a reconciliation depends on how much it has to repair. */
import { repairsPerSecond } from '../../../src/services/operations/reconcile';

it.each([1, 500, 18_000, 50_000, 100_000])(
  'a reconciliation of %i workflows takes at most a quarter of an hour',
  (repairs) => {
    expect(repairs / repairsPerSecond(repairs)).toBeLessThanOrEqual(15 * 60);
  },
);

it('if few workflows need a repair, at most 20 are repaired per second', () => {
  expect([1, 100, 18_000].map(repairsPerSecond)).toEqual([20, 20, 20]);
});
