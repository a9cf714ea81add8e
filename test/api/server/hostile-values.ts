/** Values for hostile requests: wrong types, texts that break parsers, raw bodies. */
import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character';

const NASTY = [
  '\u0000',
  '\ud800',
  '{{',
  '{{secret:x}}',
  '$ne',
  '$where',
  '$.a.b',
  'a.b',
  '__proto__',
  'constructor',
  '(a+)+$',
  'http://[::1',
  'http://\u0000',
  'http://%zz/',
  "' or 1=1 --",
  '../../etc/passwd',
  '%00',
  '%',
  '\r\nX-Injected: 1',
  '1e999',
  'NaN',
  '-0',
  '９',
  ' ',
  '',
  'x'.repeat(5_000),
];

export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);

function nested(depth: number, open: string, close: string): string {
  return open.repeat(depth) + close.repeat(depth);
}

/** Objects with database operators or with properties of prototypes, as parsed JSON. */
const OBJECTS: readonly unknown[] = [
  { $gt: '' },
  { $ne: null },
  { $where: 'sleep(1000)' },
  { $regex: '(a+)+$' },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  { constructor: { prototype: { isAdmin: true } } },
  { toString: 1, valueOf: 1, hasOwnProperty: 1 },
  { length: 1e9 },
];

export const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom(null, true, -1, 0, 1.5, 1e308, -0, 2 ** 53, [], {}, [[]], [null], ...OBJECTS),
  fc.integer(),
  fc.double(),
  fc.array(nastyText, { maxLength: 5 }),
  fc.array(fc.constant(0), { minLength: 600, maxLength: 600 }),
  fc.dictionary(nastyText, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
  fc.jsonValue({ maxDepth: 6 }),
);

/** Bodies that are not valid JSON objects. */
export const rawBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc
    .constantFrom(
      '{"name":',
      nested(60_000, '[', ']'),
      `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
      'null',
      '[]',
      '1e999',
      '9'.repeat(400),
      '{"name":"a","name":{"$gt":""}}',
      '{"__proto__":{"isAdmin":true}}',
      '\u0000',
      `"${'\\u0000'.repeat(1_000)}"`,
      `{"name":"${'x'.repeat(300_000)}"}`,
      '\ufeff{}',
    )
    .map((text) => Buffer.from(text)),
  fc.constantFrom(
    Buffer.from('{"name":"x"}', 'utf16le'),
    Buffer.from([0xff, 0xfe, 0x00]),
    Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x7d]),
    Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
  ),
  fc.uint8Array({ maxLength: 200 }),
);

export const contentType: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'application/merge-patch+json',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'x'.repeat(500),
    ),
  },
);

/** Headers that routes read, with invalid values. */
export const oddHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Readonly<Record<string, string>>[]>(
      { 'if-match': '"x", W/"1", *' },
      { 'if-match': `"${'9'.repeat(300)}"` },
      { 'if-none-match': '*' },
      { 'idempotency-key': 'x'.repeat(256) },
      { 'idempotency-key': '\u00e9' },
      { 'content-encoding': 'gzip' },
      { 'x-request-id': '{"a":1}' },
      { 'x-forwarded-for': '1.1.1.1, ::1, x' },
      { cookie: `keepwatch_session=${'A'.repeat(43)}; __proto__=1` },
      { authorization: 'Bearer \u00ff' },
      { authorization: `Bearer ${'x'.repeat(4_000)}` },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ),
  },
);
