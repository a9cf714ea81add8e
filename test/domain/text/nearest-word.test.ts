/** The known word that a mistyped word was probably meant to be. */
import { findNearestWord } from '../../../src/domain/text/nearest-word';

const KNOWN = ['name', 'url', 'interval', 'timeoutMs', 'tags', 'retries', 'degradedAboveMs'];

test.each([
  ['timeout', 'timeoutMs'],
  ['tag', 'tags'],
  ['URL', 'url'],
  ['intervalSeconds', 'interval'],
  ['retrys', 'retries'],
  ['nmae', null],
  ['colour', null],
  ['', null],
  ['x'.repeat(1_000_000), null],
])('the word %.20s is taken for %s', (word, meant) => {
  expect(findNearestWord(word, KNOWN)).toBe(meant);
});

test('the nearest of several words is suggested, and the first word wins a tie', () => {
  expect(findNearestWord('chekout', ['check', 'checkouts', 'checkout'])).toBe('checkout');
  expect(findNearestWord('ab', ['ac', 'ad'])).toBe('ac');
});
