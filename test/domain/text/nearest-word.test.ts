/** Tests which known word a mistyped word was probably meant to be. */
import { findNearestWord } from '../../../src/domain/text/nearest-word';

const KNOWN = ['name', 'url', 'interval', 'timeoutMs', 'tags', 'retries', 'degradedAboveMs'];

test.each([
  ['timeout', 'timeoutMs'],
  ['tag', 'tags'],
  ['URL', 'url'],
  ['intervalSeconds', 'interval'],
  ['retrys', 'retries'],
])('the suggestion for the misspelt word %s is %s', (word, meant) => {
  expect(findNearestWord(word, KNOWN)).toBe(meant);
});

test.each([
  ['a word with two swapped letters', 'nmae'],
  ['another word', 'colour'],
  ['an empty word', ''],
  ['a word of a million letters', 'x'.repeat(1_000_000)],
])('there is no suggestion for the word %s', (_, word) => {
  expect(findNearestWord(word, KNOWN)).toBeNull();
});

test('of several known words, the nearest is suggested, and of equally near words the first', () => {
  expect(findNearestWord('chekout', ['check', 'checkouts', 'checkout'])).toBe('checkout');
  expect(findNearestWord('ab', ['ac', 'ad'])).toBe('ac');
});
