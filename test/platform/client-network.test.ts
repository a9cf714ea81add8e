/** Which clients count as one. */
import { networkOf } from '../../src/platform/client-network';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '20010db800010002::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '20010db800010002::/64'],
  ['', ''],
  ['nonsense', 'nonsense'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
