/** Tests text that is inserted into messages. It cannot format, link or notify, and is truncated to its limit. */
import { escapeMarkup, type MarkupName } from '../../../src/domain/text/markup-escapes';

const CASES: readonly (readonly [MarkupName, string, string])[] = [
  ['plain', '*a* <b> @all', '*a* <b> @all'],
  ['slack', '*a* <!here> &', '\u200b*a\u200b* &lt;!here&gt; &amp;'],
  ['telegram', '<b> "@all"', '&lt;b&gt; &quot;@\u200ball&quot;'],
  ['markdown', '[a](https://b)', '\\[a\\]\\(https:\u200b//b\\)'],
  ['teams', '[a](https://b)', '\\[a\\]\\(https:\u200b//b\\)'],
  ['googleChat', '*a* https://b', '\u200b*\u200ba\u200b*\u200b https:\u200b//b'],
];

test.each(CASES)(
  'no text is formatted or mentions anyone in the markup “%s”',
  (name, text, escaped) => {
    expect(escapeMarkup(name, text)).toBe(escaped);
  },
);

test('escaped text with markup is truncated to its limit, and plain text is not truncated', () => {
  expect(escapeMarkup('slack', '&'.repeat(5_000)).length).toBeLessThanOrEqual(1_500);
  expect(escapeMarkup('slack', '&'.repeat(5_000), 40).length).toBeLessThanOrEqual(40);
  expect(escapeMarkup('plain', '&'.repeat(5_000))).toHaveLength(5_000);
});
