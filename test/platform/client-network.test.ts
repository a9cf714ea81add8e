/** Tests which IP addresses count as the same client. */
import { isInNetworks, listNetworks } from '../../src/platform/client-network';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '20010db800010002::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '20010db800010002::/64'],
  ['', ''],
  ['nonsense', 'nonsense'],
])('the client %s counts as %s', (address, network) => {
  expect(listNetworks(address)[0]).toEqual(['one', network]);
});

test('an IPv6 address also belongs to the /56 network of its site and to a /48 network', () => {
  expect(listNetworks('2001:db8:1:2ff::1').slice(1)).toEqual([
    ['site', '20010db8000102::/56'],
    ['large', '20010db80001::/48'],
  ]);
  expect(listNetworks('::ffff:203.0.113.7')).toHaveLength(1);
});

test.each([
  ['203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.114.7', ['203.0.113.0/24'], false],
  ['::ffff:203.0.113.7', ['203.0.113.7'], true],
  ['203.0.113.7', ['203.0.113.8', '203.0.113.7'], true],
  ['2001:db8:1::5', ['2001:db8::/32'], true],
  ['2001:db9::5', ['2001:db8::/32'], false],
  ['2001:db8::5', ['0.0.0.0/0'], false],
  ['10.0.0.1', ['::/0'], false],
  ['', ['0.0.0.0/0'], false],
] as const)('%s is in one of the networks %j: %s', (client, ranges, isIn) => {
  expect(isInNetworks(client, ranges)).toBe(isIn);
});
