/** Tests that a value is found in every spelling, and that no other text matches. */
import {
  findSpans,
  listSpellings,
  prepareText,
} from '../../../src/domain/secrets/secret-spellings';

const VALUE = 'p/ss Wört';

function foundIn(text: string, value = VALUE, isBroken = false): readonly string[] {
  const searched = prepareText(text, isBroken);
  const spans = listSpellings(value).flatMap((spelling) => findSpans(searched, spelling));
  return [...new Set(spans.map(({ start, end }) => text.slice(start, end)))];
}

test.each([
  ['unchanged', VALUE],
  ['in lower case', VALUE.toLowerCase()],
  ['percent-encoded', encodeURIComponent(VALUE)],
  ['form-encoded', encodeURIComponent(VALUE).replaceAll('%20', '+')],
  ['escaped for JSON', 'p\\/ss W\\u00f6rt'],
  ['escaped for HTML', 'p&#47;ss W&#xf6;rt'],
  ['in hex', Buffer.from(VALUE).toString('hex')],
])('a secret value is found %s, at its exact position', (_how, written) => {
  expect(foundIn(`before ${written} after`)).toContain(written);
});

test.each(['', 'x', 'xy'])(
  'a secret value in base64 is found after %j, including characters that also encode neighbouring text',
  (before) => {
    const text = Buffer.from(`${before}${VALUE}end`).toString('base64');
    const [found = ''] = foundIn(text);
    const left = text.replace(found, '');
    expect(found.length).toBeGreaterThan(8);
    expect(Buffer.from(left, 'base64').toString('latin1')).not.toContain('ss');
  },
);

test.each(['', 'p/s', 'another value', 'p/ssWört', 'P/SS'])(
  'the secret value is not found in %j',
  (text) => {
    expect(foundIn(text)).toEqual([]);
  },
);

test('the start of a secret value is found at the end of a truncated text', () => {
  expect(foundIn('log: p/ss W', VALUE, true)).toEqual(['p/ss W']);
  expect(foundIn('log: p/ss W', VALUE, false)).toEqual([]);
  expect(foundIn('log: p%2Fss%20W%C3', VALUE, true)).not.toEqual([]);
});
