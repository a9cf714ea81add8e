import fc from 'fast-check';
import { canonicalJson, isSameJson } from '../../src/platform/canonical-json';
import { propertyOptions } from '../support/property-runs';

test('two JSON values are the same if their canonical JSON is', () => {
  const few = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(few, few, (one, other) => {
      expect(isSameJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
      expect(isSameJson(one, structuredClone(one))).toBe(true);
    }),
    propertyOptions(200),
  );
});

test('the order of fields and fields that are undefined make no difference', () => {
  expect(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1, c: undefined })).toBe(true);
  expect(isSameJson([1, 2], [2, 1])).toBe(false);
  expect(isSameJson(null, {})).toBe(false);
  expect(isSameJson(undefined, null)).toBe(false);
});
