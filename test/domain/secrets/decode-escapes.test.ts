/**
 * Tests that escapes are decoded at any depth of nesting, and that every decoded byte has its range in the original
 * text.
 */
import * as fc from 'fast-check';
import { decodeEscapes, encodeText } from '../../../src/domain/secrets/decode-escapes';
import { propertyOptions } from '../../support/property-runs';

function textOf({ bytes, length }: ReturnType<typeof decodeEscapes>): string {
  return Buffer.from(bytes.slice(0, length)).toString('utf8');
}

test.each([
  ['a%20b', 'a b'],
  ['a%2520b', 'a b'],
  ['%C3%A9', 'é'],
  ['\\u0041', 'A'],
  ['\\ud83d\\ude00', '😀'],
  ['&lt;a&gt;', '<a>'],
  ['&amp;lt;', '<'],
  ['&#x41;&#66;', 'AB'],
  ['%26quot;', '"'],
  ['\\"', '"'],
  ['\\\\\\"', '"'],
  ['100% sure & done', '100% sure & done'],
  ['%zz &nope; \\', '%zz &nope; '],
])('the escaped text %j decodes to %j', (text, plain) => {
  expect(textOf(decodeEscapes(text))).toBe(plain);
});

test('a text without escapes decodes to itself and is marked as free of escapes', () => {
  const decoded = decodeEscapes('plain ü 😀');
  expect(decoded.hasEscapes).toBe(false);
  expect(textOf(decoded)).toBe('plain ü 😀');
});

test('each decoded byte keeps the range of the text from which it was decoded', () => {
  const { starts, ends, length } = decodeEscapes('x%41&lt;y');
  const parts = Array.from({ length }, (_, at) => 'x%41&lt;y'.slice(starts[at], ends[at]));
  expect(parts).toEqual(['x', '%41', '&lt;', 'y']);
});

test('any mixture of escapes decodes to the original text', () => {
  const plain = fc.string({ unit: fc.constantFrom('a', 'Z', '0', ' ', 'ü', '€', '😀', '/') });
  const escapes = fc.array(fc.constantFrom(encodeURIComponent, jsonOf, htmlOf), { maxLength: 3 });
  fc.assert(
    fc.property(plain, escapes, (text, steps) => {
      const written = steps.reduce((given, step) => step(given), text);
      expect(textOf(decodeEscapes(written))).toBe(text);
    }),
    propertyOptions(100),
  );
});

function jsonOf(text: string): string {
  return Array.from(text, (letter) =>
    letter === 'Z' ? '\\u005a' : JSON.stringify(letter).slice(1, -1),
  ).join('');
}

function htmlOf(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('a', '&#x61;');
}

test('any text is encoded as UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(textOf(encodeText(text))).toBe(Buffer.from(text).toString('utf8'));
    }),
    propertyOptions(100),
  );
});
