/** Tests which known word a mistyped word was probably meant to be. */
import { findNearestItems, findNearestWord } from '../../../src/domain/text/nearest-word';

const KNOWN = ['name', 'url', 'interval', 'timeoutMs', 'tags', 'retries', 'degradedAboveMs'];

test.each([
  ['timeout', 'timeoutMs'],
  ['tag', 'tags'],
  ['URL', 'url'],
  ['intervalSeconds', 'interval'],
  ['retrys', 'retries'],
  ['nmae', 'name'],
  ['urlx', 'url'],
])('the suggestion for the misspelt word %s is %s', (word, meant) => {
  expect(findNearestWord(word, KNOWN)).toBe(meant);
});

test.each([
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

test.each([
  ['stokc', ['Stock count', 'Stock prices']],
  ['Stock cuont', ['Stock count']],
  ['shop-hmoe', ['Home page']],
  ['chekout', ['Journey']],
  ['holidays', []],
])('the texts nearest to %s are those of %j', (typed, names) => {
  const items = [
    { name: 'Stock count', key: null },
    { name: 'Stock prices', key: null },
    { name: 'Home page', key: 'shop-home' },
    { name: 'Journey', key: 'shop/checkout' },
  ];
  const found = findNearestItems(typed, items, ({ name, key }) =>
    key === null ? [name] : [key, name],
  );
  expect(found.map(({ name }) => name)).toEqual(names);
});
