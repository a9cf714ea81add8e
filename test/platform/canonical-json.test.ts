import fc from 'fast-check';
import { isSameJson, toCanonicalJson } from '../../src/platform/canonical-json';
import { propertyOptions } from '../support/property-runs';

test('two JSON values count as the same exactly if their canonical JSON is the same', () => {
  const few = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(few, few, (one, other) => {
      expect(isSameJson(one, other)).toBe(toCanonicalJson(one) === toCanonicalJson(other));
      expect(isSameJson(one, structuredClone(one))).toBe(true);
    }),
    propertyOptions(200),
  );
});

test('JSON values are compared without regard to the order of fields and to undefined fields', () => {
  expect(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1, c: undefined })).toBe(true);
  expect(isSameJson([1, 2], [2, 1])).toBe(false);
  expect(isSameJson(null, {})).toBe(false);
  expect(isSameJson(undefined, null)).toBe(false);
});
