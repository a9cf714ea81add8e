/** The key that puts monitors together. */
import { groupKeyOf, normalizeGroup } from '../../../src/domain/definitions/grouping';

it('a given group wins, with its levels trimmed and empty levels dropped', () => {
  expect(groupKeyOf(' Shop // checkout / ', 'www.example.com', 'example.com')).toBe(
    'Shop/checkout',
  );
  expect(normalizeGroup('/a/b/')).toBe('a/b');
});

it('without a group the key is the registrable domain, or else the host', () => {
  expect(groupKeyOf(null, 'www.example.co.uk', 'example.co.uk')).toBe('example.co.uk');
  expect(groupKeyOf('', 'www.Example.com', 'Example.com')).toBe('example.com');
  expect(groupKeyOf(' / ', '192.0.2.7', null)).toBe('192.0.2.7');
  expect(groupKeyOf(null, 'localhost', '')).toBe('localhost');
});
