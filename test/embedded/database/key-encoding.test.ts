// Tests that the byte order of index keys equals the order of values in comparisons.
import { Binary, Double, Int32, Long, ObjectId } from 'bson';
import fc from 'fast-check';
import { compareValues } from '../../../src/embedded/database/values/compare';
import {
  complement,
  encodeKey,
  successor,
} from '../../../src/embedded/database/values/key-encoding';
import { anyCharacter } from '../../support/any-character';
import { propertyOptions } from '../../support/property-runs';

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes));

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, false),
  fc.integer().map((value) => new Int32(value | 0)),
  fc.double().map((value) => new Double(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n }).map((value) => Long.fromBigInt(value)),
  fc.constantFrom(2 ** 53, 2 ** 53 + 2, -(2 ** 53), 0, -0).map((value) => new Double(value)),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '',
    '\0',
    'a',
    'a\0',
    'a\0b',
    '\x01',
    'a\x01',
    'a\x01\x02',
    'a\x02',
    'ab',
    '\uffff',
    '\u{1f600}',
  ),
  hex(12).map((bytes) => new ObjectId(bytes)),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => new Binary(bytes)),
);

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab'), tie('any'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).any;

test('the encoded keys of any two values sort in the same order as the values', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const byBytes = Math.sign(Buffer.compare(encodeKey(a), encodeKey(b)));
      expect(byBytes).toBe(Math.sign(compareValues(a, b)));
    }),
    propertyOptions(500),
  );
});

test('no encoded key is a prefix of the key of a different value', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [left, right] = [encodeKey(a), encodeKey(b)];
      const begins = right.subarray(0, left.length).equals(left);
      expect(begins).toBe(compareValues(a, b) === 0);
    }),
    propertyOptions(500),
  );
});

test('keys of two fields sort by the first field, and then by the second field', () => {
  fc.assert(
    fc.property(fc.tuple(scalar, scalar), fc.tuple(scalar, scalar), (a, b) => {
      const bytes = (pair: [unknown, unknown]) => Buffer.concat(pair.map(encodeKey));
      const wanted = compareValues(a[0], b[0]) || compareValues(a[1], b[1]);
      expect(Math.sign(Buffer.compare(bytes(a), bytes(b)))).toBe(Math.sign(wanted));
    }),
    propertyOptions(300),
  );
});

test('a descending first field reverses the order of keys', () => {
  fc.assert(
    fc.property(fc.tuple(scalar, scalar), fc.tuple(scalar, scalar), (a, b) => {
      const bytes = (pair: [unknown, unknown]) =>
        Buffer.concat([complement(encodeKey(pair[0])), encodeKey(pair[1])]);
      const wanted = -compareValues(a[0], b[0]) || compareValues(a[1], b[1]);
      expect(Math.sign(Buffer.compare(bytes(a), bytes(b)))).toBe(Math.sign(wanted));
    }),
    propertyOptions(300),
  );
});

test('swapping two values reverses their comparison, and the order of values is transitive', () => {
  fc.assert(
    fc.property(value, value, value, (a, b, c) => {
      expect(Math.sign(compareValues(a, b))).toBe(-Math.sign(compareValues(b, a)) + 0);
      if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) {
        expect(compareValues(a, c)).toBeLessThanOrEqual(0);
      }
    }),
    propertyOptions(300),
  );
});

test('the successor of a prefix comes after everything that begins with the prefix', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 4 }), fc.uint8Array(), (prefix, rest) => {
      const next = successor(prefix);
      fc.pre(next !== undefined);
      expect(Buffer.compare(Buffer.concat([prefix, rest]), next)).toBe(-1);
    }),
    propertyOptions(100),
  );
});

test('long integers beyond 2^53 keep all their digits', () => {
  const near = [0n, 1n, 2n, 3n].map((step) => Long.fromBigInt(2n ** 62n + step));
  const keys = near.map(encodeKey);
  expect([...keys].sort(Buffer.compare)).toEqual(keys);
  expect(new Set(keys.map(String)).size).toBe(4);
});
