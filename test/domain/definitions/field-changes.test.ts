/** Tests the differences between two definitions, as a plan lists them. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { findFieldChanges } from '../../../src/domain/definitions/field-changes';
import { propertyOptions } from '../../support/property-runs';

it('each difference between two definitions is shown with its deepest path', () => {
  const before = { a: 1, same: [1, 2], deep: { x: [{ y: 1 }, { y: 2 }] }, gone: true };
  const after = { a: 2, same: [1, 2], deep: { x: [{ y: 1 }, { y: 3 }] }, made: null, more: 'z' };
  expect(findFieldChanges(before, after)).toEqual([
    { path: 'a', before: 1, after: 2 },
    { path: 'deep.x[1].y', before: 2, after: 3 },
    { path: 'gone', before: true, after: null },
    { path: 'more', before: null, after: 'z' },
  ]);
});

it('the difference of two lists with different lengths shows both as a whole', () => {
  expect(findFieldChanges({ tags: ['a', 'b'] }, { tags: ['b'] })).toEqual([
    { path: 'tags', before: ['a', 'b'], after: ['b'] },
  ]);
});

it('two JSON values without null fields are shown as different exactly if they are not equal', () => {
  const anyJson = fc.jsonValue({ noUnicodeString: true });
  fc.assert(
    fc.property(anyJson, anyJson, (a, b) => {
      const [one, other] = [withoutNulls(a), withoutNulls(b)];
      expect(findFieldChanges(one, structuredClone(one))).toEqual([]);
      expect(findFieldChanges(one, other).length === 0).toBe(isDeepStrictEqual(one, other));
    }),
    propertyOptions(100),
  );
});

/** Removes fields whose value is null. A null in a list stays. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]));
}
