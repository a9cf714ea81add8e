// Tests reading single fields from stored bytes. The result must equal the fields of the decoded document.
import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  deserialize,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import fc from 'fast-check';
import { fieldNames, pickFields } from '../../../src/embedded/database/values/pick-fields';
import { propertyOptions } from '../../support/property-runs';

const NAMES = ['_id', 'a', 'b', 'ab', 'été', '', '__proto__x'];

const value = fc.oneof(
  fc.constantFrom(
    null,
    true,
    new Int32(7),
    new Double(1.5),
    Long.fromBigInt(2n ** 62n),
    Decimal128.fromString('1.25'),
    new ObjectId('0123456789abcdef01234567'),
    new Date(1_000),
    new Timestamp(5n),
    new BSONRegExp('a\\d', 'i'),
    new Binary(Buffer.from([0, 1, 0])),
    new Code('f()'),
    new Code('f()', { a: 1 }),
    new MinKey(),
    new MaxKey(),
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.array(fc.integer(), { maxLength: 4 }),
  fc.record({ a: fc.string(), b: fc.array(fc.constant({ a: null }), { maxLength: 3 }) }),
);
const document = fc.dictionary(fc.constantFrom(...NAMES), value);

function bytesOf(fields: object): Buffer {
  return Buffer.from(serialize(fields));
}

test('picking fields keeps their order and values, for every type', () => {
  fc.assert(
    fc.property(document, fc.subarray(NAMES), (whole, wanted) => {
      const bytes = bytesOf(whole);
      const kept = Object.entries(whole).filter(([name]) => wanted.includes(name));
      const picked = pickFields(bytes, fieldNames(wanted));
      expect(picked).toEqual(bytesOf(Object.fromEntries(kept)));
      expect(() => deserialize(picked)).not.toThrow();
    }),
    propertyOptions(100),
  );
});

test('picking fields refuses an unknown type instead of skipping it', () => {
  const bytes = bytesOf({ a: 1 });
  bytes[4] = 0x55;
  expect(() => pickFields(bytes, fieldNames(['a']))).toThrow(/Unknown BSON type/);
});
