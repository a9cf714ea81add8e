/** Tests the key by which monitors are grouped. */
import { findGroupKey, normalizeGroup } from '../../../src/domain/definitions/grouping';

it('a given group is kept, without spaces around its levels and without empty levels', () => {
  expect(findGroupKey(' Shop // checkout / ', 'www.example.com', 'example.com')).toBe(
    'Shop/checkout',
  );
  expect(normalizeGroup('/a/b/')).toBe('a/b');
});

it('without a group, the group key is the registrable domain, or the host if there is no such domain', () => {
  expect(findGroupKey(null, 'www.example.co.uk', 'example.co.uk')).toBe('example.co.uk');
  expect(findGroupKey('', 'www.Example.com', 'Example.com')).toBe('example.com');
  expect(findGroupKey(' / ', '192.0.2.7', null)).toBe('192.0.2.7');
  expect(findGroupKey(null, 'localhost', '')).toBe('localhost');
});
