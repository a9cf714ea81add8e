/** Tests the URL that results from hasty typing or pasting. */
import {
  suggestName,
  withOneScheme,
  withScheme,
} from '../../../src/dashboard/shared/definition/typed-url';

test.each([
  ['https://https://example.com/a', 'https://example.com/a'],
  ['https:// http://example.com', 'http://example.com'],
  [
    'https://example.com/?next=https://example.com',
    'https://example.com/?next=https://example.com',
  ],
  ['https://', 'https://'],
  ['{{baseUrl}}/login', '{{baseUrl}}/login'],
])('the text %s, pasted after a scheme, becomes %s', (pasted, meant) => {
  expect(withOneScheme(pasted)).toBe(meant);
});

test.each([
  ['example.com', 'https://example.com'],
  [' shop.example.com:8443/a?b=c ', 'https://shop.example.com:8443/a?b=c'],
  ['localhost:3000', 'https://localhost:3000'],
  ['{{baseUrl}}/login', '{{baseUrl}}/login'],
  ['http://example.com', 'http://example.com'],
  ['not a url', 'not a url'],
  ['', ''],
])('the typed URL %s without a scheme becomes %s', (typed, meant) => {
  expect(withScheme(typed)).toBe(meant);
});

test.each([
  ['https://example.com/', 'example.com'],
  ['https://example.com:8443/shop/cart/', 'example.com:8443/shop/cart'],
  ['https://', ''],
  ['https://{{host}}/', ''],
  ['example.com', ''],
])('the suggested name for a check of %s is %j', (url, name) => {
  expect(suggestName(url)).toBe(name);
});
