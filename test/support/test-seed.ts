/**
 * The seed for random choices of a test. CI uses a fixed seed, so that a failure is due to the change under test. The
 * long form uses a new seed. Every seed except the fixed one is printed.
 */
import { randomInt } from 'node:crypto';
import { isLongForm } from './test-size';

const SEED_MAX = 2 ** 31;

/**
 * Returns the number in KEEPWATCH_TEST_SEED. Without this variable, returns `fixed` in CI, and a new number in the long
 * form.
 */
export function testSeed(fixed = 1): number {
  const given = process.env['KEEPWATCH_TEST_SEED'];
  if (given === undefined && !isLongForm) return fixed;
  const seed = given === undefined ? randomInt(SEED_MAX) : Number(given);
  if (!Number.isInteger(seed)) throw new Error('KEEPWATCH_TEST_SEED must be a whole number');
  process.stderr.write(`KEEPWATCH_TEST_SEED=${seed} repeats this choice.\n`);
  return seed;
}
