/** Secret values never survive, in whatever form they stand. */
import * as fc from 'fast-check';
import { createRedactor, MASK, redactJson } from '../../src/domain/redact';
import { spellingsOf } from '../support/echo-forms';

const SECRET = 's3cr3t/Wert+ü "x"\\';

describe('a known value is masked', () => {
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
  ])('%s', (_, text) => {
    const redacted = redact(`before ${text} after`);
    expect(redacted).toContain(MASK);
    expect(redacted).not.toContain('s3cr3t');
    expect(redacted).toMatch(/^before .* after$/);
  });

  it('inside Basic credentials, at every offset', () => {
    for (const user of ['', 'a', 'ab', 'abc', 'abcd']) {
      const basic = Buffer.from(`${user}:${SECRET}`).toString('base64');
      expect(redact(basic)).toContain(MASK);
      expect(Buffer.from(redact(basic).replace(MASK, ''), 'base64').toString()).not.toContain(
        'Wert',
      );
    }
  });

  it('in names, texts and numbers of JSON values', () => {
    const pin = createRedactor(['4711']);
    expect(redactJson({ 'id-4711': ['x4711', 4711, 12, true, null] }, pin)).toEqual({
      'id-***': ['x***', MASK, 12, true, null],
    });
  });
});

it('any value is masked in any surroundings and forms', () => {
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
  );
});

it('without values nothing changes, and longer values go before their parts', () => {
  expect(createRedactor([''])('abc')).toBe('abc');
  expect(createRedactor(['abcd', 'abcdef'])('xabcdefx')).toBe('x***x');
});

it.each(spellingsOf(SECRET).map((text) => [text]))('%s is masked', (text) => {
  const masked = createRedactor([SECRET])(`before ${text} after`);
  expect(masked).toMatch(/^before .*\*\*\*.* after$/);
  expect(spellingsOf(SECRET).filter((form) => masked.includes(form))).toEqual([]);
});

it('a host name made of a value is masked although it is in lower case', () => {
  const value = 'AbCdEfGh';
  const redact = createRedactor([value]);
  expect(redact(new URL(`http://${value}.example/`).href)).toBe('http://***.example/');
});

it('values longer than one expression takes are masked whole', () => {
  const long = 'x"y/\\z'.repeat(700);
  const redact = createRedactor([long]);
  expect(redact(`[${JSON.stringify(long)}]`)).toBe('["***"]');
  expect(redact(`[${encodeURIComponent(long)}]`)).toBe('[***]');
  expect(redact(`[${long.slice(0, -1)}]`)).toBe(`[${long.slice(0, -1)}]`);
});

it('values too short to hide are left alone', () => {
  expect(createRedactor(['abc'])('abcabc')).toBe('abcabc');
});

it('the time is that of the text, also for texts that look like the value', () => {
  const redact = createRedactor([SECRET]);
  const startedAt = performance.now();
  for (const piece of ['%', '\\', '&', '%25', '&amp;', SECRET.slice(0, -1), '\\u0073']) {
    redact(piece.repeat(Math.ceil(1_048_576 / piece.length)));
  }
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
