/** Tests the search for one text in another. It is correct, and fast even for texts that nearly match. */
import * as fc from 'fast-check';
import { includesText } from '../../../src/domain/assertions/includes-text';
import { expectEnds, LARGE } from '../../support/growth';
import { propertyOptions } from '../../support/property-runs';

it('includesText finds text exactly where String.includes finds it', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ud83d'), maxLength: 150 });
  fc.assert(
    fc.property(few, few, fc.nat({ max: 200 }), (text, other, cut) => {
      const long = text.repeat(4);
      for (const part of [long.slice(cut), long.slice(cut, cut + 90), other])
        expect(includesText(long + other, part)).toBe((long + other).includes(part));
    }),
    propertyOptions(100),
  );
});

it('a search for a large pattern that nearly matches a large repetitive text ends in time', () => {
  const half = 'a'.repeat(LARGE / 2);
  const text = 'a'.repeat(4 * LARGE);
  expectEnds('nearly the same', () => includesText(text, `${half}b${half}`));
});
