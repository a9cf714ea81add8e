/** Tests that secret values are masked in every spelling. */
import * as fc from 'fast-check';
import { createRedactor } from '../../../src/domain/secrets/create-redactor';
import { MASK, redactJson } from '../../../src/domain/secrets/redact';
import { spellingsOf } from '../../support/echo-forms';
import { expectEnds, LARGE } from '../../support/growth';
import { propertyOptions } from '../../support/property-runs';
import { createRandom } from '../../support/random';
import { testSeed } from '../../support/test-seed';
import { isLongForm } from '../../support/test-size';

const SECRET = 's3cr3t/Wert+ü "x"\\';

describe('a known secret value', () => {
  const redact = createRedactor([SECRET]);

  it.each([
    ['plain', SECRET],
    ['percent-encoded', encodeURIComponent(SECRET)],
    [
      'percent-encoded in lower case',
      encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase()),
    ],
    ['as a whole address part', encodeURI(SECRET)],
    ['form-encoded', new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ['in JSON', JSON.stringify(SECRET)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ a: SECRET }))],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64url', Buffer.from(SECRET).toString('base64url')],
  ])('a known secret value is masked: %s', (_, text) => {
    const redacted = redact(`before ${text} after`);
    expect(redacted).toContain(MASK);
    expect(redacted).not.toContain('s3cr3t');
    expect(redacted).toMatch(/^before .* after$/);
  });

  it('a known secret value is masked inside Basic credentials, at every offset', () => {
    for (const user of ['', 'a', 'ab', 'abc', 'abcd']) {
      const basic = Buffer.from(`${user}:${SECRET}`).toString('base64');
      expect(redact(basic)).toContain(MASK);
      expect(Buffer.from(redact(basic).replace(MASK, ''), 'base64').toString()).not.toContain(
        'Wert',
      );
    }
  });

  it('a known secret value is masked in names, texts and numbers of JSON values', () => {
    const pin = createRedactor(['4711']);
    expect(redactJson({ 'id-4711': ['x4711', 4711, 12, true, null] }, pin)).toEqual({
      'id-***': ['x***', MASK, 12, true, null],
    });
  });
});

it('any secret value is masked in any form and between any texts', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 6, maxLength: 30 }),
      fc.string({ maxLength: 20 }),
      fc.string({ maxLength: 20 }),
      (secret, before, after) => {
        const redact = createRedactor([secret]);
        const forms = [
          secret,
          encodeURIComponent(secret),
          JSON.stringify(secret).slice(1, -1),
          Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        ];
        for (const form of forms) {
          const redacted = redact(`${before}\u0000${form}\u0000${after}`);
          expect(redacted.split('\u0000')[1]).not.toBe(form);
        }
      },
    ),
    propertyOptions(100),
  );
});

it('an empty secret masks nothing, and a longer secret is masked before the secrets inside it', () => {
  expect(createRedactor([''])('abc')).toBe('abc');
  expect(createRedactor(['abcd', 'abcdef'])('xabcdefx')).toBe('x***x');
});

it.each(spellingsOf(SECRET).map((text) => [text]))(
  'the secret value is masked in the spelling %s',
  (text) => {
    const masked = createRedactor([SECRET])(`before ${text} after`);
    expect(masked).toMatch(/^before .*\*\*\*.* after$/);
    expect(spellingsOf(SECRET).filter((form) => masked.includes(form))).toEqual([]);
  },
);

it('a secret value in a host name is masked even in lower case', () => {
  const value = 'AbCdEfGh';
  const redact = createRedactor([value]);
  expect(redact(new URL(`http://${value}.example/`).href)).toBe('http://***.example/');
});

it('secret values of thousands of characters are masked as a whole', () => {
  const long = 'x"y/\\z'.repeat(700);
  const redact = createRedactor([long]);
  expect(redact(`[${JSON.stringify(long)}]`)).toBe('["***"]');
  expect(redact(`[${encodeURIComponent(long)}]`)).toBe('[***]');
  expect(redact(`[${long.slice(0, -1)}]`)).toBe(`[${long.slice(0, -1)}]`);
});

it('secret values that are too short are not masked', () => {
  expect(createRedactor(['abc'])('abcabc')).toBe('abcabc');
});

describe('masking 250,000 characters', () => {
  const doubled = '\\"'.repeat(32);

  it('masking 250,000 characters takes linear time for a text that nearly contains the value', () => {
    const near = `${'\\\\\\"'.repeat(31)}\\\\\\x`;
    expect(createRedactor([doubled])(near)).toBe(near);
    expect(createRedactor([doubled])(`<${JSON.stringify(doubled).slice(1, -1)}>`)).toBe('<***>');
  });

  it.each(
    [
      SECRET,
      doubled,
      'aaaaaaaab',
      'a'.repeat(2_000),
      '%25%25%41',
      '&amp;&amp;lt;',
      '\\u0041\\n',
    ].map((value) => [value.slice(0, 20), value]),
  )('masking 250,000 characters takes linear time for %s and similar texts', (_, value) => {
    const redact = createRedactor([value]);
    const random = createRandom(testSeed());
    const shapes = ['%', '\\', '%25', '&amp;', '\\u0073', '\\"', 'a', '%3', '&#', ';'];
    const anyShape = () => shapes[Math.floor(random() * shapes.length)] ?? '';
    const mixture = Array.from({ length: 200 }, anyShape).join('');
    const pieces = isLongForm ? shapes : [anyShape()];
    for (const piece of [...pieces, value.slice(0, -1), `${value}\\`, mixture]) {
      const text = piece.repeat(Math.ceil(LARGE / piece.length));
      expectEnds(JSON.stringify(piece), () => redact(text));
    }
  });
});

it.each([
  ['percent-encoded JSON', '%5C%22', 'x"abc'],
  ['JSON-encoded HTML', '\\u0026quot;', 'x"abc'],
  ['HTML-encoded percent signs', '&#37;22', 'x"abc'],
])('a secret value is masked if the text contains it as %s', (_, escaped, value) => {
  expect(createRedactor([value])(`<${value.replace('"', escaped)}>`)).toBe('<***>');
});

it('the decoded form of a secret value is not masked', () => {
  expect(createRedactor(['%41bcd', '&lt;lt;'])('Abcd <lt;')).toBe('Abcd <lt;');
  expect(createRedactor(['C:\\new"x'])(JSON.stringify('DOMAIN\\C:\\new"x'))).toContain(MASK);
});

it('the start of a secret value at the end of a truncated text is masked in any spelling', () => {
  const redact = createRedactor(['k"y/+zz-long-value'], { isBroken: true });
  for (const begun of ['k"y/', 'k%22y%2F', 'k\\"y\\/+', 'k&quot;y/%2', 'k"y/\\', 'k"y/&am']) {
    expect(redact(`before ${begun}`)).toBe('before ***');
  }
  expect(redact('before k"y')).toBe('before k"y');
});
