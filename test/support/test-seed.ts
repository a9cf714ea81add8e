/**
 * The seed of a test that chooses at random. CI uses a fixed one, so that a failure is due to the change
 * under test; the long form takes a fresh one. The seed is printed whenever it is not the fixed one.
 */
import { randomInt } from 'node:crypto';
import { isLongForm } from './test-size';

const SEED_MAX = 2 ** 31;

/** KEEPWATCH_TEST_SEED, else `fixed` in CI, else a fresh number. */
export function testSeed(fixed = 1): number {
  const given = process.env['KEEPWATCH_TEST_SEED'];
  if (given === undefined && !isLongForm) return fixed;
  const seed = given === undefined ? randomInt(SEED_MAX) : Number(given);
  if (!Number.isInteger(seed)) throw new Error('KEEPWATCH_TEST_SEED must be a whole number');
  process.stderr.write(`KEEPWATCH_TEST_SEED=${seed} repeats this choice.\n`);
  return seed;
}
