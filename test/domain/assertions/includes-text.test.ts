/** The search for one text in another: right, and never slower than both are long. */
import * as fc from 'fast-check';
import { includesText } from '../../../src/domain/assertions/includes-text';
import { expectLinear } from '../../support/growth';
import { propertyOptions } from '../../support/property-runs';

it('finds what the engine finds', () => {
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

it('takes time that grows with text and part, however alike they are', async () => {
  const half = (size: number) => 'a'.repeat(size / 64);
  await expectLinear(
    (size) => includesText('a'.repeat(size), `${half(size)}b${half(size)}`),
    65_536,
  );
});
