/** Tests that a URL is refused when it is saved if DNS cannot look up its host. */
import { hasEmptyLabel } from '../../../src/domain/definitions/host-labels';
import { urlField } from '../../../src/kinds/url';
import { httpAddress } from '../../../src/notify/channels/fields';

test.each([
  ['shop.example', false],
  ['shop.example.', false],
  ['localhost', false],
  ['[::1]', false],
  ['127.0.0.1', false],
  ['a..b', true],
  ['.a', true],
  ['a..', true],
  ['.', true],
])('the host %s has an empty label: %s', (host, isEmpty) => {
  expect(hasEmptyLabel(host)).toBe(isEmpty);
  expect(urlField.safeParse(`http://${host}/`).success).toBe(!isEmpty);
  expect(httpAddress.safeParse(`http://${host}/`).success).toBe(!isEmpty);
});
