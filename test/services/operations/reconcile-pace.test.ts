/** How fast the reconciliation repairs, by how much there is to repair. */
import { repairsPerSecond } from '../../../src/services/operations/reconcile';

it.each([1, 500, 18_000, 50_000, 100_000])('repairs %i within a quarter of an hour', (repairs) => {
  expect(repairs / repairsPerSecond(repairs)).toBeLessThanOrEqual(15 * 60);
});

it('makes at most 20 repairs per second if there are few', () => {
  expect([1, 100, 18_000].map(repairsPerSecond)).toEqual([20, 20, 20]);
});
