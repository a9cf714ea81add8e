/** Tests text that is inserted into messages. It cannot format, link or notify, and is truncated to its limit. */
import { escapeMarkup, formatCode, type MarkupName } from '../../../src/domain/text/markup-escapes';

const CASES: readonly (readonly [MarkupName, string, string])[] = [
  ['plain', '*a* <b> @all', '*a* <b> @all'],
  ['slack', '*a* <!here> &', '\u200b*a\u200b* &lt;!here&gt; &amp;'],
  ['slack', 'pg_dump _a_b_ __init__', 'pg_dump \u200b_a_b\u200b_ \u200b_\u200b_init\u200b_\u200b_'],
  ['telegram', '<b> "@all"', '&lt;b&gt; &quot;@\u200ball&quot;'],
  ['markdown', '[a](https://b)', '\\[a\\]\\(https:\u200b//b\\)'],
  ['discord', '[a](https://b)', '\\[a\\]\\(https:\\/\\/b\\)'],
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

test.each<[MarkupName, string, string]>([
  ['plain', 'a_b\n<c>', 'a_b\n<c>'],
  ['slack', 'http://a_b/***\n<!here>', '`http://a_b/***`\n`&lt;!here&gt;`'],
  ['telegram', '<b>@all', '<code>&lt;b&gt;@all</code>'],
  ['markdown', 'http://a\\', '`http://a\\`'],
  ['discord', 'http://a_b', '`http://a_b`'],
  ['googleChat', 'a_b <users/all>', '`a_b \u200b<\u200busers/all>`'],
])('text of a target is a line of code in the markup “%s”', (name, text, code) => {
  expect(formatCode(name, text)).toBe(code);
});

test('a backtick in the text of a target does not end a line of code', () => {
  expect(formatCode('slack', '`<!here>`\nb_c')).toBe('\u200b`&lt;!here&gt;\u200b`\n`b_c`');
  expect(formatCode('discord', '` @everyone')).toBe('\\` @\u200beveryone');
  expect(formatCode('telegram', '&'.repeat(3_000)).length).toBeLessThanOrEqual(1_000);
});
