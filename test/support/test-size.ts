/** Sets the size of a test: small in CI, and larger in the long form (`npm run test:long`). */

/** True if this run is the long form. */
export const isLongForm = process.env['KEEPWATCH_TEST_LONG'] === 'on';

interface Sizes {
  readonly ci: number;
  readonly long: number;
}

/**
 * Returns the size for this run. `KEEPWATCH_TEST_<NAME>` overrides it: `testSize('kills', …)` reads
 * KEEPWATCH_TEST_KILLS.
 */
export function testSize(name: string, { ci, long }: Sizes): number {
  const variable = `KEEPWATCH_TEST_${name.toUpperCase()}`;
  const given = process.env[variable];
  if (given === undefined || given === '') return isLongForm ? long : ci;
  const size = Number(given);
  if (!Number.isFinite(size) || size < 0) throw new Error(`${variable} must be a number`);
  return size;
}
