/** Tests that any text can be truncated to any limit. */
import { cutText, escapeWithin, takeEnd, toWellFormed } from '../../../src/domain/text/cut-text';
import { createRandom } from '../../support/random';
import { testSeed } from '../../support/test-seed';
import { testSize } from '../../support/test-size';

/** Texts that people write, and texts that break programs. */
const ATOMS: readonly string[] = (
  'a é e\u0301 ß 漢 한 \u1112\u1161\u11ab नि 😀 👨‍👩‍👧‍👦 🇩🇪 👍🏽 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 & < > " \\ * _ ` @ :// &amp; \u200b \n \r\n \ud83d \ude00 z' +
  '\u0300'.repeat(100)
)
  .split(' ')
  .concat(' ');

function anyText(random: () => number, atomsMax: number): string {
  const count = Math.floor(random() * atomsMax);
  return Array.from({ length: count }, () => ATOMS[Math.floor(random() * ATOMS.length)]).join('');
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const escapeMarks = (text: string) => text.replaceAll(/[\\*_`]/g, (mark) => `\\${mark}`);
const escapeSlack = (text: string) => text.replaceAll(/[*_`]/g, (mark) => `\u200b${mark}`);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the boundaries between characters. A character with very many combining characters may also be cut between
 * code points.
 */
function boundaries(text: string): ReadonlySet<number> {
  const found = new Set([0, text.length]);
  for (const { index, segment } of graphemes.segment(text)) {
    found.add(index);
    if (segment.length > 64) for (let at = 65; at <= segment.length; at += 1) found.add(index + at);
  }
  return found;
}

const HALF = /\p{Surrogate}/u;
const seed = testSeed();
const rounds = testSize('cuts', { ci: 400, long: 20_000 });

function forAnyText(check: (text: string, max: number, random: () => number) => void): void {
  const random = createRandom(seed);
  for (let round = 0; round < rounds; round += 1) {
    const text = anyText(random, 60);
    check(text, 1 + Math.floor(random() * (text.length + 5)), random);
  }
}

test('any text is truncated to any limit without splitting a character, and then ends with an ellipsis', () => {
  forAnyText((text, max) => {
    const cut = cutText(text, max);
    expect(cut.length).toBeLessThanOrEqual(max);
    expect(cut).not.toMatch(HALF);
    if (text.length <= max) expect(cut).toBe(toWellFormed(text));
    else {
      expect(cut.endsWith('…')).toBe(true);
      const kept = cut.slice(0, -1);
      expect(toWellFormed(text).startsWith(kept)).toBe(true);
      expect([...boundaries(text)]).toContain(kept.length);
    }
  });
});

test('the end of any text is kept without splitting a character', () => {
  forAnyText((text, max) => {
    const kept = takeEnd(text, max);
    expect(kept.length).toBeLessThanOrEqual(max);
    expect(kept).not.toMatch(HALF);
    expect(toWellFormed(text).endsWith(kept)).toBe(true);
  });
});

test.each([
  ['HTML', escapeHtml, /&(?!amp;|lt;)/],
  ['Markdown', escapeMarks, /(?<!\\)(?:\\\\)*\\$/],
  ['Slack', escapeSlack, /(?<!\u200b)[*_`]/],
])('escaped text fits any limit, and no escape is split: %s', (_name, escapeText, broken) => {
  forAnyText((text, max) => {
    const escaped = escapeWithin(text, max, escapeText);
    expect(escaped.length).toBeLessThanOrEqual(max);
    expect(escaped).not.toMatch(HALF);
    expect(escaped.replace(/…$/, '')).not.toMatch(broken);
    const again = cutText(escapeText(toWellFormed(text)), max);
    expect(again.replace(/…$/, '')).not.toMatch(broken);
  });
});

test.each([
  ['a😀b', 2, 'a…'],
  ['a😀b', 3, 'a…'],
  ['a😀b', 4, 'a😀b'],
  ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 12, '👨‍👩‍👧‍👦…'],
  ['e\u0301e\u0301', 3, 'e\u0301…'],
  ['Tom &amp; Jerry', 8, 'Tom …'],
  ['half \ud83d', 9, 'half \ufffd'],
  ['abc', 1, '…'],
  ['abc', 0, ''],
])('the text %j shortened to %d is %j', (text, max, cut) => {
  expect(cutText(text, max)).toBe(cut);
});
