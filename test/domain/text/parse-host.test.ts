/** Tests which part of a URL counts as its host. */
import { parseHost } from '../../../src/domain/text/parse-host';

test.each([
  ['https://shop.example.com/a?b=c', 'shop.example.com'],
  ['tls://shop.example.com:443', 'shop.example.com'],
  ['https://user:***@shop.example.com', 'shop.example.com'],
  ['https://[2001:db8::1]:8443/', '[2001:db8::1]'],
  ['https://shop.example.com?x', 'shop.example.com'],
  ['https://***/a', null],
  ['shop.example.com', null],
  ['', null],
])('the host of “%s” is %p', (url, host) => {
  expect(parseHost(url)).toBe(host);
});
