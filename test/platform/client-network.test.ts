/** Which clients count as one. */
import { networksOf } from '../../src/platform/client-network';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '20010db800010002::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '20010db800010002::/64'],
  ['', ''],
  ['nonsense', 'nonsense'],
])('%s counts as %s', (address, network) => {
  expect(networksOf(address)[0]).toEqual(['one', network]);
});

test('an address of IPv6 is in its site and in a larger network, too; one of IPv4 is alone', () => {
  expect(networksOf('2001:db8:1:2ff::1').slice(1)).toEqual([
    ['site', '20010db8000102::/56'],
    ['large', '20010db80001::/48'],
  ]);
  expect(networksOf('::ffff:203.0.113.7')).toHaveLength(1);
});
