/**
 * Any character of Unicode, for `fc.string({ unit: anyCharacter })`. It replaces 'binary' of the library, which first
 * builds a table of all characters. This takes more than a second in every suite.
 */
import fc from 'fast-check';

const HALVES_FROM = 0xd800;
const HALVES = 0x800;
const COUNT = 0x110000 - HALVES;

export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(COUNT - 1)
  .map((index) => String.fromCodePoint(index < HALVES_FROM ? index : index + HALVES), indexOf);

/** Inverse of the mapping. The library needs it to insert names like `__proto__` into its texts. */
function indexOf(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (code === undefined || character !== String.fromCodePoint(code))
    throw new Error('not one character');
  const isHalf = code >= HALVES_FROM && code < HALVES_FROM + HALVES;
  if (isHalf) throw new Error('half a character');
  return code < HALVES_FROM ? code : code - HALVES;
}
