/** The known word that a mistyped word was probably meant to be. */
import { findNearestWord } from '../../../src/domain/text/nearest-word';

const KNOWN = ['name', 'url', 'interval', 'timeoutMs', 'tags', 'retries', 'degradedAboveMs'];

test.each([
  ['timeout', 'timeoutMs'],
  ['tag', 'tags'],
  ['URL', 'url'],
  ['intervalSeconds', 'interval'],
  ['retrys', 'retries'],
])('the word %s is taken for %s', (word, meant) => {
  expect(findNearestWord(word, KNOWN)).toBe(meant);
});

test.each([
  ['a word with two swapped letters', 'nmae'],
  ['another word', 'colour'],
  ['an empty word', ''],
  ['a word of a million letters', 'x'.repeat(1_000_000)],
])('%s is not taken for any known word', (_, word) => {
  expect(findNearestWord(word, KNOWN)).toBeNull();
});

test('the nearest of several words is suggested, and the first word wins a tie', () => {
  expect(findNearestWord('chekout', ['check', 'checkouts', 'checkout'])).toBe('checkout');
  expect(findNearestWord('ab', ['ac', 'ad'])).toBe('ac');
});
